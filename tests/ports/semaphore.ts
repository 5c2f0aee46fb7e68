/** The semaphore: never more work than places, the rest in order of requests. */
import { setImmediate } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createSemaphore } from '#backend/platform/semaphore.ts'

const semaphore = suite('semaphore')

semaphore('as many callers work at once as there are places, in the order of requests, also while a place changes hands', async () => {
  const { during } = createSemaphore(2)
  const gates = Array.from({ length: 6 }, () => Promise.withResolvers<void>())
  const begun: number[] = []
  let [atWork, most] = [0, 0]
  const ask = (no: number) =>
    during(async () => {
      begun.push(no)
      most = Math.max(most, (atWork += 1))
      await gates[no]!.promise
      atWork -= 1
      return no
    })
  const asked = [0, 1, 2, 3].map(ask)
  await setImmediate()
  assert.equal(begun, [0, 1])
  gates[1]!.resolve()
  await asked[1]
  // The place of the one that ended belongs to the one that waits, not to these.
  asked.push(ask(4), ask(5))
  for (const { resolve } of gates) resolve()
  assert.equal(await Promise.all(asked), [0, 1, 2, 3, 4, 5])
  assert.equal(begun, [0, 1, 2, 3, 4, 5])
  assert.is(most, 2)
})

semaphore('a place that nobody waits for is free again, and is one', async () => {
  const { give, take } = createSemaphore(1)
  for (let round = 0; round < 3; round += 1) {
    await take()
    give()
  }
  await take()
  let isTaken = false
  const waiting = take().then(() => (isTaken = true))
  await setImmediate()
  assert.is(isTaken, false)
  give()
  await waiting
})

semaphore('work that fails releases its place, and its caller gets the error', async () => {
  const { during } = createSemaphore(1)
  const failed = during(() => Promise.reject(new Error('broken')))
  const next = during(async () => 'fine')
  await failed.then(assert.unreachable, (error: Error) => assert.is(error.message, 'broken'))
  assert.is(await next, 'fine')
})

semaphore.run()
