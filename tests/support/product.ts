/** The product itself, as `npm start` runs it, on a free port and over a data directory of its own; installed and ready to sign in. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { install } from '#contract/accounts.ts'

export const OWNER = { email: 'ana@example.org', password: 'Correct-Horse-7!' }

const root = fileURLToPath(new URL('../..', import.meta.url))
const READY_MS = 30_000

/** Starts it with loopback allowed to be crawled; `environment` sets further options, `installed: false` leaves the install screen to the test. */
export async function startProduct(environment: Record<string, string> = {}, { installed = true }: { installed?: boolean } = {}) {
  if (!existsSync(join(root, 'build/web/index.html'))) await (await import('../../scripts/build.ts')).buildPage()
  const dataDir = mkdtempSync(join(tmpdir(), 'seine-e2e-'))
  const child = spawn(process.execPath, [join(root, 'gateway/main.ts')], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      EGRESS_ALLOW: '127.0.0.1',
      LOG_LEVEL: 'error',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line))
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready in time: ${said.join('\n')}`)), READY_MS)
    void exited.then(() => reject(new Error(`it ended: ${said.join('\n')}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      said.push(line)
      const address = / is ready: (\S+)$/.exec(line)?.[1]
      if (address === undefined) return
      clearTimeout(timer)
      resolve(address)
    })
  })
  if (installed) await installAt(url)
  return {
    url,
    async close() {
      child.kill('SIGTERM')
      await exited
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function installAt(url: string) {
  const reply = await fetch(url + install.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(OWNER),
  })
  if (reply.status !== 204) throw new Error(`install was answered ${reply.status}`)
}
