/** The remaining credits, as a row of a list of figures. */
import { Link } from 'wouter'
import { PATHS } from '#web/navigation.ts'
import * as t from '#texts/plans.ts'
import { creditsLeft } from './subscription-texts.ts'
import { useSubscription } from './use-subscription.ts'

/** Renders nothing for a team without a plan. */
export function CreditsLeft() {
  const { subscription } = useSubscription()
  if (!subscription) return null
  return (
    <div className="col-span-full flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-3 text-table sm:px-5">
      <dt className="text-soft">{t.pageCreditsLeft}</dt>
      <dd className="num flex min-w-0 flex-1 flex-wrap gap-x-4 gap-y-1 font-medium">
        {creditsLeft(subscription).map((words) => (
          <span key={words}>{words}</span>
        ))}
        <Link href={PATHS.usage} className="link ml-auto">
          {t.planNamed(subscription.plan_name)}
        </Link>
      </dd>
    </div>
  )
}
