/** A plan in the backend, and in the API's format. */
import type { Plan as PlanAnswer, PlanFeature, PlanGroup } from '#contract/plans.ts'
import type { PlanTable } from '#backend/platform/database/database.ts'

export type Plan = Omit<PlanTable, 'planGroup' | 'isDefault' | 'isActive' | 'features'> & {
  group: PlanGroup
  /** The free plan. */
  isDefault: boolean
  /** It can be chosen; others are kept for the teams that have them. */
  isActive: boolean
  features: PlanFeature[]
}

export const toPlan = ({ planGroup, isDefault, isActive, features, ...row }: PlanTable): Plan => ({
  ...row,
  group: planGroup as PlanGroup,
  isDefault: isDefault === 1,
  isActive: isActive === 1,
  features: JSON.parse(features) as PlanFeature[],
})

export const presentPlan = (plan: Plan): PlanAnswer => ({
  uuid: plan.id,
  name: plan.name,
  label: plan.label,
  group: plan.group,
  description: plan.description,
  price_before_discount: plan.priceBeforeDiscount === null ? null : money(plan.priceBeforeDiscount),
  price: money(plan.price),
  number_of_users: plan.numberOfUsers,
  page_credit: plan.pageCredit,
  daily_page_credit: plan.dailyPageCredit,
  crawl_max_depth: plan.crawlMaxDepth,
  crawl_max_limit: plan.crawlMaxLimit,
  max_concurrent_crawl: plan.maxConcurrentCrawl,
  is_default: plan.isDefault,
  features: plan.features,
})

/** Cents as "190.00". */
export const money = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
