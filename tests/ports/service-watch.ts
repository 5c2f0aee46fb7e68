import { setTimeout as wait } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createServiceWatch } from '#backend/platform/service-watch.ts'
import type { AskService } from '#backend/platform/service-watch.ts'

const watching = suite('watch of a service')
const EVERY_MS = 30_000

function watch(ask: AskService | null) {
  const lines: [level: string, message: string][] = []
  let time = 0
  let tick = () => undefined as void
  const log = {
    info: (_: object, message: string) => void lines.push(['info', message]),
    warn: (_: object, message: string) => void lines.push(['warn', message]),
  }
  const every = (_ms: number, call: () => void) => {
    tick = call
    return () => (tick = () => undefined)
  }
  const watched = createServiceWatch({ ask, every, everyMs: EVERY_MS, log, name: 'mail', steady: () => time })
  return { ...watched, lines, tick: () => tick(), pass: (ms: number) => void (time += ms) }
}

watching('a service that is not configured is off, and is not asked', async () => {
  const { check, lines, start } = watch(null)
  start()
  assert.equal([await check(), lines], ['off', []])
})

watching('a service is asked at most once in its time, however often readiness is read', async () => {
  const answers: (string | null)[] = ['it is down', null]
  let asked = 0
  const { check, pass } = watch(async () => answers[asked++] ?? null)
  assert.equal([await check(), await check(), asked], ['failed', 'failed', 1])
  pass(EVERY_MS - 1)
  assert.equal([await check(), asked], ['failed', 1])
  pass(1)
  assert.equal([await check(), asked], ['ok', 2])
})

watching('what is wrong is logged once at the start, again when it changes, and when the service works again', async () => {
  const answers = ['wrong key', 'wrong key', 'no answer', null, null]
  let asked = 0
  const { check, lines, start, tick } = watch(async () => answers[asked++] ?? null)
  start()
  assert.is(await check(), 'failed')
  // By the timer: readiness is not read.
  for (let at = 1; at < answers.length; at += 1) {
    tick()
    await wait(0)
  }
  assert.equal(lines, [
    ['warn', 'wrong key'],
    ['warn', 'no answer'],
    ['info', 'the service can be used again'],
  ])
  assert.is(asked, 4, 'a service that works is not asked by the timer')
})

watching('a slow answer does not delay readiness: the one before counts, and before the first nothing is wrong', async () => {
  const slow = Promise.withResolvers<string | null>()
  const answers = [slow.promise, new Promise<null>(() => undefined)]
  const { check, pass } = watch(() => answers.shift()!)
  assert.is(await Promise.race([check(), wait(2000, 'late')]), 'ok')
  slow.resolve('it is down')
  assert.is(await check(), 'failed')
  pass(EVERY_MS)
  assert.is(await Promise.race([check(), wait(2000, 'late')]), 'failed')
})

watching('a question that breaks counts as a failure', async () => {
  const { check, lines } = watch(async () => Promise.reject(new Error('a bug')))
  assert.equal([await check(), lines], ['failed', [['warn', 'mail cannot be asked: a bug']]])
})

watching('what is answered after the end of the watch is not logged: the process ends, and so do its connections', async () => {
  const slow = Promise.withResolvers<string | null>()
  const { close, lines, start } = watch(() => slow.promise)
  start()
  close()
  slow.resolve('the connection was lost')
  await wait(0)
  assert.equal(lines, [])
})

watching.run()
