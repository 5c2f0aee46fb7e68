/** The billing tab of the settings: the plan, its price and earlier plans. */
import { BillingCard } from './billing-card.tsx'
import { SubscriptionCard } from './subscription-card.tsx'
import { SubscriptionHistory } from './subscription-history.tsx'

export function BillingSettings() {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <SubscriptionCard />
      <BillingCard />
      <SubscriptionHistory />
    </div>
  )
}
