/** A payment is missing: without it the team has no active plan, and its payment method needs an update. */
import { listSubscriptions } from '#contract/plans.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { unpaidOf } from './subscription-texts.ts'
import { useBilling } from './use-billing.ts'

/** Nothing where nothing is owed. */
export function UnpaidNotice() {
  const { data: subscriptions = [] } = useEndpoint(listSubscriptions)
  const { busy, manage } = useBilling()
  const unpaid = unpaidOf(subscriptions)
  if (!unpaid) return null
  return (
    <div className="text-ink">
      <Notice
        tone="warning"
        title={`The last payment for ${unpaid.plan.name} failed`}
        action={
          <Button size="small" busy={busy === 'manage'} busyLabel="Opening…" onClick={() => void manage()}>
            Update payment method
          </Button>
        }
      >
        The plan is active again as soon as it is paid.
      </Notice>
    </div>
  )
}
