/** Stored pages as the engine writes them, and an index of them, in a temporary directory. */
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { openSqlite } from '#backend/platform/database/sqlite.ts'
import { createIds } from '#backend/platform/ids.ts'
import { createFindPages } from '#backend/searches/own-index/find-pages.ts'
import type { OwnFilters, OwnSearchAnswer, OwnSearchRequest } from '#backend/searches/own-index/find-pages.ts'
import { createFollower } from '#backend/searches/own-index/follower.ts'
import { indexFileOf, openIndex } from '#backend/searches/own-index/index-file.ts'
import { writeMigrated } from '../migrated.ts'
import { atEnd } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

export type NewPage = {
  url?: string
  title?: string | null
  description?: string
  text?: string
  language?: string | null
  at?: number
  /** Stands for the document as it is. */
  json?: string
}

const PAGES_PER_RUN = 2 ** 24
export const T0 = Date.UTC(2026, 2, 4, 9)

export type OwnPages = ReturnType<typeof makeOwnPages>

export function makeOwnPages() {
  const directory = temporaryFolder('seine-own-')
  const database = join(directory, 'seine.db')
  writeMigrated(database)
  const pages = openSqlite(database, { cacheMiB: 4 })
  atEnd(() => void pages.close())
  let clock = T0
  const newId = createIds(() => clock)
  const file = indexFileOf(database)
  let urls = 0
  return { directory, database, file, pages, newId, team, run, keep, end, remove, follow, openFollower, search }

  function team(ownerId: string | null = null): string {
    const id = newId()
    pages
      .prepare('INSERT INTO team (id, name, is_default, owner_id, created_at, updated_at) VALUES (?, ?, 1, ?, ?, ?)')
      .run(id, 'team', ownerId, clock, clock)
    return id
  }

  function run(teamId: string): { no: number; id: string } {
    const id = newId()
    const { lastInsertRowid } = pages
      .prepare(
        `INSERT INTO run (id, team_id, kind, variant, status, label, page_limit, seeds, url_salt, created_at, updated_at)
         VALUES (?, ?, 'crawl', 'single', 'running', 'x', 1000000, 1, x'00', ?, ?)`,
      )
      .run(id, teamId, clock, clock)
    return { no: Number(lastInsertRowid), id }
  }

  /** Stores further pages of a run in one commit. Returns their ids. */
  function keep(runNo: number, some: NewPage[]): string[] {
    return pages
      .transaction(() => {
        const { kept } = pages.prepare('SELECT kept FROM run WHERE no = ?').get(runNo) as { kept: number }
        const ids = some.map((page, at) => insertPage(runNo, kept + at + 1, page))
        pages.prepare('UPDATE run SET kept = kept + ? WHERE no = ?').run(some.length, runNo)
        return ids
      })
      .immediate()
  }

  function insertPage(runNo: number, ordinal: number, page: NewPage): string {
    const { title = 'A page', description, text = '', language = 'en', at = (clock += 1000) } = page
    const url = page.url ?? `https://site.example/page-${(urls += 1)}`
    const id = newId()
    const no = runNo * PAGES_PER_RUN + ordinal
    pages
      .prepare(
        `INSERT INTO page (no, id, run_no, key_hi, key_lo, url, title, http_status, content_type, language, content_hash, event_seq, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, 200, 'text/html', ?, '', ?, ?)`,
      )
      .run(no, id, runNo, ordinal, ordinal, url, title, language, ordinal, at)
    const json = page.json ?? JSON.stringify({ metadata: { title, ...(description && { description }) }, markdown: text })
    const raw = Buffer.from(json)
    const isLong = raw.length > 512
    pages
      .prepare('INSERT INTO page_body (page_no, encoding, raw_bytes, body) VALUES (?, ?, ?, ?)')
      .run(no, isLong ? 1 : 0, raw.length, isLong ? zstdCompressSync(raw) : raw)
    return id
  }

  function end(runNo: number) {
    pages.prepare("UPDATE run SET status = 'finished', ended_at = ? WHERE no = ?").run(clock, runNo)
  }

  function remove(runNo: number) {
    pages.prepare('UPDATE run SET deleted_at = ? WHERE no = ?').run(clock, runNo)
  }

  /** @param usedMs  the follower's clock; by default real time */
  function openFollower(usedMs?: () => number) {
    const index = openIndex(file)
    return { index, ...createFollower({ pages, index, ...(usedMs && { usedMs }) }) }
  }

  /** Follows until nothing is left to do. Returns how many pages it indexed. */
  function follow(): number {
    const follower = openFollower()
    let added = 0
    try {
      follower.look()
      for (let done = follower.step(); done !== null; done = follower.step()) added += done.added
      return added
    } finally {
      follower.index.close()
    }
  }

  function search(teamId: string, query: string, filters: Partial<OwnFilters> = {}, more: Partial<OwnSearchRequest> = {}): OwnSearchAnswer {
    const index = openIndex(file)
    try {
      const all = { site: null, crawl: null, since: null, until: null, language: null, ...filters }
      return createFindPages({ pages, index })({ teamId, query, filters: all, isTyping: false, limit: 25, offset: 0, ...more })
    } finally {
      index.close()
    }
  }
}
