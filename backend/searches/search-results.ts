/** The hits of searches, as they were kept: JSON text that goes over the wire as it is. */
import type { Database } from '#backend/platform/database/database.ts'

export function createSearchResults({ database }: { database: Database }) {
  return { read }

  /** The list as JSON text; null when the search has none. */
  async function read(runNo: number): Promise<string | null> {
    const row = await database.selectFrom('searchResult').where('runNo', '=', runNo).select('items').executeTakeFirst()
    return row?.items ?? null
  }
}

export type SearchResults = ReturnType<typeof createSearchResults>
