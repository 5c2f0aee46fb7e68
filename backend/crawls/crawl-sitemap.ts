/**
 * A crawl's list of links: every URL in scope that it saw, and every page that it visited.
 *
 * Read in batches in the order of discovery, so that a crawl of a million URLs neither fills the memory nor blocks other work. The URLs of
 * a run are unique already. A visited page is looked up by the key of its final URL, and one bit per page records whether it was listed;
 * pages that were only reached by a redirect follow at the end.
 */
import { setImmediate } from 'node:timers/promises'
import type { SitePage } from '#contract/sitemaps.ts'
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import type { Database } from '#backend/platform/database/database.ts'
import type { Run } from '#backend/runs/run.ts'

/** A link with its shortest text, or the page's title when no link had a text. */
type ListedPage = { url: string; title: string | null }

export type ListedRun = Pick<Run, 'no' | 'kept'>

const ROWS_AT_ONCE = 2000
const MAX_TITLE = 100

export function createCrawlSitemap({ database }: { database: Database }) {
  return { read }

  /** The list, in batches. */
  async function* read({ no: runNo, kept }: ListedRun): AsyncGenerator<ListedPage[]> {
    const listed = new Uint8Array(Math.ceil((kept + 1) / 8))
    for (let after = -1; ;) {
      const rows = await linksAfter(runNo, after)
      const last = rows.at(-1)
      if (!last) break
      after = last.seq
      const batch: ListedPage[] = []
      for (const { url, title, outcome, pageNo, pageTitle } of rows) {
        if (pageNo === null) {
          if (title !== '' && outcome !== 'out_of_scope') batch.push({ url, title })
          continue
        }
        const ordinal = pageNo - runNo * PAGES_PER_RUN
        if (hasBit(listed, ordinal)) continue
        setBit(listed, ordinal)
        batch.push({ url, title: title || titleOf(pageTitle) })
      }
      yield batch
      await setImmediate()
    }
    for (let after = 0; after < kept; after += ROWS_AT_ONCE) {
      const rows = await pagesAfter(runNo, after)
      yield rows.flatMap(({ no, url, title }) => (hasBit(listed, no - runNo * PAGES_PER_RUN) ? [] : [{ url, title: titleOf(title) }]))
      await setImmediate()
    }
  }

  async function linksAfter(runNo: number, after: number) {
    return database
      .selectFrom('runUrl')
      .leftJoin('page', (join) =>
        join.onRef('page.runNo', '=', 'runUrl.runNo').onRef('page.keyHi', '=', 'runUrl.keyHi').onRef('page.keyLo', '=', 'runUrl.keyLo'),
      )
      .where('runUrl.runNo', '=', runNo)
      .where('runUrl.seq', '>', after)
      .select(['runUrl.seq', 'runUrl.url', 'runUrl.title', 'runUrl.outcome', 'page.no as pageNo', 'page.title as pageTitle'])
      .orderBy('runUrl.seq')
      .limit(ROWS_AT_ONCE)
      .execute()
  }

  async function pagesAfter(runNo: number, after: number) {
    const first = runNo * PAGES_PER_RUN
    return database
      .selectFrom('page')
      .where('no', '>', first + after)
      .where('no', '<=', first + after + ROWS_AT_ONCE)
      .select(['no', 'url', 'title'])
      .orderBy('no')
      .execute()
  }
}

/** Converts a listed page for the site tree; omits an unknown title. */
export const toSitePage = ({ url, title }: ListedPage): SitePage => (title === null ? { url } : { url, title })

function titleOf(title: string | null): string | null {
  const shown = (title ?? '').replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return shown === '' ? null : Array.from(shown).slice(0, MAX_TITLE).join('')
}

const hasBit = (bits: Uint8Array, at: number) => (((bits[at >> 3] ?? 0) >> (at & 7)) & 1) === 1

function setBit(bits: Uint8Array, at: number) {
  bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7))
}
