import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { lastRead } from '#backend/platform/last-read.ts'

const reads = suite('reads in timers')

reads('a read that fails returns the value before, and its error is reported', () => {
  const answers = [() => 1, () => fail('damaged'), () => 2]
  const faults: unknown[] = []
  const read = lastRead(
    () => answers.shift()!(),
    0,
    (fault) => faults.push((fault as Error).message),
  )
  assert.equal([read(), read(), read()], [1, 1, 2])
  assert.equal(faults, ['damaged'])
})

reads('until a read has succeeded the first value is returned', () =>
  assert.is(
    lastRead(
      () => fail('busy'),
      'none',
      () => undefined,
    )(),
    'none',
  ),
)

const fail = (why: string): never => {
  throw new Error(why)
}

reads.run()
