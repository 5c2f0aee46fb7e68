import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { afterActivation } from '#web/team/plans/activation.ts'
import { paymentOutcome } from '#web/team/plans/payment-outcomes.ts'
import { offersPlans, subscriptionState } from '#web/team/plans/subscription-state.ts'
import type { CurrentSubscription } from '#contract/plans.ts'

const STUDIO = { plan_name: 'Studio' } as CurrentSubscription

const state = suite('the subscription of a team')

type Row = [data: CurrentSubscription | undefined, status: number | undefined, isShown: boolean, isMissing: boolean, why: string]
const LOADS: Row[] = [
  [undefined, undefined, false, false, 'nothing is loaded yet, as after a change of team'],
  [STUDIO, undefined, true, false, 'a subscription is loaded'],
  [undefined, 403, false, true, 'the server refuses'],
  [undefined, 404, false, true, 'the team has no subscription'],
  [STUDIO, 403, false, true, 'a known subscription is refused now'],
  [STUDIO, 404, false, true, 'a known subscription is gone'],
  [STUDIO, 500, true, false, 'a server error keeps a known subscription'],
  [undefined, 500, false, false, 'a server error without a known subscription'],
  [undefined, 0, false, false, 'an unreachable server without a known subscription'],
  [STUDIO, 401, true, false, 'an ended session keeps a known subscription'],
]
for (const [data, status, isShown, isMissing, why] of LOADS)
  state(`S-PLN-10 ${why}: plans are ${isShown ? 'shown' : 'hidden'}, and the banner flag is ${isMissing ? 'set' : 'not set'}`, () => {
    const found = subscriptionState({ data, error: status === undefined ? undefined : { status } })
    assert.equal(found, { subscription: isShown ? STUDIO : null, isMissing, isKnown: isShown || isMissing })
  })

state('S-PLN-06 plans are offered if three conditions are met', () => {
  for (const isEnterprise of [true, false])
    for (const isMissing of [true, false])
      for (const isPrivacyShown of [true, false])
        assert.is(offersPlans({ isEnterprise, isMissing, isPrivacyShown }), isEnterprise && isMissing && !isPrivacyShown)
})

const activation = suite('activating a plan')
const refused = (status: number, said = '') => afterActivation({ ok: false, error: { status, said } })

activation('S-PLN-08 the answer leads to the payment page if it names one, and else reports that the plan is active', () => {
  const url = 'https://pay.example/session'
  assert.equal(afterActivation({ ok: true, answer: { redirect_url: url } }), { kind: 'leave', url })
  const done = { kind: 'activated', message: 'Plan created successfully' }
  assert.equal(afterActivation({ ok: true, answer: undefined }), done)
  assert.equal(afterActivation({ ok: true, answer: {} }), done)
  assert.equal(afterActivation({ ok: true, answer: { redirect_url: '' } }), done)
})

activation('S-PLN-09 a refusal shows the message of the server, or a general reason; every other failure shows one sentence', () => {
  const rows: [status: number, said: string, message: string][] = [
    [403, 'The free plan is reserved for the default team.', 'The free plan is reserved for the default team.'],
    [403, '', 'You do not have permission to create a subscription'],
    [400, 'No such plan.', 'Failed to create subscription'],
    [404, '', 'Failed to create subscription'],
    [500, 'Out of order.', 'Failed to create subscription'],
    [0, 'The server cannot be reached.', 'Failed to create subscription'],
  ]
  for (const [status, said, message] of rows) assert.equal(refused(status, said), { kind: 'refused', message }, `${status} ${said}`)
})

const callback = suite('the way back from the payment provider')

const OUTCOMES: [row: string, query: string, title: string, target: string | undefined, toast: string, kind: string][] = [
  ['S-CBK-01', '?state=payment-success', 'Subscription Activated', 'dashboard', 'New subscription activated successfully!', 'success'],
  ['S-CBK-02', '?state=payment-cancel', 'Subscription Process Canceled', 'plans', 'Subscription process canceled.', 'blank'],
  ['S-CBK-03', '?state=subscription-cancel', 'Subscription Continues', 'dashboard', 'Subscription will continue as planned.', 'success'],
  [
    'S-CBK-04',
    '?state=subscription-cancel-success',
    'Subscription Cancellation Confirmed',
    'billing',
    'Subscription will be deactivated at the end of the current period.',
    'success',
  ],
  [
    'S-CBK-05',
    '?state=payment-method-update-cancel',
    'Payment Method Update Canceled',
    'billing',
    'Payment method update canceled.',
    'blank',
  ],
  [
    'S-CBK-06',
    '?state=payment-method-update-success',
    'Payment Method Updated',
    'billing',
    'Payment method updated successfully!',
    'success',
  ],
  ['S-CBK-07', '?state=anything', 'Unknown State', undefined, 'Unknown callback state', 'error'],
  ['S-CBK-07', '?state=', 'Unknown State', undefined, 'Unknown callback state', 'error'],
  ['S-CBK-07', '', 'Unknown State', undefined, 'Unknown callback state', 'error'],
  ['S-CBK-07', '?state=constructor', 'Unknown State', undefined, 'Unknown callback state', 'error'],
  ['S-CBK-07', '?state=Payment-Success', 'Unknown State', undefined, 'Unknown callback state', 'error'],
]
for (const [row, query, title, target, toast, kind] of OUTCOMES)
  callback(`${row} "${query}" is ${title}`, () => {
    const outcome = paymentOutcome(query)
    assert.is(outcome.title, title)
    assert.is(outcome.button?.target, target)
    assert.equal(outcome.toast, { kind, message: toast })
    assert.ok(outcome.text.length > 0)
  })

callback('S-CBK-02 S-CBK-07 the texts match the specification letter for letter', () => {
  assert.is(paymentOutcome('?state=payment-cancel').button?.label, 'View Plans')
  assert.is(paymentOutcome('').text, 'An unexpected error occurred. Please contact support.')
})

state.run()
activation.run()
callback.run()
