import { missingHolders } from '#backend/crawler/page/page-groups.ts'
import type { BodyRow } from '#backend/crawler/page/page-groups.ts'
import type { PostgresPool } from '#backend/platform/database/postgres/postgres.ts'

/** The rows that hold the bytes of these pages and are not among them. */
export async function holdersOf(client: Pick<PostgresPool, 'query'>, rows: readonly BodyRow[]): Promise<BodyRow[]> {
  const missing = missingHolders(rows)
  if (missing.length === 0) return []
  const { rows: holders } = await client.query<BodyRow>(
    'SELECT page_no AS no, encoding, body FROM page_body WHERE page_no = ANY($1::bigint[])',
    [missing],
  )
  return holders
}
