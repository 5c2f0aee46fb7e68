/** A held child process: what happens when it cannot be started, crashes, hangs or logs. The children are small programs of this test. */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { childHost } from '#backend/platform/child-host.ts'
import type { Death } from '#backend/platform/child-host.ts'
import { until as untilTrue } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const folder = temporaryFolder('seine-child-')
const program = join(folder, 'child.mjs')
const parentLog = new URL('../../backend/platform/parent-log.ts', import.meta.url).href
writeFileSync(
  program,
  `import { logToParent } from ${JSON.stringify(parentLog)}
process.on('disconnect', () => process.exit(0))
process.on('message', (message) => {
  if (message.type === 'log something') logToParent('child').error({ run: 'r1', err: Object.assign(new TypeError('odd'), { code: 'E_ODD' }) }, 'it happened')
  else if (message.type === 'die') process.exit(3)
  else if (message.type === 'end') process.exit(0)
  else process.send({ type: 'echo', message })
})
setInterval(() => process.send({ type: 'alive' }), 100)
`,
)

type ToChild = { type: string; after?: Death | null }
type FromChild = { type: 'echo'; message: ToChild } | { type: 'alive' }

const host = suite('a child process and its host')
// A pause before the next start keeps no process alive; here nothing else does.
const alive = setInterval(() => undefined, 1000)
host.after(() => {
  clearInterval(alive)
})

function held({
  spawn = () => fork(program, { execArgv: [] }),
  healthyMs,
  silentMs = 20_000,
}: { spawn?: (withFlags: boolean) => ChildProcess; healthyMs?: number; silentMs?: number } = {}) {
  const seen: Record<string, unknown>[] = []
  const lookers = new Set<() => void>()
  const note = (what: Record<string, unknown>) => {
    seen.push(what)
    for (const look of lookers) look()
  }
  const spawned: ChildProcess[] = []
  const at = (level: string) => (facts: object, message: string) => note({ level, facts, message })
  const child = childHost<ToChild, FromChild>({
    name: 'the child',
    spawn: (withFlags) => {
      const started = spawn(withFlags)
      spawned.push(started)
      return started
    },
    greeting: (after) => ({ type: 'hello', after }),
    onMessage: (message) => message.type === 'echo' && note({ echo: message.message }),
    onEnd: () => note({ ended: true }),
    firstBackOffMs: 10,
    longestBackOffMs: 40,
    ...(healthyMs !== undefined && { healthyMs }),
    silentMs,
    log: { info: at('info'), warn: at('warn'), error: at('error') },
  })
  const until = (holds: (what: Record<string, unknown>) => boolean, times = 1) =>
    new Promise<Record<string, unknown>>((resolve) => {
      const look = () => {
        const found = seen.filter(holds)
        if (found.length < times) return
        lookers.delete(look)
        resolve(found.at(-1)!)
      }
      lookers.add(look)
      look()
    })
  return { child, seen, spawned, until }
}

const isHello = (what: Record<string, unknown>) => (what['echo'] as ToChild | undefined)?.type === 'hello'

host('house bug 4: a start that throws, or reports an error without an exit, is retried until one succeeds', async () => {
  let starts = 0
  const { child, seen, until } = held({
    spawn: () => {
      starts += 1
      if (starts === 1) throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' })
      if (starts > 3) return fork(program, { execArgv: [] })
      // As Node gives it back when the system has no more processes: no pid, an error on the next tick, and no exit ever.
      const never = Object.assign(new EventEmitter(), { pid: undefined, connected: false }) as unknown as ChildProcess
      process.nextTick(() => never.emit('error', Object.assign(new Error('spawn EAGAIN'), { code: 'EAGAIN' })))
      return never
    },
  })
  child.start()
  await until(isHello)
  assert.is(starts, 4)
  const told = seen
    .filter(({ level }) => level === 'error')
    .map(({ facts }) => ((facts as { err: Error }).err as NodeJS.ErrnoException).code)
  assert.equal(told, ['ENOMEM', 'EAGAIN', 'EAGAIN'])
  await child.close()
})

host('a child whose Node does not know a V8 flag is started without flags, with a warning and without a crash', async () => {
  const { child, seen, spawned, until } = held({
    spawn: (withFlags) =>
      fork(program, { execArgv: withFlags ? ['--no-such-flag-of-v8=7'] : [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }),
  })
  child.start()
  assert.equal((await until(isHello))['echo'], { type: 'hello', after: null })
  assert.is(spawned.length, 2)
  assert.equal(
    seen.filter(({ level }) => level !== undefined).map(({ level, message }) => [level, message]),
    [['warn', 'the child runs without its V8 flags: this version of Node does not know one of them']],
  )
  // The next one is not given them either.
  child.say({ type: 'die' })
  await until(isHello, 2)
  assert.is(spawned.length, 3)
  await child.close()
})

host('a crashed child is restarted and told how its predecessor crashed; a child that exits by itself is not restarted', async () => {
  const { child, seen, spawned, until } = held()
  child.start()
  assert.equal((await until(isHello))['echo'], { type: 'hello', after: null })
  child.say({ type: 'die' })
  assert.equal((await until(isHello, 2))['echo'], { type: 'hello', after: { wasKilled: false } })
  spawned.at(-1)?.kill('SIGKILL')
  assert.equal((await until(isHello, 3))['echo'], { type: 'hello', after: { wasKilled: true } })
  child.say({ type: 'end' })
  await until(({ ended }) => ended === true)
  assert.not(child.isRunning)
  assert.is(spawned.length, 3)
  assert.is(seen.filter(({ message }) => /died or could not/.test(String(message))).length, 2)
  await child.close()
})

host('a child that dies again and again is failing, until one lives for a while or ends by itself', async () => {
  const { child, until } = held({ healthyMs: 500 })
  child.start()
  for (let deaths = 0; deaths < 3; deaths += 1) {
    await until(isHello, deaths + 1)
    assert.not(child.isFailing, `after ${deaths} deaths`)
    child.say({ type: 'die' })
  }
  await until(isHello, 4)
  assert.ok(child.isFailing)
  await untilTrue(() => !child.isFailing)
  child.say({ type: 'end' })
  await until(({ ended }) => ended === true)
  assert.not(child.isFailing)
  await child.close()
})

host('O7: a frozen child is killed and replaced', async () => {
  const { child, spawned, until } = held({ silentMs: 2000 })
  child.start()
  await until(isHello)
  spawned[0]?.kill('SIGSTOP')
  assert.equal((await until(isHello, 2))['echo'], { type: 'hello', after: { wasKilled: true } })
  assert.is(spawned[0]?.signalCode, 'SIGKILL')
  await child.close({ message: { type: 'end' }, graceMs: 5000 })
  assert.is(spawned[1]?.exitCode, 0, 'the farewell was heard')
})

host('O14: a child that a signal to the whole group ends has not crashed, and is not restarted', async () => {
  const { child, seen, spawned, until } = held()
  child.start()
  await until(isHello)
  child.retire()
  spawned[0]?.kill('SIGTERM')
  await once(spawned[0]!, 'exit')
  await child.close()
  child.start()
  assert.is(spawned.length, 1)
  assert.equal(
    seen.filter(({ level }) => level !== undefined),
    [],
    'the log says nothing of it',
  )
})

host('O11: log lines of a child reach the log of the parent with their module, fields and errors', async () => {
  const { child, until } = held()
  child.start()
  child.say({ type: 'log something' })
  const { level, facts, message } = await until(({ message }) => message === 'it happened')
  assert.equal([level, message], ['error', 'it happened'])
  const { err, part, run } = facts as { err: { name: string; message: string; code: string; stack: string }; part: string; run: string }
  assert.equal([part, run, err.name, err.message, err.code], ['child', 'r1', 'TypeError', 'odd', 'E_ODD'])
  assert.match(err.stack, /child\.mjs/)
  await child.close()
})

host.run()
