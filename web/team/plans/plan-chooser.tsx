/** The plans to choose from, in groups; on their page and in the dialog. */
import { useState } from 'react'
import { listPlans } from '#contract/plans.ts'
import type { Plan } from '#contract/plans.ts'
import { currentTeam } from '#contract/teams.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { Segmented } from '#web/ui/form/choice.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState, ErrorState, Skeleton } from '#web/ui/feedback/feedback.tsx'
import * as t from '#texts/plans.ts'
import { actOf, isRestricted } from './plan-card.ts'
import { PlanCard } from './plan-card.tsx'
import { groupLabel, groupsOf, plansOf, shownGroup } from './plan-groups.ts'
import { useActivation } from './use-activation.ts'
import { refreshSubscription, useSubscription } from './use-subscription.ts'

/** The available width decides how many cards are in a row, so the same grid works on a page and in a dialog. */
const COLUMNS: Record<number, string> = {
  1: 'max-w-100',
  2: 'max-w-200 @min-[540px]:grid-cols-2',
  3: '@min-[540px]:grid-cols-2 @min-[760px]:grid-cols-3',
}
const FOUR = '@min-[540px]:grid-cols-2 @min-[980px]:grid-cols-4'

export function PlanChooser({ level }: { level: 2 | 3 }) {
  const { data: plans, error, isValidating, mutate } = useEndpoint(listPlans)
  const { data: team } = useEndpoint(currentTeam)
  const own = useSubscription()
  const { activate, activating } = useActivation()
  const [chosen, setChosen] = useState<Plan['group'] | null>(null)
  if (!plans)
    return error ? (
      <ErrorState title={t.thePlansCouldNotBeLoaded} details={error.message} retrying={isValidating} onRetry={() => void mutate()} />
    ) : (
      <PlanSkeletons />
    )
  if (!own.isKnown)
    return own.error ? (
      <ErrorState
        title={t.theSubscriptionCouldNotBeLoaded}
        details={own.error.message}
        retrying={own.isValidating}
        onRetry={() => void refreshSubscription()}
      />
    ) : (
      <PlanSkeletons />
    )
  if (plans.length === 0)
    return (
      <EmptyState net="plain" title={t.thereAreNoPlansYet}>
        {t.theOperatorOfThisServiceOffers}
      </EmptyState>
    )
  const groups = groupsOf(plans)
  const group = shownGroup(groups, chosen)
  const shown = plansOf(plans, group)
  return (
    <div className="@container grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6">
      {groups.length > 1 && group && (
        <div>
          <Segmented
            label={t.billingPeriod}
            value={group}
            onChange={setChosen}
            options={groups.map((value) => ({ value, label: groupLabel(value) }))}
          />
        </div>
      )}
      <div className={cx('grid grid-cols-[minmax(0,1fr)] items-stretch gap-x-4 gap-y-6 pt-3', COLUMNS[shown.length] ?? FOUR)}>
        {shown.map((plan) => (
          <PlanCard
            key={plan.uuid}
            plan={plan}
            level={level}
            act={actOf(plan, own.subscription?.plan_uuid ?? null)}
            restricted={isRestricted(plan, team)}
            busy={activating === plan.uuid}
            disabled={activating !== null && activating !== plan.uuid}
            onActivate={() => void activate(plan)}
          />
        ))}
      </div>
    </div>
  )
}

function PlanSkeletons() {
  return (
    <div role="status" aria-label={t.loadingThePlans} className="@container">
      <div className={cx('grid gap-4 pt-3', FOUR)}>
        {Array.from({ length: 4 }, (_, index) => (
          <div key={index} className="grid gap-4 rounded-card border border-line bg-surface p-5">
            <Skeleton className="h-5 w-24" />
            <Skeleton className="h-9 w-32" />
            <Skeleton className="h-9 rounded-control" />
            <Skeleton className="h-30" />
          </div>
        ))}
      </div>
    </div>
  )
}
