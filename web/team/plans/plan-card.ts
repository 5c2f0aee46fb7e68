/** The content of a plan's card: prices, badge, icons, the notice of the free plan, and the button's action. Pure. */
import { EUROS_LIKE } from '#texts/language.ts'
import type { Plan } from '#contract/plans.ts'
import * as t from '#texts/plans.ts'

const MONTHS = { yearly: 12, monthly: 1 }

const euros = new Intl.NumberFormat(EUROS_LIKE, { style: 'currency', currency: 'EUR' })

/** The price per month, "€15.83", of a whole period ("190.00"): cents are rounded half up. */
function perMonth(price: string, group: Plan['group']): string {
  return euros.format(Math.round((Number(price) * 100) / MONTHS[group]) / 100)
}

export type PriceTexts = {
  /** "€15.20", for one month. */
  price: string
  /** The price per month before the discount, crossed out. */
  before: string | null
  /** The plan is paid for a year in advance. */
  isBilledYearly: boolean
}

/** The price for one month, even of a yearly plan. */
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

/** The icon of a feature; an unknown one becomes the neutral one. */
export function markOf({ icon }: { icon?: string | null }): FeatureMark {
  return icon === 'check' || icon === 'cross' || icon === 'info' ? icon : 'neutral'
}

export const RESTRICTION = {
  title: t.teamRestriction,
  text: t.theFreePlanIsOnlyAvailable,
  hint: t.youCanChangeYourTeamIn,
} as const

/** Whether the notice replaces the content of the free plan's card: outside a default team. False while the team is unknown. */
export function isRestricted(plan: Pick<Plan, 'is_default'>, team: { is_default: boolean } | undefined): boolean {
  return plan.is_default && team?.is_default === false
}

export type PlanAct = 'manage' | 'activate-free' | 'activate'

/** The button's action: manage the team's own plan, activate any other. */
export function actOf(plan: Pick<Plan, 'uuid' | 'is_default'>, ownPlanId: string | null): PlanAct {
  if (plan.uuid === ownPlanId) return 'manage'
  return plan.is_default ? 'activate-free' : 'activate'
}
