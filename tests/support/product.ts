/** The product itself, as `npm start` runs it, on a free port and over a data directory of its own; installed and ready to sign in. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { confirmPrivacyTerms, install, login } from '#contract/accounts.ts'
import { START } from '../../scripts/start-command.ts'

export const OWNER = { email: 'ana@example.org', password: 'Correct-Horse-7!' }

const root = fileURLToPath(new URL('../..', import.meta.url))
const READY_MS = 30_000

/**
 * Starts it with loopback allowed to be crawled; `environment` sets further options.
 *
 * @param installed  `false` leaves the install screen to the test
 * @param confirmed  `false` leaves the owner before the privacy and terms dialog
 */
export async function startProduct(
  environment: Record<string, string> = {},
  { installed = true, confirmed = true }: { installed?: boolean; confirmed?: boolean } = {},
) {
  for (const [made, script] of [
    ['build/web/index.html', 'build.ts'],
    ['build/server/main.js', 'build-server.ts'],
  ] as const)
    if (!existsSync(join(root, made))) execFileSync(process.execPath, [join(root, 'scripts', script)])
  const dataDir = mkdtempSync(join(tmpdir(), 'seine-e2e-'))
  const child = spawn(process.execPath, [...START.flags, START.file], {
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
  if (installed) await post(url + install.path, OWNER)
  if (installed && confirmed) await confirmTexts(url, OWNER)
  return {
    url,
    /** Of the server's process. */
    pid: child.pid!,
    dataDir,
    /** Lines of its outputs so far. */
    said,
    async close() {
      child.kill('SIGTERM')
      await exited
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Confirms privacy policy and terms for somebody who would otherwise be asked at the first visit. */
export async function confirmTexts(url: string, account: { email: string; password: string }) {
  const { access } = (await (await post(url + login.path, account)).json()) as { access: string }
  await post(url + confirmPrivacyTerms.path, {}, { authorization: `Bearer ${access}` })
}

async function post(address: string, body: unknown, headers: Record<string, string> = {}) {
  const reply = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`${address} was answered ${reply.status}`)
  return reply
}
