import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Retention } from '#contract/teams.ts'
import { countOf, daysErrors, daysOf, stricter } from '#web/team/teams/retention-days.ts'

const days = suite('retention days')

const answerFor = (asked: number): Retention => ({
  days: null,
  installation_days: null,
  effective_days: null,
  expired: { days: asked, runs: 0, pages: 0, bytes: 0, is_estimate: false, oldest_at: null },
})

days('the answer for the number entered before is not taken for the new one', () => {
  assert.is(countOf(answerFor(365), 1), undefined, 'the answer for 1 day is still on its way')
  assert.equal(countOf(answerFor(1), 1), answerFor(1).expired)
  assert.is(countOf(undefined, 1), undefined)
})

days('only whole numbers of days within the bounds are taken', () => {
  assert.equal(['1', ' 30 ', '36500'].map(daysOf), [1, 30, 36_500])
  assert.equal(['', '0', '36501', '1.5', '-1', '1e3', '100000'].map(daysOf), Array(7).fill(null))
  assert.equal(daysErrors({ mode: 'keep', days: '0' }), {})
  assert.ok(daysErrors({ mode: 'delete', days: '0' }).days)
})

days("the installation's number applies if it is smaller", () => {
  assert.equal([stricter(30, null), stricter(30, 7), stricter(30, 90)], [30, 7, 30])
})

days.run()
