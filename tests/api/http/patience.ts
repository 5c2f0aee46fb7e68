/** How long a caller waits for an answer. */
import { EventEmitter } from 'node:events'
import type { FastifyReply } from 'fastify'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { patienceOf } from '#backend/http/patience.ts'

const patience = suite('patience of a caller')

/** A reply whose connection ends when the test says so. */
function replyOf({ destroyed = false } = {}) {
  const raw = Object.assign(new EventEmitter(), { destroyed })
  return { raw, reply: { raw } as unknown as FastifyReply }
}

patience('it ends when the caller disconnects, and nothing is left at the connection after the answer', () => {
  const { raw, reply } = replyOf()
  const waiting = patienceOf(reply, 60_000)
  assert.equal([waiting.signal.aborted, waiting.hasHungUp()], [false, false])
  raw.emit('close')
  assert.equal([waiting.signal.aborted, waiting.hasHungUp()], [true, true])
  waiting.end()
  const answered = patienceOf(reply, 60_000)
  answered.end()
  raw.emit('close')
  assert.equal([answered.signal.aborted, raw.listenerCount('close')], [false, 0])
})

patience('a caller who has disconnected before the wait begins is not waited for', () => {
  const waiting = patienceOf(replyOf({ destroyed: true }).reply, 60_000)
  assert.equal([waiting.signal.aborted, waiting.hasHungUp()], [true, true])
  waiting.end()
})

patience.run()
