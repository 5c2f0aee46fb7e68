/** What a plan's card says: prices, badge, icons, the notice of the free plan, and what its button does. Pure. */
import { EUROS_LIKE } from '#texts/language.ts'
import type { Plan } from '#contract/plans.ts'
import * as t from '#texts/plans.ts'

const MONTHS = { yearly: 12, monthly: 1 }

const euros = new Intl.NumberFormat(EUROS_LIKE, { style: 'currency', currency: 'EUR' })

/** A price of the whole period ("190.00") as one of its months, "€15.83": cents are rounded half up. */
function perMonth(price: string, group: Plan['group']): string {
  return euros.format(Math.round((Number(price) * 100) / MONTHS[group]) / 100)
}

export type PriceTexts = {
  /** "€15.20", for one month. */
  price: string
  /** What one month cost before the discount, to be crossed out. */
  before: string | null
  /** The plan is paid a year ahead. */
  isBilledYearly: boolean
}

/** The price for one month, also of a plan that is paid by the year. */
export function priceTexts(plan: Pick<Plan, 'price' | 'price_before_discount' | 'group' | 'is_default'>): PriceTexts {
  const { price, price_before_discount: before, group } = plan
  return {
    price: perMonth(price, group),
    before: before === null || before === '' ? null : perMonth(before, group),
    isBilledYearly: group === 'yearly' && !plan.is_default,
  }
}

/** The words of the popular badge; null is no badge. */
export function badgeOf({ label }: { label?: string | null }): string | null {
  if (label === null || label === undefined) return null
  return label.trim() === '' ? t.mostPopular : label
}

export type FeatureMark = 'check' | 'cross' | 'info' | 'neutral'

/** The icon before a feature; one that is not known is the neutral one. */
export function markOf({ icon }: { icon?: string | null }): FeatureMark {
  return icon === 'check' || icon === 'cross' || icon === 'info' ? icon : 'neutral'
}

export const RESTRICTION = {
  title: t.teamRestriction,
  text: t.theFreePlanIsOnlyAvailable,
  hint: t.youCanChangeYourTeamIn,
} as const

/** Whether the free plan's card is covered by the notice. A team that is not known yet is not held against anybody. */
export function isRestricted(plan: Pick<Plan, 'is_default'>, team: { is_default: boolean } | undefined): boolean {
  return plan.is_default && team?.is_default === false
}

export type PlanAct = 'manage' | 'activate-free' | 'activate'

/** What the card's button does: the team's own plan, known by its id, is managed. */
export function actOf(plan: Pick<Plan, 'uuid' | 'is_default'>, ownPlanId: string | null): PlanAct {
  if (plan.uuid === ownPlanId) return 'manage'
  return plan.is_default ? 'activate-free' : 'activate'
}
