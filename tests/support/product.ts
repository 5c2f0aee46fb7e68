/** The product itself, as `npm start` runs it, on a free port and over a data directory of its own; installed and ready to sign in. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { confirmPrivacyTerms, install, login } from '#contract/accounts.ts'
import { freePort } from '#tests/support/stubs/path-proxy.ts'
import { addEvidence, closedAtEnd, within } from '#tests/support/suite.ts'
import { START } from '../../scripts/start-command.ts'

export const OWNER = { email: 'ana@example.org', password: 'Correct-Horse-7!' }

const root = fileURLToPath(new URL('../..', import.meta.url))
/** `TEST_GATEWAY=proxy` puts a gateway process in front of the product, and tests call only that. */
const OVER_GATEWAY = process.env['TEST_GATEWAY'] === 'proxy'
/** A machine that runs other tests may take this long for a start, a stop or an answer. */
const READY_SECONDS = 45
const CLOSE_SECONDS = 30
const ANSWER_SECONDS = 30
const BUILD_SECONDS = 120
/** Lines of the log shown when a test fails. */
const LAST_LINES = 15

/**
 * Starts it with loopback allowed to be crawled; `environment` sets further options.
 *
 * @param installed  `false` leaves the install screen to the test
 * @param confirmed  `false` leaves the owner before the privacy and terms dialog
 * @param node       the Node that runs it; this one by default
 */
export async function startProduct(
  environment: Record<string, string> = {},
  { installed = true, confirmed = true, node = process.execPath }: { installed?: boolean; confirmed?: boolean; node?: string } = {},
) {
  for (const [made, script] of [
    ['build/web/index.html', 'build.ts'],
    ['build/server/main.js', 'build-server.ts'],
  ] as const)
    if (!existsSync(join(root, made))) execFileSync(process.execPath, [join(root, 'scripts', script)], { timeout: BUILD_SECONDS * 1000 })
  const dataDir = mkdtempSync(join(tmpdir(), 'seine-e2e-'))
  const said: string[] = []
  // Behind a gateway the backend gets the callers' addresses from a trusted proxy, and its public URL from an option.
  const [port, behind] = OVER_GATEWAY ? [await freePort(), await freePort()] : [0, 0]
  const backend = await startProcess(
    node,
    {
      DATA_DIR: dataDir,
      ...(port > 0 && { TRUST_PROXY: '127.0.0.1', PORT: String(behind), PUBLIC_URL: `http://127.0.0.1:${port}` }),
      ...environment,
    },
    said,
  )
  const gateway = OVER_GATEWAY
    ? await startProcess(node, { ...environment, PORT: String(port), BACKEND_URL: `http://127.0.0.1:${behind}` }, said).catch(
        async (error: unknown) => {
          await backend.close()
          throw error
        },
      )
    : null
  const { url } = gateway ?? backend
  if (installed) await post(url + install.path, OWNER)
  if (installed && confirmed) await confirmTexts(url, OWNER)
  return {
    url,
    /** The process of the server; behind a gateway that of the backend. */
    pid: backend.pid,
    dataDir,
    /** Lines of its outputs so far. */
    said,
    close: closedAtEnd(async () => {
      try {
        await gateway?.close()
      } finally {
        await backend.close()
      }
      rmSync(dataDir, { recursive: true, force: true })
    }),
  }
}

/** Starts one process of the product and waits until it logs its URL. Adds lines of its output to `said`. */
async function startProcess(node: string, environment: Record<string, string>, said: string[]) {
  const child = spawn(node, [...START.flags, START.file], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOST: '127.0.0.1',
      PORT: '0',
      EGRESS_ALLOW: '127.0.0.1',
      LOG_LEVEL: 'error',
      // No browser renders pages, even if the machine has one, unless a test wants one.
      CHROMIUM_PATH: 'none',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const mine: string[] = []
  const note = (line: string) => {
    said.push(line)
    mine.push(line)
  }
  createInterface({ input: child.stderr }).on('line', note)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.once('exit', (code, signal) => mine.push(`its process ended by ${signal ?? `itself, with code ${code}`}`))
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const tail = () => [`the server, process ${child.pid}, said at last:`, ...mine.slice(-LAST_LINES).map((line) => `  ${line}`)]
  const forget = addEvidence(tail)
  const ready = new Promise<string>((resolve, reject) => {
    void exited.then(() => reject(new Error(`it ended: ${mine.join('\n')}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      note(line)
      const at = / is ready: (\S+)$/.exec(line)?.[1]
      if (at !== undefined) resolve(at)
    })
  })
  const url = await within(
    READY_SECONDS,
    'the start of the server',
    () => ready,
    () => tail().join('\n'),
  ).catch((error: unknown) => {
    kill()
    throw error
  })
  return {
    url,
    pid: child.pid!,
    async close() {
      forget()
      child.kill('SIGTERM')
      try {
        await within(
          CLOSE_SECONDS,
          'the end of the server after SIGTERM',
          () => exited,
          () => tail().join('\n'),
        )
      } finally {
        kill()
        process.off('exit', kill)
      }
    },
  }
}

/** Confirms privacy policy and terms for a user who would otherwise be asked at the first visit. */
async function confirmTexts(url: string, account: { email: string; password: string }) {
  const { access } = (await (await post(url + login.path, account)).json()) as { access: string }
  await post(url + confirmPrivacyTerms.path, {}, { authorization: `Bearer ${access}` })
}

async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_SECONDS * 1000),
  })
  if (!reply.ok) throw new Error(`${url} was answered ${reply.status}`)
  return reply
}
