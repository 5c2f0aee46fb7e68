/** Groups plans by billing period. Pure. */
import type { Plan } from '#contract/plans.ts'
import * as t from '#texts/plans.ts'

type Grouped = Pick<Plan, 'group' | 'is_default'>

const FIRST = 'yearly'

/** The existing groups, yearly first. The free plan belongs to every group; it forms a group only if there is no other plan. */
export function groupsOf(plans: readonly Grouped[]): Plan['group'][] {
  const paid = plans.filter(({ is_default: isFree }) => !isFree)
  const groups = [...new Set((paid.length > 0 ? paid : plans).map(({ group }) => group))]
  return groups.toSorted((one, other) => Number(other === FIRST) - Number(one === FIRST))
}

/** The shown group: the chosen one if it exists, else the yearly one, else the first. */
export function shownGroup(groups: readonly Plan['group'][], chosen: Plan['group'] | null): Plan['group'] | undefined {
  return groups.find((group) => group === chosen) ?? groups[0]
}

/** The plans of a group and the free plan, in the order of the list. */
export function plansOf<P extends Grouped>(plans: readonly P[], group: Plan['group'] | undefined): P[] {
  return plans.filter((plan) => plan.is_default || plan.group === group)
}

/** The billing periods that the dashboard has words for. */
const LABELS: Partial<Record<string, string>> = { monthly: t.monthly, yearly: t.yearly }

/** The label of a group on the toggle: "Yearly". A group that the dashboard does not know keeps its name. */
export const groupLabel = (group: string): string => LABELS[group] ?? group.charAt(0).toUpperCase() + group.slice(1)
