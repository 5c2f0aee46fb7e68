/** The search over a team's own pages: everything that its crawls have kept. */
import * as z from 'zod/mini'
import { endpoint, paged } from './endpoint.ts'
import { queryFlag, text } from './fields.ts'

/** Longest query, in characters. */
export const MAX_OWN_QUERY = 500

/** A piece of a text; `is_match` when it is a word of the query. Plain text, never HTML: clients must escape it. */
export const markedPart = z.object({ text: z.string(), is_match: z.boolean() })
export type MarkedPart = z.output<typeof markedPart>

export const ownPageHit = z.object({
  /** The page: `GET crawl-requests/{crawl_uuid}/results/{uuid}/?prefetched=true` reads it. */
  uuid: z.string(),
  crawl_uuid: z.string(),
  url: z.string(),
  /** The title in pieces; empty for a page without one. */
  title: z.array(markedPart),
  /** A passage of the page that matches the query, in pieces; empty if the page has no text. */
  snippet: z.array(markedPart),
  /** Two letters, if it is known. */
  language: z.nullable(z.string()),
  /** When this version of the page was stored. */
  created_at: z.string(),
  /** False for a version that a later crawl of the same URL has replaced. */
  is_newest: z.boolean(),
  /** Larger is better; comparable within one answer only. */
  score: z.number(),
})
export type OwnPageHit = z.output<typeof ownPageHit>

export const ownPagesAnswer = z.extend(paged(ownPageHit), {
  /** A corrected spelling of the query that finds pages, if a word of the query is on no page. */
  suggestion: z.nullable(z.string()),
  /** Words of the query that were ignored: they are on no page, or no page has all words. */
  ignored_words: z.array(z.string()),
  /** False if the search stopped at its limit of matches or of time: `count` is then a lower bound. */
  is_complete: z.boolean(),
  took_ms: z.int(),
  /** Progress of the index: pages of the team in it, and stored pages that are not indexed yet. */
  index: z.object({ indexed: z.int(), behind: z.int() }),
})
export type OwnPagesAnswer = z.output<typeof ownPagesAnswer>

export const searchOwnPages = endpoint({
  method: 'GET',
  path: '/api/v1/core/own-pages/search/',
  access: 'team',
  tag: 'Own Pages',
  summary: "Search the team's own pages, best first",
  description:
    'With one or two words, a page must have all of them. With more, as in a question, it must have one of the rarest words, and pages with more of the words are ranked higher. Words that are on no page are ignored, and frequent ones if nothing else matches; `ignored_words` names them. Other forms of a word are found too, as `crawl` for `crawling`, after those with the word as it is written, in the languages that have a stemmer; two words also find the word that they make together. Pages whose title or URL names the query are ranked higher. `"several words"` is a phrase, `-word` leaves pages out, `begin*` is the beginning of a word (three letters or more): these are literal; `site:docs.example.com/path` restricts the search to a site. ' +
    "If a URL was stored several times, the newest version is found; with `crawl`, that crawl's version. " +
    '`since` and `until` are dates or instants, `language` has two letters, `typing` treats the last word as the beginning of a word. ' +
    'Pages of a running crawl are found within seconds; `index` says how many are not indexed yet.',
  query: z.object({
    q: z._default(text({ max: MAX_OWN_QUERY, blank: true }), ''),
    site: z.optional(z.string()),
    crawl: z.optional(z.string()),
    since: z.optional(z.string()),
    until: z.optional(z.string()),
    language: z.optional(z.string()),
    typing: queryFlag(),
    page: z.optional(z.unknown()),
    page_size: z.optional(z.unknown()),
  }),
  answer: ownPagesAnswer,
})
