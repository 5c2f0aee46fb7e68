/** How many of the plan's seats are taken. Renders nothing without a limit. */
import { Link } from 'wouter'
import { PATHS } from '#web/navigation.ts'
import * as t from '#texts/plans.ts'
import { seatsText } from './subscription-texts.ts'
import { useSubscription } from './use-subscription.ts'

export function SeatsNote() {
  const { subscription } = useSubscription()
  const words = subscription ? seatsText(subscription) : ''
  if (!subscription || words === '') return null
  return (
    <p className="num mb-3 text-table text-soft">
      {words}.{' '}
      {subscription.remain_number_users <= 0 && (
        <Link href={PATHS.plans} className="link">
          {t.seeThePlans}
        </Link>
      )}
    </p>
  )
}
