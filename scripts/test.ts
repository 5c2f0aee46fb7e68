// Runs the tests: each file of tests/ as a process of its own, with a deadline. A file that hangs is killed and named, with its
// last steps and what it waits for; a file that runs no test fails. uvu alone would wait for an open handle for ever, and exit
// successfully when `.run()` was forgotten.
//
//   npm test                              all
//   npm run test -- crawler/robots api    those whose path contains one of the words
//   npm run test -- unit                  those that start no product, browser, engine or test site: seconds
//   --deadline SECONDS                    for every file, instead of the usual
//   --folder PATH                         instead of tests/
//   --again                               run failed files once more at the end, one at a time (the default where CI is set)
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { aptInstall, canInstall } from './apt-get.ts'
import { laneCount } from './lanes.ts'
import { makeMemoryFolder } from './memory-folder.ts'
import { isUnitTest, needsPostgres } from './unit-tests.ts'

type Outcome = { passed: number; failed: number; skipped: number; seconds: number; fault?: string; output: string }
/** The browser commands of a test, and its outcome. */
type Steps = { test: string; lines: string[]; state: 'started' | 'failed' }

const root = fileURLToPath(new URL('..', import.meta.url))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    again: { type: 'boolean', default: Boolean(process.env['CI']) },
    deadline: { type: 'string' },
    folder: { type: 'string', default: join(root, 'tests') },
  },
})
const folder = resolve(values.folder)
const NOT_TESTS = /(^|\/)(support|fixtures)(\/|\.tsx?$)|^corpus\//
const needsBrowser = (file: string) => /^(e2e|renderer)\//.test(file)
// Files that drive a browser or whole crawls take longer, above all on a small machine with several of them at a time. Each browser test also
// has a deadline of its own (`tests/support/suite.ts`).
const deadlineSeconds = (file: string) => Number(values.deadline ?? (needsBrowser(file) ? 900 : 300))

/** Matches part of its path, or the word `unit`. */
function isChosen(file: string, word: string): boolean {
  return word === 'unit' ? isUnitTest(root, folder, file) : file.includes(word.replace(/^tests\//, ''))
}

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts') && !NOT_TESTS.test(file))
  // Slow: only `npm run test:scale` names them.
  .filter((file) => positionals.length > 0 || !file.startsWith('scale/'))
  .filter((file) => positionals.length === 0 || positionals.some((word) => isChosen(file, word)))
  // The slowest first, so that none runs alone at the end.
  .toSorted((a, b) => Number(needsBrowser(b)) - Number(needsBrowser(a)) || a.localeCompare(b))

/** Files at a time. */
const LANES = laneCount({ memoryBytes: process.availableMemory(), processors: availableParallelism() })

/** With more failed files something is generally broken, and running them again only takes time. */
const MOST_AGAIN = 5

/** Steps that are shown of a test that failed or hangs. */
const LAST_STEPS = 25
const LINE_LENGTH = 300
/** Playwright's internal steps, a few per request. */
const UNNAMED_STEP = /^(=>|<=) {2}/
/** Time for a process to write its diagnostic report. */
const REPORT_MS = 3000
const TOTALS_LENGTH = 200
/** Time for a file to end after the totals of its tests when one has failed: that test may not have closed what it opened. */
const END_MS = 3000
// On SIGUSR2, Node writes what it is waiting for.
const REPORTING = [
  '--report-on-signal',
  '--report-signal=SIGUSR2',
  '--report-filename=stderr',
  '--report-compact',
  '--report-exclude-env',
  '--report-exclude-network',
]

// Most objects of a test are garbage soon. With 16 MiB for young objects from the start V8 collects seldom, which saves a tenth of the
// processor time of a file.
const YOUNG_GENERATION = '--min-semi-space-size=16'

// No package is a link. Node looks at each folder of the path of each module otherwise, a tenth of the time to load the API.
const NO_LINKS = '--preserve-symlinks'

// Playwright logs each step on stderr; the steps of failed tests are shown.
const environment: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: '1', DEBUG: 'pw:api', DEBUG_COLORS: '0' }
delete environment['FORCE_COLOR']
// Share compiled code between all processes: compiling takes a third of the processor time of a short file.
environment['NODE_COMPILE_CACHE'] ??= join(root, 'build/compiled')
// If TMPDIR is set, tests write there.
const memoryFolder = process.env['TMPDIR'] ? undefined : makeMemoryFolder()
if (memoryFolder !== undefined) {
  environment['TMPDIR'] = memoryFolder
  process.env['TMPDIR'] = memoryFolder
  process.on('exit', () => rmSync(memoryFolder, { recursive: true, force: true }))
}
const running = new Set<number>()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const pid of running) killGroup(pid)
    process.exit(signal === 'SIGINT' ? 130 : 143)
  })
}

const total = { passed: 0, failed: 0 }
const stopPostgres = await startPostgresFor(files)
if (files.length === 0) {
  console.log(`No test file ${positionals.length ? `matches ${positionals.join(' ')}` : `in ${folder}`}`)
  total.failed = 1
} else if (await browserIsThere()) {
  installRedisWhereMissing()
  const waiting = [...files]
  const failed: { file: string; outcome: Outcome }[] = []
  await Promise.all(Array.from({ length: LANES }, work))
  if (values.again && failed.length > 0 && failed.length <= MOST_AGAIN) await runAgain(failed)

  async function work() {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const outcome = await runFile(file)
      report(file, outcome)
      count(outcome)
      if (outcome.failed > 0) failed.push({ file, outcome })
    }
  }
} else {
  total.failed = 1
}
await stopPostgres()
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed ? 1 : 0

/**
 * Runs failed files once more, alone on the machine, where a correct test that was only starved passes. The second outcome counts. A file
 * that failed once and passed once is listed at the end as flaky, because that is a bug to find.
 */
async function runAgain(failed: readonly { file: string; outcome: Outcome }[]): Promise<void> {
  const flaky: string[] = []
  for (const { file, outcome } of failed) {
    console.log(`Again: ${file}`)
    const second = await runFile(file)
    report(file, second)
    total.passed += second.passed - outcome.passed
    total.failed += second.failed - outcome.failed
    if (second.failed === 0) flaky.push(file)
  }
  if (flaky.length > 0) console.log(`Flaky, failed once and passed once: ${flaky.join(', ')}`)
}

/**
 * Starts one PostgreSQL for all files that need one, and passes it in `TEST_POSTGRES_URL`, unless that is set. Returns a function that
 * stops it.
 */
async function startPostgresFor(chosen: readonly string[]): Promise<() => Promise<void>> {
  const isWanted = process.env['TEST_DATABASE'] === 'postgres' || chosen.some((file) => needsPostgres(root, folder, file))
  if (!isWanted || process.env['TEST_POSTGRES_URL'] !== undefined) return async () => undefined
  const { startPostgres } = await import('#tests/support/stubs/postgres.ts')
  const { stop, url } = await startPostgres()
  environment['TEST_POSTGRES_URL'] = url
  return () => stop()
}

/** Finds a browser once, before the first file that needs it, and passes it in `CHROMIUM_PATH`. */
async function browserIsThere(): Promise<boolean> {
  if (!files.some(needsBrowser)) return true
  try {
    const { browserVersion, findOrInstallBrowser } = await import('./find-browser.ts')
    const path = findOrInstallBrowser()
    environment['CHROMIUM_PATH'] = path
    console.log(`Browser: ${browserVersion(path)} (${path})`)
    return true
  } catch (error) {
    console.log(error instanceof Error ? error.message : String(error))
    return false
  }
}

/** Tests of the adapters for several machines need a Redis or Valkey; without one they fail and say how to get it. */
function installRedisWhereMissing(): void {
  if (process.env['TEST_REDIS_URL'] || !canInstall()) return
  if (['valkey-server', 'redis-server'].some((name) => spawnSync(name, ['--version']).error === undefined)) return
  if (!files.some((file) => readFileSync(join(folder, file), 'utf8').includes('startRedis'))) return
  console.log('No Redis found: installing redis-server by apt-get …')
  aptInstall('redis-server')
}

function runFile(file: string): Promise<Outcome> {
  const startedAt = performance.now()
  const deadlineMs = deadlineSeconds(file) * 1000
  // A process group of its own, so that everything a test started ends with it.
  const child = spawn(process.execPath, [...REPORTING, YOUNG_GENERATION, NO_LINKS, join(folder, file)], {
    cwd: root,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { pid } = child
  if (pid) running.add(pid)
  let output = ''
  let report = ''
  const steps: Steps[] = []
  let isOver = false
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (isOver || !hasTotals(output) || judge(output, undefined).failed === 0) return
    isOver = true
    setTimeout(() => pid && running.has(pid) && killGroup(pid), END_MS).unref()
  })
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.startsWith('{') && line.includes('"reportVersion"')) report = line
    else if (!noteStep(steps, line)) output += `${line}\n`
  })

  return new Promise((done) => {
    let isLate = false
    const deadline = setTimeout(() => {
      isLate = true
      if (!pid) return
      process.kill(pid, 'SIGUSR2')
      setTimeout(() => killGroup(pid), REPORT_MS)
    }, deadlineMs)
    child.on('error', (error) => void (output += `${error}\n`))
    child.on('exit', () => pid && killGroup(pid))
    child.on('close', (code, signal) => {
      clearTimeout(deadline)
      if (pid) running.delete(pid)
      const fault = isLate
        ? `hung: killed after ${deadlineMs / 1000} s`
        : signal && !isOver
          ? `ended by ${signal}`
          : code
            ? `ended with code ${code}`
            : undefined
      const told = [output.trimEnd(), ...steps.map((one) => stepsText(one, isLate)), isLate ? reportText(report) : '']
      done({ ...judge(output, fault), seconds: (performance.now() - startedAt) / 1000, output: told.filter(Boolean).join('\n') })
    })
  })
}

/** Records a line that reports a step of Playwright or of `tests/support/suite.ts`. Drops the steps of passed tests. */
function noteStep(steps: Steps[], line: string): boolean {
  const [, mark, text = ''] = /^\d{4}-\d\d-\d\dT\S+ (test:|passed:|failed:|pw:api) ?(.*)$/.exec(line) ?? []
  if (mark === undefined) return false
  if (mark === 'test:') steps.push({ test: text, lines: [], state: 'started' })
  if (mark === 'passed:') steps.pop()
  if (mark === 'failed:') {
    if (steps.length === 0) steps.push({ test: text, lines: [], state: 'failed' })
    steps.at(-1)!.state = 'failed'
  }
  if (mark !== 'pw:api' || UNNAMED_STEP.test(text)) return true
  if (steps.at(-1)?.state !== 'started') steps.push({ test: 'between the tests', lines: [], state: 'started' })
  const { lines } = steps.at(-1)!
  lines.push(line.slice(0, LINE_LENGTH))
  if (lines.length > LAST_STEPS) lines.shift()
  return true
}

/** The steps of the failed test, or of the one that was running when the file was killed. */
function stepsText({ test, lines, state }: Steps, isLate: boolean): string {
  if (state !== 'failed' && !isLate) return ''
  return [`${state === 'failed' ? 'Failed' : 'Killed'} in “${test}”, after:`, ...lines.map((line) => `  ${line}`)].join('\n')
}

/** What the process was waiting for when it was killed, from Node's diagnostic report. */
function reportText(report: string): string {
  if (report === '') return 'Node gave no report: its event loop was held.'
  let libuv: { type: string; is_active: boolean; [more: string]: unknown }[]
  try {
    ;({ libuv } = JSON.parse(report) as { libuv: typeof libuv })
  } catch {
    return 'Node had not finished its report when it was killed.'
  }
  const open = libuv.filter(({ type, is_active }) => is_active && /^(timer|tcp|udp|pipe|process)$/.test(type))
  return ['Node waited for:', ...open.map((handle) => `  ${handleText(handle)}`)].join('\n')
}

function handleText({ type, ...more }: { type: string; [more: string]: unknown }): string {
  type End = { ip4?: string; port?: number } | null | undefined
  const { localEndpoint, remoteEndpoint, pid, firesInMsFromNow } = more as {
    localEndpoint?: End
    remoteEndpoint?: End
    pid?: number
    firesInMsFromNow?: number
  }
  const place = (end: End) => (end?.port === undefined ? '' : `${end.ip4 ?? ''}:${end.port}`)
  const parts = [place(localEndpoint), place(remoteEndpoint) && `to ${place(remoteEndpoint)}`, pid]
  return [type, ...parts, firesInMsFromNow !== undefined && `due in ${firesInMsFromNow} ms`].filter(Boolean).join(' ')
}

/** Whether uvu has printed its totals: their last line is there. */
function hasTotals(output: string): boolean {
  return /^ {2}Duration: .*\n/m.test(output.slice(-TOTALS_LENGTH))
}

/**
 * The outcome of a file, from the totals that uvu prints last. A test without a pass counts as failed, even if uvu exits successfully, as
 * it does after a `before` hook that threw. A file with an error of its own counts as at least one failure.
 */
function judge(output: string, fault: string | undefined): Pick<Outcome, 'passed' | 'failed' | 'skipped' | 'fault'> {
  const count = (name: string) =>
    Number(
      output
        .match(new RegExp(`^\\s*${name}:\\s+(\\d+)\\s*$`, 'gm'))
        ?.at(-1)
        ?.match(/\d+/)?.[0] ?? 0,
    )
  const tests = count('Total')
  const passed = count('Passed')
  const failed = tests - passed
  const trouble = fault ?? (tests === 0 ? 'runs no test' : undefined)
  return {
    passed,
    failed: trouble ? Math.max(1, failed) : failed,
    skipped: count('Skipped'),
    ...(trouble && failed === 0 ? { fault: trouble } : {}),
  }
}

function count({ passed, failed }: Outcome) {
  total.passed += passed
  total.failed += failed
}

function report(file: string, { passed, failed, skipped, seconds, fault, output }: Outcome) {
  const counts = [fault, failed && !fault ? `${failed} failed` : '', `${passed} passed`, skipped ? `${skipped} skipped` : '']
    .filter(Boolean)
    .join(', ')
  console.log(`${failed ? 'FAIL' : 'ok  '} ${relative(root, join(folder, file))}  ${counts}  ${seconds.toFixed(1)} s`)
  if (failed) console.log(output.trimEnd().replace(/^/gm, '     | '))
}

function killGroup(pid: number) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The process group has ended already.
  }
}
