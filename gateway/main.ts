import type { EventEmitter } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { giveChildrenFewArenas } from './few-arenas.ts'
import type { DataDir } from './start/data-dir.ts'
import { createLog } from './log.ts'
import { logOutput } from './log-output.ts'
import { listenUrl } from './start/listen-url.ts'
import { warningsOf } from './start/option-warnings.ts'
import { watchParent } from './parent-watch.ts'
import { ConfigFault, readConfig, readEnvironment, type Config } from '#config/read-config.ts'
import { StartFault, startFaultOf } from './start/start-fault.ts'
import { keepTemporaryFilesIn } from './start/temporary-files.ts'

type Log = ReturnType<typeof createLog>

/** How long the process waits for open requests before it exits. */
const STOP_MS = 10_000
/** How long a start waits for the process before it: it may be stopping, and notices the end of its npm a second later. */
const PREDECESSOR_MS = STOP_MS + 2000
/** npm forwards a signal that the whole process group got already; ignore a second signal within this time. */
const ECHO_MS = 1000
/** EX_CONFIG of sysexits.h: a restart does not help until the operator has corrected the configuration. */
const EX_CONFIG = 78

const LISTEN_FAULTS: Record<string, string> = {
  EACCES: 'on which this user may not listen: set PORT to 1024 or more',
  EADDRINUSE: 'where another program listens: stop it, or set another PORT',
  EADDRNOTAVAIL: 'but this machine does not have that address: correct HOST',
  ENOTFOUND: 'but there is no such name: correct HOST, or write an IP address',
  EAI_AGAIN: 'but no name server answers: write an IP address as HOST',
}

// Not when it is only compiled, see scripts/compile.ts.
if (import.meta.main) {
  try {
    const environment = readEnvironment()
    giveChildrenFewArenas(environment)
    const config = readConfig(environment)
    keepTemporaryFilesIn(config.dataDir, environment)
    await start(config, { isStartedByNpm: environment['npm_lifecycle_event'] === 'start' })
  } catch (error) {
    if (!(error instanceof ConfigFault || error instanceof StartFault)) throw error
    console.error(error.message)
    process.exit(EX_CONFIG)
  }
}

/** What the process has opened. */
type Opened = {
  /** In the order in which they are called: the reverse order of opening. */
  closers: (() => unknown)[]
  /** Tells the backend that the process will end. */
  retire: () => void
}

async function start(config: Config, { isStartedByNpm }: { isStartedByNpm: boolean }) {
  const output = logOutput()
  const log = createLog({ level: config.logLevel, write: output.write })
  // Only Node's report of its own crash is still written to it.
  process.stderr.on('error', () => undefined)
  const opened: Opened = { closers: [], retire: () => undefined }
  const stop = createStop(opened, log, output)
  // SIGHUP: the terminal was closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop(signal))
  if (isStartedByNpm) watchParent(() => void stop('end of npm'))

  let address = listenUrl(config.host, config.port)
  const backend = config.backendUrl ? undefined : await openBackend(config, log, opened, () => config.publicUrl ?? address)
  const { createApp } = await import('./app.ts')
  const app = await createApp({
    ...(backend && { backend }),
    config,
    log,
    publicDir: fileURLToPath(new URL('../build/web', import.meta.url)),
  })
  opened.closers.unshift(() => app.close())
  try {
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    await closeAll(opened)
    throw listenFault(error as NodeJS.ErrnoException, config)
  }
  const bound = app.server.address() as AddressInfo
  address = listenUrl(bound.address, bound.port)
  output.write(`${config.productName} is ready: ${config.publicUrl ?? address}\n`)
  // gateway/small-heap.js lets V8 optimize from here on.
  const events: EventEmitter = process
  events.emit('seine:ready')
}

/** Opens everything that stores data. A gateway never calls this, and never loads the backend. */
async function openBackend(config: Config, log: Log, opened: Opened, linkBase: () => string) {
  try {
    const dataDir = await lockDataDir(config, log)
    opened.closers.unshift(() => dataDir.release())
    return config.role === 'renderer' ? await openRenderer(config, log, opened) : await openStored(config, log, opened, dataDir, linkBase)
  } catch (error) {
    await closeAll(opened)
    throw startFaultOf(error, config.dataDir) ?? error
  }
}

async function lockDataDir(config: Config, log: Log): Promise<DataDir> {
  const { isOpenToOthers, openDataDir } = await import('./start/data-dir.ts')
  const dataDir = await openDataDir(config.dataDir, {
    forMs: PREDECESSOR_MS,
    begins: () => log.warn({ path: config.dataDir, waitMs: PREDECESSOR_MS }, 'another process uses the data folder: waiting for its end'),
  })
  if (isOpenToOthers(dataDir))
    log.warn(
      { path: dataDir.path },
      'other users of this machine can list the data folder, but not read its files: chmod 700 prevents that',
    )
  return dataDir
}

async function openRenderer(config: Config, log: Log, opened: Opened) {
  const { BrowserFault, createRenderService } = await import('#backend/index.ts')
  try {
    const service = createRenderService(config, log)
    opened.closers.unshift(() => service.close())
    return service
  } catch (error) {
    throw error instanceof BrowserFault ? new StartFault(error.message) : error
  }
}

/** Opens the backend with its database, under the secret key of the data folder. */
async function openStored(config: Config, log: Log, opened: Opened, dataDir: DataDir, linkBase: () => string) {
  const { keepSecretKey, newSecretKey, storedSecretKey } = await import('./start/data-dir.ts')
  const { DatabaseFault, PlansFault, createBackend, isDatabaseThere } = await import('#backend/index.ts')
  const storedKey = config.secretKey ?? storedSecretKey(dataDir)
  const isThere = isDatabaseThere(config.databaseUrl)
  if (isThere === false && config.secretKey === undefined && storedKey !== null && !config.newDatabase)
    throw new StartFault(
      `There is a secret key in ${dataDir.path}, but no database at ${config.databaseUrl}: any visitor could install the product again. Restore the database, or set NEW_DATABASE=true once to begin with an empty one`,
    )
  for (const warning of warningsOf(config, isThere)) log.warn({}, warning)
  const secretKey = storedKey ?? newSecretKey()
  const backend = await createBackend({ ...config, secretKey, linkBase }, log).catch((error: unknown) => {
    if (error instanceof PlansFault) throw new ConfigFault(error.message.split('\n').map((fault) => `PLANS_FILE: ${fault}`))
    throw error instanceof DatabaseFault ? new StartFault(error.message) : error
  })
  opened.closers.unshift(() => backend.close())
  opened.retire = () => backend.retire()
  if (storedKey === null) {
    keepSecretKey(dataDir, secretKey)
    if (isThere === true)
      log.warn(
        { path: dataDir.path },
        'there was a database but no secret.key, so a new key was created: all users must sign in again, and earlier API keys no longer work',
      )
  }
  return backend
}

/** Returns what ends the process gracefully: no new connections, finish open responses, then close everything. */
function createStop(opened: Opened, log: Log, output: ReturnType<typeof logOutput>) {
  let stoppingSince: number | undefined
  return async (signal: NodeJS.Signals | 'end of npm'): Promise<void> => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > ECHO_MS) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    opened.retire()
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), STOP_MS).unref()
    await closeAll(opened)
    await output.flush()
    process.exit(0)
  }
}

async function closeAll({ closers }: Opened): Promise<void> {
  for (const close of closers) await close()
}

function listenFault({ code }: NodeJS.ErrnoException, { host, port }: Config): ConfigFault {
  const reason = LISTEN_FAULTS[code ?? ''] ?? 'on which the server cannot listen'
  return new ConfigFault([`HOST and PORT are ${host} and ${port}, ${reason} (${code})`])
}
