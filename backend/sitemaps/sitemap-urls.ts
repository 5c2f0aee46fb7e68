/** The stored URLs of sitemaps, read in batches, so that a million of them neither fill the memory nor block other work. */
import { sql } from 'kysely'
import { setImmediate } from 'node:timers/promises'
import type { SitemapUrl } from '#contract/sitemaps.ts'
import type { PageWindow } from '#backend/http/pagination.ts'
import type { TextFilter } from '#backend/http/query-filters.ts'
import { countRows } from '#backend/platform/database/count-rows.ts'
import type { Database } from '#backend/platform/database/database.ts'
import { textConditions } from '#backend/runs/text-conditions.ts'

/** A range of URLs by their index in the list; `to` is exclusive. */
export type Span = { from: number; to: number }

const ROWS_AT_ONCE = 2000

export function createSitemapUrls({ database }: { database: Database }) {
  return { bytes, count, list, read }

  /** All URLs of a span, in order. */
  async function* read(runNo: number, { from, to }: Span = { from: 0, to: Number.MAX_SAFE_INTEGER }): AsyncGenerator<SitemapUrl[]> {
    for (let after = from - 1; ;) {
      const rows = await rowsOf(runNo)
        .where('seq', '>', after)
        .where('seq', '<', to)
        .select(['seq', 'url', 'lastmod'])
        .orderBy('seq')
        .limit(ROWS_AT_ONCE)
        .execute()
      const last = rows.at(-1)
      if (!last) return
      after = last.seq
      yield rows.map(({ url, lastmod }) => ({ url, lastmod }))
      await setImmediate()
    }
  }

  async function count(runNo: number): Promise<number> {
    const last = await rowsOf(runNo).select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
    return last === undefined ? 0 : last.seq + 1
  }

  /** One page of the URLs. */
  async function list(runNo: number, filter: TextFilter, windowOf: (count: number) => PageWindow) {
    const conditions = textConditions('url', filter)
    if (conditions.length === 0) {
      const window = windowOf(await count(runNo))
      return { window, urls: await page(runNo, { from: window.offset, to: window.offset + window.pageSize }) }
    }
    const filtered = rowsOf(runNo).where(sql<boolean>`${sql.join(conditions, sql` AND `)}`)
    const window = windowOf(await countRows(filtered))
    const urls = await filtered.select(['url', 'lastmod']).orderBy('seq').limit(window.pageSize).offset(window.offset).execute()
    return { window, urls }
  }

  async function page(runNo: number, { from, to }: Span): Promise<SitemapUrl[]> {
    return rowsOf(runNo).where('seq', '>=', from).where('seq', '<', to).select(['url', 'lastmod']).orderBy('seq').execute()
  }

  /** Bytes of a span in XML, without markup. */
  async function bytes(runNo: number, { from, to }: Span): Promise<number> {
    // Escaping in XML adds four characters to an ampersand, and five to an apostrophe.
    const { sum } = await rowsOf(runNo)
      .where('seq', '>=', from)
      .where('seq', '<', to)
      .select(
        sql<number>`coalesce(sum(length(replace(replace(url, '&', '12345'), '''', '123456')) + coalesce(length(lastmod), 0)), 0)`.as('sum'),
      )
      .executeTakeFirstOrThrow()
    return sum
  }

  function rowsOf(runNo: number) {
    return database.selectFrom('sitemapUrl').where('runNo', '=', runNo)
  }
}

export type SitemapUrls = ReturnType<typeof createSitemapUrls>
