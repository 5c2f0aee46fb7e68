/** Every subscription that the team has had, newest first. */
import { listSubscriptions } from '#contract/plans.ts'
import type { Subscription } from '#contract/plans.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { Card, CardHead } from '#web/ui/card.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/ui/feedback/feedback.tsx'
import { AlertIcon, BanIcon, CircleCheckIcon, CircleXIcon } from '#web/ui/icons.tsx'
import type { Icon } from '#web/ui/icons.tsx'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import * as t from '#texts/plans.ts'
import { periodText, statusText, statusTone } from './subscription-texts.ts'
import type { StatusTone } from './subscription-texts.ts'

const ICONS: Record<StatusTone, { icon: Icon; look: string }> = {
  success: { icon: CircleCheckIcon, look: 'text-success' },
  warning: { icon: AlertIcon, look: 'text-warning' },
  danger: { icon: CircleXIcon, look: 'text-danger' },
  plain: { icon: BanIcon, look: 'text-faint' },
}

export function SubscriptionHistory() {
  const { data: subscriptions, error, isValidating, mutate } = useEndpoint(listSubscriptions)
  return (
    <Card>
      <CardHead title={t.subscriptionHistory} />
      {!subscriptions ? (
        error ? (
          <ErrorState title={t.theHistoryCouldNotBeLoaded} details={error.message} retrying={isValidating} onRetry={() => void mutate()} />
        ) : (
          <div role="status" aria-label={t.loadingTheHistory} className="p-4">
            <Skeleton className="h-10" />
          </div>
        )
      ) : subscriptions.length === 0 ? (
        <EmptyState net="plain" title={t.noSubscriptionsFound} />
      ) : (
        <ul aria-label={t.subscriptionHistory}>
          {subscriptions.map((subscription) => (
            <Row key={subscription.uuid} subscription={subscription} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Row({ subscription }: { subscription: Subscription }) {
  const tone = statusTone(subscription.status)
  const { icon: StatusIcon, look } = ICONS[tone]
  return (
    <li className="flex min-h-14 items-center gap-3 px-4 py-2 not-first:border-t not-first:border-line">
      <StatusIcon className={look} />
      <span className="min-w-0 flex-1">
        <span className="block font-medium break-words">{subscription.plan.name}</span>
        <span className="num block text-label text-faint">{periodText(subscription)}</span>
      </span>
      <Chip tone={tone}>{statusText(subscription.status)}</Chip>
    </li>
  )
}
