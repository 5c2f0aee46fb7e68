/**
 * Runs one child process: starts it, restarts it when it has died, kills it when it stops answering, and ends it.
 *
 * A child that cannot be started, for lack of memory or processes, counts as one that has died: it is started again after a pause, and this
 * process goes on. A stopped or endlessly busy child would keep its locks for ever, so silence ends it.
 */
import type { ChildProcess } from 'node:child_process'
import type { LogLine } from './parent-log.ts'

/** How the last child ended: killed from outside (by an operator, or for lack of memory), or failed by itself. */
export type Death = { wasKilled: boolean }

export type ChildLog = Record<LogLine['level'], (facts: object, message: string) => void>

type ChildHost<To> = {
  /** Starts the child, unless it runs or is about to be restarted. `waitMs` delays that. */
  start(waitMs?: number): void
  /** Sends a message to the running child; it is not kept for the next one. */
  say(message: To): void
  /** Declares the next exit as expected, whatever its code. */
  expectEnd(): void
  readonly isRunning: boolean
  /** It has died several times in a row, each time soon after its start: until one lives for a while, it does no work. */
  readonly isFailing: boolean
  /** Call when this process is about to end: nothing is started from now on, and no exit counts as a death. */
  retire(): void
  /** Ends the child for good: sends `farewell`, and kills it after `graceMs`; without a farewell, at once. */
  close(farewell?: { message: To; graceMs: number }): Promise<void>
}

const WATCH_MS = 1000
/** So many deaths in a row are no accident. */
const FAILING_AFTER = 3
/** Node's exit code for an unknown flag. Source: nodejs.org/api/process.html#exit-codes */
const UNKNOWN_FLAG = 9
/** Until its first message a child loads its code, which takes long on a busy machine. */
const LOADING_TICKS = 60

/**
 * @param name       of the child in log lines: `the engine`
 * @param spawn      starts the process; may throw. Gets `withFlags` false after a child whose Node rejected the V8 flags
 * @param greeting   the first message to each child
 * @param onMessage  called with all its messages, except its log
 * @param onEnd      called when it has ended normally
 * @param onDeath    called when it has died or could not be started; the restart is automatic
 * @param silentMs   a child without a message for so many milliseconds is killed, so it must send one more often
 */
export function childHost<To extends object, From extends { type: string }>(needs: {
  name: string
  spawn: (withFlags: boolean) => ChildProcess
  greeting: (after: Death | null) => To
  onMessage: (message: Exclude<From, LogLine>) => void
  onEnd: () => void
  onDeath?: () => void
  firstBackOffMs?: number
  longestBackOffMs: number
  healthyMs?: number
  silentMs: number
  log: ChildLog
}): ChildHost<To> {
  const { firstBackOffMs = 1000, greeting, healthyMs = 60_000, log, longestBackOffMs, name, onDeath, onEnd, onMessage, silentMs } = needs
  let child: ChildProcess | null = null
  let timer: NodeJS.Timeout | undefined
  let isClosing = false
  let isEndExpected = false
  let withFlags = true
  let faults = 0
  let spawnedAt = 0
  let death: Death | null = null
  return {
    start,
    say,
    expectEnd: () => {
      isEndExpected = true
    },
    get isRunning() {
      return child !== null
    },
    get isFailing() {
      return faults >= FAILING_AFTER && (child === null || performance.now() - spawnedAt <= healthyMs)
    },
    retire: () => {
      isClosing = true
    },
    close,
  }

  function start(waitMs = 0) {
    if (child !== null || timer !== undefined || isClosing) return
    if (waitMs === 0) return spawnNow()
    timer = setTimeout(() => {
      timer = undefined
      spawnNow()
    }, waitMs)
    timer.unref()
  }

  function spawnNow() {
    const startedAt = performance.now()
    spawnedAt = startedAt
    let started: ChildProcess
    isEndExpected = false
    try {
      started = needs.spawn(withFlags)
    } catch (fault) {
      return died(startedAt, { err: fault }, { wasKilled: false })
    }
    child = started
    let silentTicks = -(LOADING_TICKS - Math.ceil(silentMs / WATCH_MS))
    // Counts ticks rather than time, so that sleep of this process or of the machine does not count.
    const watch = setInterval(() => {
      silentTicks += 1
      if (silentTicks * WATCH_MS < silentMs) return
      log.error({ pid: started.pid, silentMs }, `${name} does not answer and is killed`)
      started.kill('SIGKILL')
    }, WATCH_MS)
    watch.unref()
    started.on('message', (message: From | LogLine) => {
      silentTicks = 0
      if (isLogLine(message)) log[message.level](withError(message.facts), message.message)
      else onMessage(message as Exclude<From, LogLine>)
    })
    let hasSpoken = false
    started.once('message', () => (hasSpoken = true))
    let isOver = false
    const over = (ended: boolean, facts: object, how: Death) => {
      if (isOver) return
      isOver = true
      clearInterval(watch)
      child = null
      if (isClosing) return
      if (ended) {
        faults = 0
        death = null
        onEnd()
      } else died(startedAt, facts, how)
    }
    started.on('error', (fault) => {
      // With a process an exit will follow: this was a message that could not be sent, or a signal.
      if (started.pid === undefined) over(false, { err: fault }, { wasKilled: false })
      else log.warn({ err: fault, pid: started.pid }, `${name} could not be reached`)
    })
    started.once('exit', (code, signal) => {
      if (code === UNKNOWN_FLAG && !hasSpoken && withFlags) return refusedFlags()
      over(
        code === 0 || isEndExpected,
        { code, signal },
        { wasKilled: signal === 'SIGKILL' || signal === 'SIGTERM' || signal === 'SIGINT' },
      )
    })
    say(greeting(death))

    // The flags save time and memory, but are not needed.
    function refusedFlags() {
      isOver = true
      clearInterval(watch)
      child = null
      withFlags = false
      log.warn({ node: process.version }, `${name} runs without its V8 flags: this version of Node does not know one of them`)
      if (!isClosing) spawnNow()
    }
  }

  function died(startedAt: number, facts: object, how: Death) {
    death = how
    faults = performance.now() - startedAt > healthyMs ? 1 : faults + 1
    const waitMs = Math.min(firstBackOffMs * 2 ** (faults - 1), longestBackOffMs)
    log.error({ ...facts, waitMs }, `${name} died or could not be started; it is started again`)
    onDeath?.()
    start(waitMs)
  }

  function say(message: To) {
    // Not to a child that has just died, whose exit event is about to come.
    if (child?.connected) child.send(message, () => undefined)
  }

  async function close(farewell?: { message: To; graceMs: number }) {
    isClosing = true
    clearTimeout(timer)
    const closing = child
    if (closing === null || closing.pid === undefined || closing.exitCode !== null || closing.signalCode !== null) return
    const exited = new Promise<void>((resolve) => closing.once('exit', () => resolve()))
    if (farewell !== undefined) say(farewell.message)
    const force = setTimeout(() => closing.kill('SIGKILL'), farewell?.graceMs ?? 0)
    await exited
    clearTimeout(force)
  }
}

const isLogLine = (message: { type: string }): message is LogLine => message.type === 'log'

/** Log lines name an error by its class; an error that came as a plain object has only its name. */
function withError({ err, ...facts }: LogLine['facts']): object {
  if (typeof err !== 'object' || err === null) return err === undefined ? facts : { ...facts, err }
  return { ...facts, err: Object.assign(Object.create(null) as object, err) }
}
