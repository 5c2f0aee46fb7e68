/** A payment is overdue: until the payment method is updated, the team has no active plan. */
import { listSubscriptions } from '#contract/plans.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import * as t from '#texts/plans.ts'
import { unpaidOf } from './subscription-texts.ts'
import { useBilling } from './use-billing.ts'

/** Renders nothing when no payment is due. */
export function UnpaidNotice() {
  const { data: subscriptions = [] } = useEndpoint(listSubscriptions)
  const { busy, manage } = useBilling()
  const unpaid = unpaidOf(subscriptions)
  if (!unpaid) return null
  return (
    <div className="text-ink">
      <Notice
        tone="warning"
        title={t.theLastPaymentForFailed(unpaid.plan.name)}
        action={
          <Button size="small" busy={busy === 'manage'} busyLabel={t.opening} onClick={() => void manage()}>
            {t.updatePaymentMethod}
          </Button>
        }
      >
        {t.thePlanIsActiveAgainAs}
      </Notice>
    </div>
  )
}
