import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createShortTurns } from '#backend/crawler/engine/short-turns.ts'

const turns = suite('short turns of the event loop')
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

turns('O7: a long loop yields to the event loop, however often it is restarted, and resumes once in the next turn', async () => {
  const clock = { at: 0 }
  let resumed = 0
  let done = 0
  const turn = createShortTurns({
    now: () => clock.at,
    resume: () => {
      resumed += 1
      work()
    },
    turnMs: 20,
  })
  const work = () => {
    for (; done < 100 && !turn.isOver(); done += 1) clock.at += 1
  }
  for (let again = 0; again < 5; again += 1) {
    work()
    // Work that ends at once starts again in a microtask, which is the same turn.
    await Promise.resolve()
  }
  assert.equal([done, resumed], [21, 0])
  await nextTurn()
  assert.equal([done, resumed], [42, 1])
  while (done < 100) await nextTurn()
  assert.is(resumed, 4)
})

turns('a short loop is not interrupted', async () => {
  const clock = { at: 0 }
  let resumed = 0
  const turn = createShortTurns({ now: () => clock.at, resume: () => void (resumed += 1), turnMs: 20 })
  for (let n = 0; n < 10; n += 1) {
    assert.is(turn.isOver(), false)
    clock.at += 15
    await nextTurn()
  }
  assert.is(resumed, 0)
})

turns.run()
