import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { confirmation, mustConfirm } from '#web/account/session/privacy-terms.ts'

const rule = suite('privacy and terms')

const EARLY = '2026-03-04T00:00:00.000000Z'
const LATE = '2026-03-05T00:00:00.000000Z'

rule('S-PRV-01 the dialog is shown when either text was never confirmed, or was updated after it was confirmed', () => {
  type Row = [
    privacy: string | null,
    terms: string | null,
    policyUpdate: string | null,
    termsUpdate: string | null,
    due: boolean,
    why: string,
  ]
  const rows: Row[] = [
    [null, null, null, null, true, 'nothing was confirmed'],
    [EARLY, null, null, null, true, 'the terms were not confirmed'],
    [null, EARLY, null, null, true, 'the policy was not confirmed'],
    [EARLY, EARLY, null, null, false, 'both were confirmed, no update is known'],
    [EARLY, EARLY, EARLY, EARLY, false, 'an update at the same instant is not later'],
    [EARLY, EARLY, LATE, null, true, 'the policy is newer'],
    [EARLY, EARLY, null, LATE, true, 'the terms are newer'],
    [LATE, EARLY, EARLY, LATE, true, 'a later confirmation of the policy does not confirm the terms'],
    [LATE, LATE, EARLY, EARLY, false, 'both were confirmed after their updates'],
    [EARLY, EARLY, '2026-03-04T01:00:00+02:00', null, false, 'times in different time zones are compared as instants'],
  ]
  for (const [privacy_confirmed_at, terms_confirmed_at, policy_update_at, terms_update_at, due, why] of rows)
    assert.is(mustConfirm({ privacy_confirmed_at, terms_confirmed_at }, { policy_update_at, terms_update_at }), due, why)
})

rule('S-PRV-03 the newsletter is a choice in enterprise mode, and otherwise comes from the profile', () => {
  for (const chosen of [true, false])
    for (const kept of [true, false]) {
      const sent = (isEnterprise: boolean) => confirmation(isEnterprise, chosen, { newsletter_confirmed: kept })
      assert.equal(sent(true), { privacy_confirmed: true, terms_confirmed: true, newsletter_confirmed: chosen })
      assert.equal(sent(false), { privacy_confirmed: true, terms_confirmed: true, newsletter_confirmed: kept })
    }
})

rule.run()
