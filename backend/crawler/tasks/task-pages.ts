/** Reads pages for a task: fetches them in turn, and parses them in the threads that parse the pages of crawls. */
import { randomBytes } from 'node:crypto'
import { words } from '#backend/crawler/crawl/crawl-texts.ts'
import type { FetchOutcome } from '#backend/crawler/fetch/fetcher.ts'
import { LINK_STRIDE } from '#backend/crawler/page/page-rules.ts'
import type { LinkBlock, PageRules } from '#backend/crawler/page/page-rules.ts'
import type { ParsePool } from '#backend/crawler/page/parse-pool.ts'
import type { PageAnswer, TaskContext, TaskPage, TaskRequest } from './task.ts'

/** One set of parser rules for the pages of all tasks. */
const RULES = 'tasks'

/** Registers the rules for pages of tasks: the whole page, with every link, in any scope. */
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
 * Parses the outcome of a fetch.
 *
 * @param holdBytes  changes the count of bytes that wait for a parser
 * @param share      the share that pays for the parser's time
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
    if (reply.kind === 'refusal') return { outcome, page: null, unread: `${words(reply.outcome)} (${reply.detail})` }
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
    // Of several link texts the first that is not empty.
    if (known === undefined) links.set(url, { url, text: text.slice(urlEnd, textEnd) })
    else if (known.text === '') known.text = text.slice(urlEnd, textEnd)
    from = textEnd
  }
  return [...links.values()]
}
