/** Texts and usage bars of a subscription. Pure. */
import { UNLIMITED } from '#contract/plans.ts'
import type { CurrentSubscription, Subscription, SubscriptionStatus } from '#contract/plans.ts'
import { dayText, numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/plans.ts'

export type Meter = {
  name: string
  /** "1,789 / 20,000", or "Unlimited". */
  text: string
  /** Used and total amount; null without a limit. */
  share: { used: number; total: number; percent: number; isLow: boolean } | null
}

/** From this percentage on a bar warns. */
const LOW_PERCENT = 80

/** The usage bars: credits and members, each used and allowed. */
export function metersOf(subscription: CurrentSubscription): Meter[] {
  return [
    meter(t.totalPageCredit, subscription.plan_page_credit, subscription.remaining_page_credit),
    meter(t.dailyPageCredit, subscription.plan_daily_page_credit, subscription.remaining_daily_page_credit),
    meter(t.teamMembers, subscription.plan_number_users, subscription.remain_number_users),
  ]
}

function meter(name: string, total: number, left: number): Meter {
  if (total === UNLIMITED) return { name, text: t.unlimited, share: null }
  const used = Math.min(total, Math.max(0, total - left))
  // Rounding must not show 100 % before everything is used. A limit of 0 is used up.
  const percent = used >= total ? 100 : Math.min(99, Math.round((used / total) * 100))
  return { name, text: `${numberText(used)} / ${numberText(total)}`, share: { used, total, percent, isLow: percent >= LOW_PERCENT } }
}

/** Remaining credits: "18,211 of 20,000 in this period", "300 of 1,500 today"; without any limit, "Unlimited". */
export function creditsLeft(subscription: CurrentSubscription): string[] {
  const parts: [total: number, left: number, when: string][] = [
    [subscription.plan_page_credit, subscription.remaining_page_credit, t.inThisPeriod],
    [subscription.plan_daily_page_credit, subscription.remaining_daily_page_credit, t.today],
  ]
  const limited = parts.filter(([total]) => total !== UNLIMITED)
  return limited.length === 0 ? [t.unlimited] : limited.map(([total, left, when]) => t.ofText(numberText(left), numberText(total), when))
}

/** "2 of 3 seats are taken"; '' without a limit. */
export function seatsText({ plan_number_users: seats, remain_number_users: left }: CurrentSubscription): string {
  if (seats === UNLIMITED) return ''
  if (left <= 0 && seats === 1) return t.theOneSeatOfThePlan
  return left > 0 ? t.ofSeatsAreTaken(numberText(seats - left), numberText(seats)) : t.allOfThePlanAreTaken(t.seats(seats))
}

/** A limit of a plan: "4", or "Unlimited". */
export const limitText = (limit: number): string => (limit === UNLIMITED ? t.unlimited : numberText(limit))

/** How long the subscription is valid: until its cancellation, else until the end of the period; without either, forever. */
export function validityText({
  cancel_at,
  current_period_end_at,
}: Pick<CurrentSubscription, 'cancel_at' | 'current_period_end_at'>): string {
  const until = cancel_at ?? current_period_end_at
  return until === null ? t.validForever : t.validUntil(dayText(until))
}

/** "Active", or "Cancels on Mar 4, 2026". */
export const stateText = ({ cancel_at, status }: Pick<CurrentSubscription, 'cancel_at' | 'status'>): string =>
  cancel_at === null ? statusText(status) : t.cancelsOn(dayText(cancel_at))

/** "past_due" to "Past due". */
export const statusText = (status: SubscriptionStatus): string => t.statuses[status]

export type StatusTone = 'success' | 'warning' | 'danger' | 'plain'

const TONES: Record<SubscriptionStatus, StatusTone> = {
  active: 'success',
  trialing: 'success',
  incomplete: 'warning',
  past_due: 'warning',
  paused: 'warning',
  unpaid: 'danger',
  canceled: 'plain',
  incomplete_expired: 'plain',
}
export const statusTone = (status: SubscriptionStatus): StatusTone => TONES[status]

/** "Feb 11, 2026 – Mar 11, 2026", as far as known. */
export function periodText({
  current_period_start_at: start,
  current_period_end_at: end,
  start_at: began,
}: Pick<CurrentSubscription, 'current_period_start_at' | 'current_period_end_at' | 'start_at'>): string {
  const from = start ?? began
  if (from === null) return ''
  return end === null ? t.since(dayText(from)) : `${dayText(from)} – ${dayText(end)}`
}

/** The newest subscription with an open payment, from a list with the newest first. */
export const unpaidOf = <S extends Pick<Subscription, 'status'>>(subscriptions: readonly S[]): S | undefined =>
  subscriptions.find(({ status }) => status === 'past_due' || status === 'unpaid' || status === 'incomplete')
