import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createLog } from './log.ts'
import { giveBackWhenQuiet } from './quiet-memory.ts'
import { ConfigFault, readConfig, readEnvironment, type Config } from './read-config.ts'

/** How long open requests may take to end before the process ends without them. */
const STOP_MS = 10_000
/** npm passes on the signal that the whole process group got already: one so soon after the first is not a person's impatience. */
const ECHO_MS = 1000
/** The code by which sysexits.h calls a configuration that cannot be used. */
const EX_CONFIG = 78

// Not when it is only compiled, see scripts/compile.ts.
if (import.meta.main) {
  try {
    await start(readConfig(readEnvironment()))
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error
    console.error(error.message)
    process.exit(EX_CONFIG)
  }
}

async function start(config: Config) {
  const log = createLog({ level: config.logLevel })
  const closers: (() => unknown)[] = []
  let stoppingSince: number | undefined
  let address = addressOf({ address: config.host, family: config.host.includes(':') ? 'IPv6' : 'IPv4', port: config.port })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))

  const backend = config.backendUrl ? undefined : await openBackend()
  const { createApp } = await import('./app.ts')
  const app = await createApp({
    ...(backend && { backend }),
    config,
    log,
    publicDir: fileURLToPath(new URL('../build/web', import.meta.url)),
  })
  closers.unshift(() => app.close())
  try {
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    await close()
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigFault([`HOST and PORT are ${config.host} and ${config.port}, where it cannot listen (${code})`])
  }
  address = addressOf(app.server.address())
  console.log(`${config.productName} is ready: ${config.publicUrl ?? address}`)
  giveBackWhenQuiet()

  /** Everything that keeps something is opened here, and in this role only: a gateway never loads the backend. */
  async function openBackend() {
    const { generatedSecretKey, openDataDir } = await import('./data-dir.ts')
    const dataDir = await openDataDir(config.dataDir)
    closers.unshift(() => dataDir.release())
    const secretKey = config.secretKey ?? generatedSecretKey(dataDir)
    const { PlansFault, createBackend } = await import('#backend/index.ts')
    const opened = await createBackend({ ...config, secretKey, linkBase: () => config.publicUrl ?? address }, log).catch(
      (error: unknown) => {
        throw error instanceof PlansFault ? new ConfigFault(error.message.split('\n').map((fault) => `PLANS_FILE: ${fault}`)) : error
      },
    )
    closers.unshift(() => opened.close())
    return opened
  }

  /** Stops with grace: no new connections, open answers finished, then what was opened is closed in reverse order. */
  async function stop(signal: NodeJS.Signals) {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > ECHO_MS) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), STOP_MS).unref()
    await close()
    process.exit(0)
  }

  async function close() {
    for (const closer of closers) await closer()
  }
}

/** An address that a browser on this machine can open. */
function addressOf(bound: AddressInfo | string | null): string {
  if (bound === null || typeof bound === 'string') throw new Error('It listens nowhere')
  const { address, family, port } = bound
  const isEverywhere = address === '0.0.0.0' || address === '::'
  return `http://${isEverywhere ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address}:${port}`
}
