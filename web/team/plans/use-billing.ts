import { useEffect, useState } from 'react'
import { cancelSubscription, manageSubscription, renewSubscription } from '#contract/plans.ts'
import type { ApiError } from '#web/api/client.ts'
import { useAction } from '#web/api/hooks.ts'
import type { Outcome } from '#web/api/hooks.ts'
import { onRestored } from '#web/state/browser-storage.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/plans.ts'
import { refreshSubscription } from './use-subscription.ts'

export type BillingAct = 'manage' | 'cancel' | 'renew' | 'delete'

/**
 * The actions on a subscription. Each shows its errors and returns whether it succeeded.
 *
 * `busy` names the action in progress. An action that opens the provider's page stays busy until the browser has left this page.
 */
export function useBilling() {
  const manage = useAction(manageSubscription)
  const cancel = useAction(cancelSubscription)
  const renew = useAction(renewSubscription)
  const [busy, setBusy] = useState<BillingAct | null>(null)
  // The user has come back from the provider's page.
  useEffect(() => onRestored(() => setBusy(null)), [])

  return {
    busy,
    manage: () => act('manage', () => manage.run()),
    cancelAtPeriodEnd: () => act('cancel', () => cancel.run({ body: { immediately: false } }), t.theSubscriptionEndsWithItsPeriod),
    renew: () => act('renew', () => renew.run(), t.theSubscriptionGoesOn),
    cancelNow: () => act('delete', () => cancel.run({ body: { immediately: true } }), t.theSubscriptionWasDeleted),
  }

  async function act(name: BillingAct, run: () => Promise<Outcome<{ redirect_url: string } | undefined>>, done = ''): Promise<boolean> {
    if (busy !== null) return false
    setBusy(name)
    const outcome = await run()
    if (outcome.ok && outcome.answer?.redirect_url) {
      window.location.assign(outcome.answer.redirect_url)
      return true
    }
    if (outcome.ok) toast.success(done)
    else say(outcome.error)
    // Also after a refusal: this page may have been outdated.
    await refreshSubscription()
    setBusy(null)
    return outcome.ok
  }
}

const say = (error: ApiError) => toast.error(error.message)
