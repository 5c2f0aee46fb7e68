import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  creditsLeft,
  limitText,
  metersOf,
  periodText,
  seatsText,
  stateText,
  statusText,
  statusTone,
  unpaidOf,
  validityText,
} from '#web/team/plans/subscription-texts.ts'
import { SUBSCRIPTION_STATUSES } from '#contract/plans.ts'
import type { CurrentSubscription } from '#contract/plans.ts'

const STUDIO: CurrentSubscription = {
  plan_uuid: '01890000-0000-7000-8000-0000000000f1',
  plan_name: 'Studio',
  status: 'active',
  plan_page_credit: 20_000,
  plan_daily_page_credit: 1500,
  plan_number_users: 5,
  remain_number_users: 3,
  remaining_page_credit: 18_211,
  remaining_daily_page_credit: 300,
  max_depth: 10,
  crawl_max_limit: 1000,
  max_concurrent_crawl: 4,
  start_at: '2026-02-11T12:00:00.000000Z',
  current_period_start_at: '2026-03-11T12:00:00.000000Z',
  current_period_end_at: '2026-04-11T12:00:00.000000Z',
  cancel_at: null,
  is_default: false,
}

const words = suite('texts about a subscription')

words('S-PLN-11 bars show the usage, and warn from 80 %', () => {
  assert.equal(metersOf(STUDIO), [
    { name: 'Total page credit', text: '1,789 / 20,000', share: { used: 1789, total: 20_000, percent: 9, isLow: false } },
    { name: 'Daily page credit', text: '1,200 / 1,500', share: { used: 1200, total: 1500, percent: 80, isLow: true } },
    { name: 'Team members', text: '2 / 5', share: { used: 2, total: 5, percent: 40, isLow: false } },
  ])
})

const CREDITS: [total: number, left: number, text: string, percent: number | undefined, why: string][] = [
  [-1, -1, 'Unlimited', undefined, 'without a limit there is no bar'],
  [100, 100, '0 / 100', 0, 'nothing used'],
  [100, 0, '100 / 100', 100, 'all used'],
  [100, -5, '100 / 100', 100, 'usage above the limit is capped'],
  [100, 120, '0 / 100', 0, 'usage below zero is capped'],
  [1000, 1, '999 / 1,000', 99, 'one credit left is less than 100 %'],
  [0, 0, '0 / 0', 100, 'a limit of zero is used up'],
]
for (const [total, left, text, percent, why] of CREDITS)
  words(`S-PLN-11 ${why}: ${text}`, () => {
    const [credit] = metersOf({ ...STUDIO, plan_page_credit: total, remaining_page_credit: left })
    assert.is(credit?.text, text)
    assert.is(credit?.share?.percent, percent)
  })

words('S-PLN-11 texts state the validity and the kind of a subscription', () => {
  const cancelled = { ...STUDIO, cancel_at: '2026-04-01T12:00:00.000000Z' }
  assert.is(validityText(STUDIO), 'Valid until Apr 11, 2026')
  assert.is(validityText(cancelled), 'Valid until Apr 1, 2026')
  assert.is(validityText({ cancel_at: null, current_period_end_at: null }), 'Valid forever')
  assert.is(stateText(STUDIO), 'Active')
  assert.is(stateText(cancelled), 'Cancels on Apr 1, 2026')
  assert.is(periodText(STUDIO), 'Mar 11, 2026 – Apr 11, 2026')
  assert.is(periodText({ ...STUDIO, current_period_end_at: null }), 'Since Mar 11, 2026')
  assert.is(periodText({ start_at: STUDIO.start_at, current_period_start_at: null, current_period_end_at: null }), 'Since Feb 11, 2026')
  assert.is(periodText({ start_at: null, current_period_start_at: null, current_period_end_at: null }), '')
  assert.is(limitText(4), '4')
  assert.is(limitText(-1), 'Unlimited')
})

words('S-PLN-11 texts state the remaining credits and seats', () => {
  assert.equal(creditsLeft(STUDIO), ['18,211 of 20,000 in this period', '300 of 1,500 today'])
  assert.equal(creditsLeft({ ...STUDIO, plan_page_credit: -1, remaining_page_credit: -1 }), ['300 of 1,500 today'])
  assert.equal(creditsLeft({ ...STUDIO, plan_page_credit: -1, plan_daily_page_credit: -1 }), ['Unlimited'])
  assert.is(seatsText(STUDIO), '2 of 5 seats are taken')
  assert.is(seatsText({ ...STUDIO, remain_number_users: 0 }), 'All 5 seats of the plan are taken')
  assert.is(seatsText({ ...STUDIO, plan_number_users: 1, remain_number_users: 0 }), 'The one seat of the plan is taken')
  assert.is(seatsText({ ...STUDIO, plan_number_users: -1, remain_number_users: -1 }), '')
})

words('every status has a text and a colour', () => {
  assert.is(statusText('past_due'), 'Past due')
  for (const status of SUBSCRIPTION_STATUSES) assert.ok(statusTone(status), status)
})

words('the payment due is the newest unpaid one', () => {
  assert.is(unpaidOf([{ status: 'canceled' }, { status: 'active' }, { status: 'incomplete_expired' }]), undefined)
  const owed = { status: 'past_due' as const }
  assert.is(unpaidOf([{ status: 'canceled' }, owed, { status: 'unpaid' }]), owed)
})

words.run()
