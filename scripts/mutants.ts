// Mutation tests: do the tests notice a small bug in the rules that matter? Each mutant is the product with one such bug. The tests of its
// module must fail ("killed"), or never end, which counts too. A survivor means that a test is missing, or that the mutant is equal to the
// original: then `mutants/equal.json` says why.
//
//   npm run mutants                        all rules; minutes for each
//   npm run mutants -- robots scope        these rules
//   --seconds N                            stop after N seconds; the next run continues there
//   --again                                forget earlier verdicts
//   --jobs N                               mutants at once (default: the processors)
//
// Verdicts are kept in build/mutants.json. A verdict is valid until the module changes; a survivor is tried again when the tests have changed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { mutantsOf } from './mutants/operators.ts'
import type { Mutant } from './mutants/operators.ts'
import { TARGETS } from './mutants/targets.ts'
import type { Target } from './mutants/targets.ts'

/** Killed by a test, by a test that did not end, or alive. */
type Verdict = 'killed' | 'endless' | 'alive'
/** `tests`: a hash of the tests when it stayed alive. */
type Known = Record<string, { verdict: Verdict; tests: string }>
/** A mutant that behaves like the original, and why. */
type Equal = { module: string; text: string; change: string; why: string }

const root = fileURLToPath(new URL('..', import.meta.url))
const VERDICTS = join(root, 'build/mutants.json')
const EQUAL = join(root, 'scripts/mutants/equal.json')
/** A test counts as endless after this many times its usual duration, plus some seconds. */
const PATIENCE = 4
const GRACE_MS = 5000
/** Required share of killed mutants per rule, without equal ones. */
const LEAST_KILLED = 0.9

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string' }, again: { type: 'boolean', default: false }, jobs: { type: 'string' } },
})
const stopAt = performance.now() + Number(values.seconds ?? Infinity) * 1000
const isOver = () => performance.now() > stopAt
const known: Known = !values.again && existsSync(VERDICTS) ? JSON.parse(readFileSync(VERDICTS, 'utf8')) : {}
const equal = JSON.parse(readFileSync(EQUAL, 'utf8')) as Equal[]
const scratch = mkdtempSync(join(tmpdir(), 'mutants-'))
const tables: { rule: string; lines: string[]; isEnough: boolean }[] = []
try {
  for (const target of TARGETS) {
    if (positionals.length === 0 || positionals.some((word) => target.rule.includes(word))) await judge(target)
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
for (const { lines } of tables) console.log(lines.join('\n'))
process.exitCode = tables.length > 0 && tables.every(({ isEnough }) => isEnough) ? 0 : 1

async function judge(target: Target): Promise<void> {
  const { modules, tests } = target
  const testsNow = digest(tests.map((test) => readFileSync(testPath(test), 'utf8')).join())
  const mutants = modules.flatMap((module) => {
    const source = readFileSync(join(root, module), 'utf8')
    const counts = new Map<string, number>()
    return mutantsOf(source).map((mutant) => {
      const name = `${module} ${mutant.text} ${mutant.change}`
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      return { ...mutant, module, key: `${digest(source)} ${digest(`${name} ${count}`)}` }
    })
  })
  const isOpen = ({ key }: { key: string }) => {
    const found = known[key]
    return found === undefined || (found.verdict === 'alive' && found.tests !== testsNow)
  }
  const waiting = mutants.filter(isOpen)
  if (waiting.length > 0 && !isOver()) {
    mkdirSync(dirname(VERDICTS), { recursive: true })
    const usual = await usualTimes(tests)
    const workers = Number(values.jobs ?? availableParallelism())
    await Promise.all(
      Array.from({ length: workers }, async (_, worker) => {
        for (let mutant = waiting.shift(); mutant && !isOver(); mutant = waiting.shift()) {
          const verdict = await verdictOn(mutant, mutant.module, tests, usual, join(scratch, `${worker}.js`))
          known[mutant.key] = { verdict, tests: testsNow }
          // Saved after each mutant, so that an interrupted run continues here.
          writeFileSync(VERDICTS, JSON.stringify(known))
        }
      }),
    )
  }
  tables.push(tableOf(target, mutants, isOpen))
}

function tableOf(
  { modules, rule }: Target,
  mutants: readonly (Mutant & { module: string; key: string })[],
  isOpen: (mutant: { key: string }) => boolean,
) {
  const open = mutants.filter(isOpen).length
  const alive = mutants.filter((mutant) => !isOpen(mutant) && known[mutant.key]?.verdict === 'alive')
  const killed = mutants.length - open - alive.length
  const reasons = alive.map(
    ({ module, text, change }) => equal.find((one) => one.module === module && one.text === text && one.change === change)?.why,
  )
  const explained = reasons.filter((why) => why !== undefined).length
  const share = killed / Math.max(1, mutants.length - open - explained)
  const unexplained = reasons.filter((why) => why === undefined).length
  const stale = equal.filter(
    (one) =>
      modules.includes(one.module) &&
      open === 0 &&
      !alive.some(({ module, text, change }) => one.module === module && one.text === text && one.change === change),
  )
  return {
    rule,
    isEnough: open === 0 && share >= LEAST_KILLED && unexplained === 0 && stale.length === 0,
    lines: [
      `${rule}: ${mutants.length} mutants, ${killed} killed (${(share * 100).toFixed(1)} % of those that are not equal), ${explained} equal, ${unexplained} alive${open > 0 ? `, ${open} not tried yet` : ''}`,
      ...alive.map(
        ({ module, line, text, change }, index) =>
          `  ${module}:${line}  ${change}  |  ${text}${reasons[index] ? `\n      equal: ${reasons[index]}` : ''}`,
      ),
      ...stale.map(({ module, text, change }) => `  equal.json names one that is killed or not there: ${module}  ${change}  |  ${text}`),
    ],
  }
}

/** Milliseconds of each test file without a mutant. Throws when one fails. */
async function usualTimes(tests: readonly string[]): Promise<Map<string, number>> {
  const usual = new Map<string, number>()
  for (const test of tests) {
    const startedAt = performance.now()
    if ((await run(test, {}, 600_000)) !== 'alive') throw new Error(`tests/${test}.ts fails without a mutant`)
    usual.set(test, performance.now() - startedAt)
  }
  return usual
}

async function verdictOn(
  mutant: Mutant,
  module: string,
  tests: readonly string[],
  usual: ReadonlyMap<string, number>,
  file: string,
): Promise<Verdict> {
  writeFileSync(file, mutant.source)
  for (const test of tests) {
    const environment = { MUTANT_FILE: pathToFileURL(join(root, module)).href, MUTANT_SOURCE: file }
    const verdict = await run(test, environment, (usual.get(test) ?? 0) * PATIENCE + GRACE_MS)
    if (verdict !== 'alive') return verdict
  }
  return 'alive'
}

function run(test: string, environment: Record<string, string>, deadlineMs: number): Promise<Verdict> {
  const preload = 'MUTANT_FILE' in environment ? ['--import', pathToFileURL(join(root, 'scripts/mutants/load-mutant.ts')).href] : []
  const child = spawn(process.execPath, [...preload, testPath(test)], {
    cwd: root,
    env: { ...process.env, NODE_COMPILE_CACHE: join(root, 'build/compiled'), ...environment },
    // A process group of its own, so that everything the test started ends with it.
    detached: true,
    stdio: 'ignore',
  })
  const end = () => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }
  return new Promise((done, failed) => {
    let isLate = false
    const deadline = setTimeout(() => {
      isLate = true
      end()
    }, deadlineMs)
    child.on('error', failed)
    child.on('exit', (code) => {
      clearTimeout(deadline)
      end()
      done(isLate ? 'endless' : code === 0 ? 'alive' : 'killed')
    })
  })
}

function testPath(test: string): string {
  return join(root, 'tests', `${test}.ts`)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}
