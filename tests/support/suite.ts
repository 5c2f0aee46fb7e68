/**
 * uvu suites with deadlines. uvu itself waits for ever, and prints why a test failed only after the last test of the file. Here
 * each test and hook has a deadline, a failing test prints at once what its pages and servers last did, and what a test or a file has
 * opened is closed at its end.
 */
import { suite as unboundedSuite } from 'uvu'
import type { Callback, Test } from 'uvu'

/** Enough for the longest browser test on a machine with five other processes. */
const TEST_SECONDS = 180
/** Hooks start and stop servers and browsers, which have shorter bounds of their own. */
const HOOK_SECONDS = 60

const evidence = new Set<() => readonly string[]>()
type End = () => void | Promise<void>
/** What the file has opened for all its tests, and what the current test has opened. */
const endsOfFile: End[] = []
let endsOfTest: End[] | null = null
let unfinishedSuites = 0

/**
 * A suite like uvu's own.
 *
 * @param seconds  after which a test that still waits has failed
 */
export function suite(title: string, { seconds = TEST_SECONDS }: { seconds?: number } = {}): Test {
  const tests = unboundedSuite(title)
  unfinishedSuites += 1
  const bounded = (name: string, test: Callback): Callback => test && (() => runTest(name, test, seconds))
  const hook = (name: string, work: Callback): Callback => {
    return () => within(HOOK_SECONDS, `${title}: ${name}`, async () => work({ __suite__: title, __test__: '' })).catch(failed(name))
  }
  const add = (name: string, test: Callback) => tests(name, bounded(name, test))
  return Object.assign(add, {
    only: (name: string, test: Callback) => tests.only(name, bounded(name, test)),
    skip: tests.skip,
    before: Object.assign((work: Callback) => tests.before(hook('before', work)), {
      each: (work: Callback) => tests.before.each(hook('before each', work)),
    }),
    after: Object.assign((work: Callback) => tests.after(hook('after', work)), {
      each: (work: Callback) => tests.after.each(hook('after each', work)),
    }),
    run() {
      // The last of the hooks.
      tests.after(async () => {
        unfinishedSuites -= 1
        if (unfinishedSuites === 0) await closeAll(endsOfFile, title)
      })
      tests.run()
    },
  })

  async function runTest(name: string, test: Callback, limit: number) {
    const ends: End[] = []
    endsOfTest = ends
    step(`test: ${name}`)
    try {
      await within(limit, `the test “${name}”`, async () => test({ __suite__: title, __test__: name }))
      step(`passed: ${name}`)
    } catch (error) {
      failed(name)(error)
    } finally {
      endsOfTest = null
      await closeAll(ends, name)
    }
  }
}

/**
 * Waits for the work, with a deadline.
 *
 * @param what  is awaited, for the message
 * @param seen  tells what there was instead, for the message
 * @throws an Error that names what was awaited, when it takes longer than `seconds`; what the work throws
 */
export async function within<T>(seconds: number, what: string, work: () => Promise<T>, seen: () => string = () => ''): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error([`${what} took longer than ${seconds} s`, seen()].filter(Boolean).join('\n'))),
    seconds * 1000,
  )
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Makes a failing test print these lines: what a page or a server last did. Returns how to stop that. */
export function addEvidence(lines: () => readonly string[]): () => void {
  evidence.add(lines)
  return () => void evidence.delete(lines)
}

/** Calls this when the current test has ended, however it ends; outside of tests, when the last suite of the file has ended. */
export function atEnd(work: End): void {
  ;(endsOfTest ?? endsOfFile).push(work)
}

/** What a test opens here is closed at the end of the file, because later tests use it. */
export async function untilEndOfFile<T>(open: () => Promise<T>): Promise<T> {
  const ends = endsOfTest
  endsOfTest = null
  try {
    return await open()
  } finally {
    endsOfTest = ends
  }
}

/** Returns the function that closes something. It runs once: when it is called, or `atEnd`. */
export function closedAtEnd(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | undefined
  const once = () => (closing ??= close())
  atEnd(once)
  return once
}

/** What was opened last is closed first. What cannot be closed is an error at the end, when the rest is closed. */
async function closeAll(ends: readonly End[], what: string) {
  const errors: unknown[] = []
  for (const end of ends.toReversed())
    await within(HOOK_SECONDS, `the end of “${what}”`, async () => end()).catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw new Error(errors.map(String).join('\n'), { cause: errors[0] })
}

/** A line for the test runner, which shows the last ones of a test that fails or hangs. */
const step = (line: string) => process.stderr.write(`${new Date().toISOString()} ${line}\n`)

const failed = (name: string) => (error: unknown) => {
  step(`failed: ${name}`)
  const lines = [...evidence].flatMap((one) => one())
  process.stderr.write([`\n${name}`, String(error), ...lines].map((line) => line.replace(/^/gm, '    ')).join('\n') + '\n')
  throw error
}
