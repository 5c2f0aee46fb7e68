import { sql } from 'kysely'
import type { SelectQueryBuilder } from 'kysely'

/** How many rows a query selects. */
export async function countRows<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): Promise<number> {
  const { total } = await query
    .clearSelect()
    .$castTo<{ total: number }>()
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}
