/** The plans, stored by id: a team keeps its plan even when that can no longer be chosen. */
import type { Database, Rows, Transaction } from '#backend/platform/database/database.ts'
import { AppError } from '#backend/errors.ts'
import { toPlan } from './plan.ts'
import type { Plan } from './plan.ts'
import type { PlanEntry } from './plans-file.ts'

/** Where a plan is maintained: in the plans file, or by the command line. */
type PlanSource = 'file' | 'admin'

export function createCatalogue({ database, now }: { database: Database; now: () => number }) {
  return { list, read, find, replaceFromFile, keep }

  /** The plans that can be chosen, in order. */
  async function list(): Promise<Plan[]> {
    return (await selectPlans(database).where('isActive', '=', 1).execute()).map(toPlan)
  }

  /** A plan that can be chosen. Throws `not_found`. */
  async function read(id: string): Promise<Plan> {
    const plan = await find(id)
    if (!plan) throw new AppError('not_found')
    return plan
  }

  async function find(id: string): Promise<Plan | null> {
    const row = await selectPlans(database).where('id', '=', id.toLowerCase()).where('isActive', '=', 1).executeTakeFirst()
    return row ? toPlan(row) : null
  }

  /**
   * Makes the stored plans equal to those of the plans file, in one transaction; plans that are missing from it can no longer be chosen.
   */
  async function replaceFromFile(entries: readonly PlanEntry[]): Promise<void> {
    await database.transaction().execute(async (transaction) => {
      await transaction.updateTable('plan').set({ isActive: 0, isDefault: 0, updatedAt: now() }).where('source', '=', 'file').execute()
      // Plans may have swapped their price ids within the file.
      for (const { id } of entries) await transaction.updateTable('plan').set({ priceId: null }).where('id', '=', id).execute()
      for (const entry of entries) await write(transaction, entry, 'file')
    })
  }

  /** Adds plans, or changes those with their ids, in one transaction. */
  async function keep(entries: readonly PlanEntry[]): Promise<void> {
    await database.transaction().execute(async (transaction) => {
      for (const entry of entries) await write(transaction, entry, 'admin')
    })
  }

  /** There is at most one free plan: making a plan the free one ends that of another. */
  async function write(transaction: Transaction, { isDefault, isActive, features, ...entry }: PlanEntry, source: PlanSource) {
    const at = now()
    if (isDefault) await transaction.updateTable('plan').set({ isDefault: 0, updatedAt: at }).where('isDefault', '=', 1).execute()
    if (entry.priceId !== null)
      await transaction
        .updateTable('plan')
        .set({ priceId: null })
        .where('priceId', '=', entry.priceId)
        .where('id', '!=', entry.id)
        .execute()
    const row = {
      ...entry,
      isDefault: Number(isDefault),
      isActive: Number(isActive),
      features: JSON.stringify(features),
      source,
      updatedAt: at,
    }
    await transaction
      .insertInto('plan')
      .values({ ...row, createdAt: at })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute()
  }
}

export type Catalogue = ReturnType<typeof createCatalogue>

/** All plans in order, including those that cannot be chosen. */
export const selectPlans = (rows: Rows) => rows.selectFrom('plan').selectAll().orderBy('position').orderBy('price').orderBy('id')
