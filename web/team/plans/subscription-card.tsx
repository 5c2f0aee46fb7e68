/** The team's plan and its remaining credits. Rendered in enterprise mode only. */
import { Link } from 'wouter'
import type { CurrentSubscription } from '#contract/plans.ts'
import { PATHS } from '#web/navigation.ts'
import { ButtonLink, IconButton } from '#web/ui/form/button.tsx'
import { Card, CardHead } from '#web/ui/card.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/ui/feedback/feedback.tsx'
import { RefreshIcon } from '#web/ui/icons.tsx'
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import * as t from '#texts/plans.ts'
import { limitText, metersOf, statusText, statusTone, validityText } from './subscription-texts.ts'
import type { Meter } from './subscription-texts.ts'
import { refreshSubscription, useSubscription } from './use-subscription.ts'

/** One placeholder for each bar of a plan. */
const METERS = [0, 1, 2]

export function SubscriptionCard() {
  const { isEnterprise, subscription, isMissing, error, isValidating } = useSubscription()
  if (!isEnterprise) return null
  return (
    <Card>
      <CardHead title={t.subscription}>
        {subscription && <Chip tone={statusTone(subscription.status)}>{statusText(subscription.status)}</Chip>}
        <IconButton label={t.reloadSubscription} icon={RefreshIcon} busy={isValidating} onClick={() => void refreshSubscription()} />
      </CardHead>
      {subscription ? (
        <Plan subscription={subscription} />
      ) : isMissing ? (
        <NoPlan />
      ) : error ? (
        <ErrorState
          title={t.theSubscriptionCouldNotBeLoaded}
          details={error.message}
          retrying={isValidating}
          onRetry={() => void refreshSubscription()}
        />
      ) : (
        <div role="status" aria-label={t.loadingTheSubscription} className="grid gap-5 p-4">
          <Skeleton className="h-8 w-40" />
          <div className="grid gap-x-8 gap-y-4 sm:grid-cols-3">
            {METERS.map((meter) => (
              <Skeleton key={meter} className="h-15" />
            ))}
          </div>
          <div className="grid grid-cols-2 gap-3">
            <Skeleton className="h-13" />
            <Skeleton className="h-13" />
          </div>
        </div>
      )}
    </Card>
  )
}

/** Shown to a team without a plan: how to get one. */
function NoPlan() {
  return (
    <EmptyState
      net="plain"
      title={t.noActivePlan}
      action={
        <ButtonLink look="primary" href={PATHS.plans}>
          {t.chooseAPlan}
        </ButtonLink>
      }
    >
      {t.thisTeamHasNoPlanSo}
    </EmptyState>
  )
}

function Plan({ subscription }: { subscription: CurrentSubscription }) {
  return (
    <div className="grid gap-5 p-4">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <p className="text-figure font-semibold break-words">{subscription.plan_name}</p>
        <p className="num text-table text-soft">{validityText(subscription)}</p>
        {subscription.is_default && (
          <Link href={PATHS.plans} className="link text-table sm:ml-auto">
            {t.upgradePlan}
          </Link>
        )}
      </div>
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-3">
        {metersOf(subscription).map((meter) => (
          <MeterBar key={meter.name} meter={meter} />
        ))}
      </div>
      <dl className="grid grid-cols-2 gap-3">
        <Tile name={t.maxDepth} value={limitText(subscription.max_depth)} />
        <Tile name={t.maxConcurrentCrawls} value={limitText(subscription.max_concurrent_crawl)} />
      </dl>
    </div>
  )
}

function MeterBar({ meter: { name, text, share } }: { meter: Meter }) {
  return (
    <div className="grid content-start gap-1.5">
      <p className="flex items-baseline justify-between gap-2 text-table">
        <span className="text-soft">{name}</span>
        {share && <span className="num text-label text-faint">{share.percent} %</span>}
      </p>
      {share ? (
        <ProgressBar
          label={t.used(name)}
          max={Math.max(1, share.total)}
          parts={[{ value: share.total === 0 ? 1 : share.used, tone: share.isLow ? 'warning' : 'accent' }]}
        />
      ) : (
        <div aria-hidden="true" className="h-2 rounded-small bg-wash inset-ring inset-ring-line" />
      )}
      <p className="num text-table font-medium">{text}</p>
    </div>
  )
}

function Tile({ name, value }: { name: string; value: string }) {
  return (
    <div className="grid gap-0.5 rounded-control bg-sunken px-3 py-2">
      <dt className="text-label text-soft">{name}</dt>
      <dd className="num font-semibold">{value}</dd>
    </div>
  )
}
