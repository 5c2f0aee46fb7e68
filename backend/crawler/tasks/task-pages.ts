/** How a task reads pages: fetched in turn, parsed in the threads that parse the pages of crawls. */
import { randomBytes } from 'node:crypto'
import type { FetchOutcome } from '#backend/crawler/fetch/fetcher.ts'
import { LINK_STRIDE } from '#backend/crawler/page/page-rules.ts'
import type { LinkBlock, PageRules } from '#backend/crawler/page/page-rules.ts'
import type { ParsePool } from '#backend/crawler/page/parse-pool.ts'
import type { PageAnswer, TaskContext, TaskPage, TaskRequest } from './task.ts'

/** One set of rules for the pages of all tasks. */
const RULES = 'tasks'

/** Tells the pool once how pages of tasks are read: whole, with every link, in whatever scope. */
export function definePageRules(pool: ParsePool, maxBytes: number): void {
  const rules: PageRules = {
    name: RULES,
    extraction: { includeHtml: false, onlyMainContent: false, includeTags: [], excludeTags: [] },
    scope: { allowedDomains: [], includePaths: [], excludePaths: [], seedHosts: [] },
    includeLinks: false,
    salt: randomBytes(16),
    maxBytes,
  }
  pool.define(rules)
}

/**
 * Reads what a fetch came to.
 *
 * @param holdBytes  told of bytes that wait for a parser, and of their end
 * @param share      whose part of the threads the pages take
 */
export function createReadOutcome({
  holdBytes,
  pool,
  share,
}: {
  holdBytes: (change: number) => void
  pool: ParsePool
  share: string
}): (outcome: FetchOutcome) => Promise<PageAnswer> {
  return async (outcome) => {
    if (outcome.kind !== 'fetched') return { outcome, page: null }
    const { status } = outcome
    if (status >= 300 || status === 204 || status === 205) return { outcome, page: null, unread: `HTTP ${status}` }
    return read(outcome)
  }

  async function read(outcome: Extract<FetchOutcome, { kind: 'fetched' }>): Promise<PageAnswer> {
    const { body, headers, status, url } = outcome
    holdBytes(body.length)
    const reply = await pool.parse({ share, rules: RULES, body, contentEncoding: '', contentType: headers.contentType, status, url })
    holdBytes(-body.length)
    if (reply.kind === 'refusal') return { outcome, page: null, unread: `${reply.outcome}: ${reply.detail}` }
    const { canonicalUrl, description, language, title } = reply
    return { outcome, page: { url, title, description, language, canonicalUrl, links: linksOf(reply.links) } }
  }
}

export const createReadPage =
  (ask: TaskContext['fetch'], read: (outcome: FetchOutcome) => Promise<PageAnswer>): TaskContext['readPage'] =>
  async (url, options) =>
    read(await ask({ url, ...options } satisfies TaskRequest))

function linksOf({ numbers, text }: LinkBlock): TaskPage['links'] {
  const links = new Map<string, TaskPage['links'][number]>()
  let from = 0
  for (let at = 0; at < numbers.length; at += LINK_STRIDE) {
    const urlEnd = numbers[at + 2]!
    const textEnd = numbers[at + 3]!
    const url = text.slice(from, urlEnd)
    const known = links.get(url)
    // Of several texts the first that says something.
    if (known === undefined) links.set(url, { url, text: text.slice(urlEnd, textEnd) })
    else if (known.text === '') known.text = text.slice(urlEnd, textEnd)
    from = textEnd
  }
  return [...links.values()]
}
