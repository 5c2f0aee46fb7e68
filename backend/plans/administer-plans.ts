/** What an operator does with plans without an endpoint. */
import type { SubscriptionStatus } from '#contract/plans.ts'
import type { Database, Rows } from '#backend/platform/database/database.ts'
import { Refusal } from '#backend/errors.ts'
import { createCatalogue, selectPlans } from './catalogue.ts'
import { takeFreePlan } from './free-plan.ts'
import { money, toPlan } from './plan.ts'
import { PlansFault, readPlansFile } from './plans-file.ts'
import type { PlanEntry } from './plans-file.ts'
import { ACTIVE, activeBalance } from './subscription-balance.ts'
import { insertUnbilled } from './subscriptions.ts'

type ListedPlan = {
  id: string
  name: string
  group: string
  price: string
  isDefault: boolean
  isActive: boolean
  /** `file` or `admin`. */
  source: string
  /** Number of teams with this plan. */
  teams: number
}

/** Returns the names of the plans in a file. Throws `Refusal` with all errors in it. */
export const checkPlans = (path: string): string[] => entriesOf(path).map(({ name }) => name)

export function administerPlans({ database, newId, now }: { database: Database; newId: () => string; now: () => number }) {
  const catalogue = createCatalogue({ database, now })
  return { list, set, withdraw, give, takeBack }

  /** All plans in order, including those that can no longer be chosen. */
  async function list(): Promise<ListedPlan[]> {
    const plans = (await selectPlans(database).execute()).map(toPlan)
    const counts = await database
      .selectFrom('subscription')
      .select(({ fn }) => ['planId', fn.count<number>('teamId').distinct().as('teams')])
      .where('status', 'in', ACTIVE)
      .groupBy('planId')
      .execute()
    const teamsOf = new Map(counts.map(({ planId, teams }) => [planId, teams]))
    return plans.map(({ id, name, group, price, isDefault, isActive, source }) => ({
      id,
      name,
      group,
      price: money(price),
      isDefault,
      isActive,
      source,
      teams: teamsOf.get(id) ?? 0,
    }))
  }

  /** Adds the plans of a file, or changes those with the same ids; returns their names. Other plans stay unchanged. */
  async function set(path: string): Promise<string[]> {
    const entries = entriesOf(path)
    await catalogue.keep(entries)
    return entries.map(({ name }) => name)
  }

  /** Withdraws a plan: it can no longer be chosen, but teams that have it keep it. */
  async function withdraw(planId: string): Promise<void> {
    const { numUpdatedRows } = await database
      .updateTable('plan')
      .set({ isActive: 0, isDefault: 0, updatedAt: now() })
      .where('id', '=', planId.toLowerCase())
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw noPlan(planId)
  }

  /** Gives a team an unbilled plan, with full credits. It replaces any unbilled plan of the team. */
  async function give(teamId: string, planId: string): Promise<void> {
    await database.transaction().execute(async (transaction) => {
      const at = now()
      const team = await transaction.selectFrom('team').select('id').where('id', '=', teamId.toLowerCase()).executeTakeFirst()
      if (!team) throw new Refusal(`There is no team ${teamId}: npm run admin -- teams list shows them.`)
      const plan = await transaction
        .selectFrom('plan')
        .select(['id', 'isDefault'])
        .where('id', '=', planId.toLowerCase())
        .executeTakeFirst()
      if (!plan) throw noPlan(planId)
      const balance = await activeBalance(transaction, team.id, at)
      if (balance?.subscription.providerId) throw new Refusal('This team pays for a plan: it has to be cancelled first.')
      await endUnbilled(transaction, team.id, at)
      if (plan.isDefault === 1) await takeFreePlan(transaction, { at, teamId: team.id, hashEmail: null })
      await insertUnbilled(transaction, { id: newId(), teamId: team.id, planId: plan.id, at })
    })
  }

  /** Ends the unbilled plan of a team. */
  async function takeBack(teamId: string): Promise<void> {
    const { numUpdatedRows } = await endUnbilled(database, teamId.toLowerCase(), now())
    if (numUpdatedRows === 0n) throw new Refusal('This team has neither the free plan nor one that you gave.')
  }
}

/** Ends the active unbilled plans of a team. */
const endUnbilled = (rows: Rows, teamId: string, at: number) =>
  rows
    .updateTable('subscription')
    .set({ status: 'canceled' satisfies SubscriptionStatus, updatedAt: at })
    .where('teamId', '=', teamId)
    .where('providerId', 'is', null)
    .where('status', 'in', ACTIVE)
    .executeTakeFirst()

function entriesOf(path: string): PlanEntry[] {
  try {
    return readPlansFile(path)
  } catch (fault) {
    if (!(fault instanceof PlansFault)) throw fault
    throw new Refusal(`${path} cannot be used:\n${fault.message.replace(/^/gm, '  ')}`)
  }
}

const noPlan = (planId: string) => new Refusal(`There is no plan ${planId}: npm run admin -- plans list shows them.`)
