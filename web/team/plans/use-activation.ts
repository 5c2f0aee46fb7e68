import { useEffect, useState } from 'react'
import { startSubscription } from '#contract/plans.ts'
import type { Plan } from '#contract/plans.ts'
import { useAction } from '#web/api/hooks.ts'
import { onRestored } from '#web/state/browser-storage.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { afterActivation } from './activation.ts'
import { refreshSubscription } from './use-subscription.ts'

/** Chooses a plan: goes to the payment page if there is one, else refreshes the subscription. `activating` is the plan in progress. */
export function useActivation() {
  const start = useAction(startSubscription)
  const [activating, setActivating] = useState<Plan['uuid'] | null>(null)
  // The user has come back from the payment page.
  useEffect(() => onRestored(() => setActivating(null)), [])
  return { activate, activating }

  async function activate(plan: Pick<Plan, 'uuid'>): Promise<void> {
    if (activating !== null) return
    setActivating(plan.uuid)
    const outcome = await start.run({ body: { plan_uuid: plan.uuid } })
    const step = afterActivation(
      outcome.ok ? outcome : { ok: false, error: { status: outcome.error.status, said: outcome.error.body.message } },
    )
    if (step.kind === 'leave') return window.location.assign(step.url)
    if (step.kind === 'refused') toast.error(step.message)
    else {
      await refreshSubscription()
      toast.success(step.message)
    }
    setActivating(null)
  }
}
