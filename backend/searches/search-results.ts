/** The stored hits of searches: JSON text that the API returns unchanged. */
import type { Database } from '#backend/platform/database/database.ts'

export function createSearchResults({ database }: { database: Database }) {
  return { read, readAll }

  /** The list as JSON text; null when the search has none. */
  async function read(runNo: number): Promise<string | null> {
    const row = await database.selectFrom('searchResult').where('runNo', '=', runNo).select('items').executeTakeFirst()
    return row?.items ?? null
  }

  /** The same for many searches, by their numbers; searches without a list are left out. */
  async function readAll(runNos: readonly number[]): Promise<Map<number, string>> {
    if (runNos.length === 0) return new Map()
    const rows = await database.selectFrom('searchResult').where('runNo', 'in', runNos).select(['runNo', 'items']).execute()
    return new Map(rows.map(({ runNo, items }) => [runNo, items]))
  }
}

export type SearchResults = ReturnType<typeof createSearchResults>
