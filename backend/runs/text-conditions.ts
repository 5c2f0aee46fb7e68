/** The conditions of a text filter in SQL. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { TextFilter } from '#backend/http/query-filters.ts'

/** One condition for each part of the filter that is set; all must hold. `instr` is case-sensitive; LIKE is not everywhere. */
export function textConditions(column: string, { oneOf, contains, startsWith }: TextFilter): RawBuilder<boolean>[] {
  const text = sql.ref<string>(column)
  return [
    ...(oneOf === undefined ? [] : [sql<boolean>`${text} IN (${sql.join(oneOf)})`]),
    ...(contains === undefined ? [] : [anyOf(contains.map((part) => sql`instr(${text}, ${part}) > 0`))]),
    ...(startsWith === undefined ? [] : [anyOf(startsWith.map((part) => sql`instr(${text}, ${part}) = 1`))]),
  ]
}

const anyOf = (conditions: readonly RawBuilder<unknown>[]) => sql<boolean>`(${sql.join(conditions, sql` OR `)})`
