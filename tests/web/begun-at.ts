import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createIds } from '#backend/platform/ids.ts'
import { begunAt } from '#web/runs/shared/begun-at.ts'

test('the id of a run contains its creation time, to the millisecond', () => {
  for (const at of [0, 1_795_436_787_123, 2 ** 48 - 1]) assert.is(begunAt(createIds(() => at)()), at)
})

test('an id of another version has no time', () => {
  for (const id of ['', 'abc', '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d', '01890000-0000-7000-8000']) assert.is(begunAt(id), null)
})

test.run()
