/** Subscriptions in the API's format. */
import { UNLIMITED } from '#contract/plans.ts'
import type { CurrentSubscription, Subscription, SubscriptionStatus } from '#contract/plans.ts'
import { instant, instantOrNull } from '#backend/http/instants.ts'
import { left } from './credit-rules.ts'
import { presentPlan } from './plan.ts'
import { hasEnded } from './subscription-balance.ts'
import type { SubscriptionBalance } from './subscription-balance.ts'

export const presentSubscription = ({ subscription, plan, periodStartAt, periodLeft, dailyLeft }: SubscriptionBalance): Subscription => ({
  uuid: subscription.id,
  plan: presentPlan(plan),
  status: subscription.status as SubscriptionStatus,
  remain_page_credit: hasEnded(subscription.status) ? 0 : periodLeft,
  remain_daily_page_credit: hasEnded(subscription.status) ? 0 : dailyLeft,
  start_at: instantOrNull(subscription.startAt),
  current_period_start_at: instantOrNull(periodStartAt),
  current_period_end_at: instantOrNull(subscription.periodEndAt),
  cancel_at: instantOrNull(subscription.cancelAt),
  created_at: instant(subscription.createdAt),
  updated_at: instant(subscription.updatedAt),
})

export const presentCurrent = ({
  subscription,
  plan,
  members,
  periodStartAt,
  periodLeft,
  dailyLeft,
}: SubscriptionBalance & { members: number }): CurrentSubscription => ({
  plan_uuid: plan.id,
  plan_name: plan.name,
  status: subscription.status as SubscriptionStatus,
  plan_page_credit: plan.pageCredit,
  plan_daily_page_credit: plan.dailyPageCredit,
  plan_number_users: plan.numberOfUsers,
  remain_number_users: left(plan.numberOfUsers, members),
  remaining_page_credit: periodLeft,
  remaining_daily_page_credit: dailyLeft,
  max_depth: plan.crawlMaxDepth,
  crawl_max_limit: plan.crawlMaxLimit,
  max_concurrent_crawl: plan.maxConcurrentCrawl,
  start_at: instantOrNull(subscription.startAt),
  current_period_start_at: instantOrNull(periodStartAt),
  current_period_end_at: instantOrNull(subscription.periodEndAt),
  cancel_at: instantOrNull(subscription.cancelAt),
  is_default: plan.isDefault,
})

/** The subscription of every team where there are no plans. */
export const unlimited = (maxDepth: number): CurrentSubscription => ({
  plan_uuid: null,
  plan_name: 'Unlimited',
  status: 'active',
  plan_page_credit: UNLIMITED,
  plan_daily_page_credit: UNLIMITED,
  plan_number_users: UNLIMITED,
  remain_number_users: UNLIMITED,
  remaining_page_credit: UNLIMITED,
  remaining_daily_page_credit: UNLIMITED,
  max_depth: maxDepth,
  crawl_max_limit: UNLIMITED,
  max_concurrent_crawl: UNLIMITED,
  start_at: null,
  current_period_start_at: null,
  current_period_end_at: null,
  cancel_at: null,
  is_default: false,
})
