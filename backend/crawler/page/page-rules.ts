/** What a parser thread must know about a run before it can read a page for it: plain values that travel once per run and thread. */
import type { SaidByAnswer } from './answer-links.ts'
import type { PageBody } from './page-body.ts'
import type { ActivePlugin } from '#backend/crawler/plugins/plugin.ts'
import type { PluginFault } from '#backend/crawler/plugins/run-plugins.ts'
import type { ExtractionRules } from './extraction-rules.ts'
import type { TrapOutcome } from '#backend/crawler/outcomes.ts'
import type { ScopeRules } from '#backend/crawler/url/scope.ts'

export type PageRules = {
  /** The name of these rules; a run whose scope has grown gets new rules under a new name. */
  name: string
  /** The share that pays for the time of its pages. */
  share?: string
  extraction: ExtractionRules
  scope: ScopeRules
  includeLinks: boolean
  /** Lists every link of a page in its order, not only links in scope, sorted. */
  allLinks?: boolean
  /** Removes the query of links. */
  ignoresQuery?: boolean
  /** A secret of the run, part of its URL keys. */
  salt: Uint8Array
  /** The largest number of decoded bytes of one page. */
  maxBytes: number
  /** There is a browser, so report pages that need one. */
  findsShells?: boolean
  /** Absent or empty: pages are read as if there were no plugins. */
  plugins?: ActivePlugin[]
}

/** The origin's validators, for requesting the page again only if it has changed (RFC 9110, 8.8). */
export type Validators = { etag: string | null; lastModified: string | null }

/** One fetched body on its way to a parser thread. */
export type PageJob = {
  id: number
  rules: string
  body: Uint8Array<ArrayBuffer>
  contentEncoding: string
  contentType: string | null
  status: number
  url: string
  /** Absent when the answer has none of these headers. */
  said?: SaidByAnswer
  /** As the origin named them; stored with the page. */
  validators?: Validators
  /** Facts about how the page was rendered; added to its metadata. */
  metadata?: Record<string, string>
  /** Keys of plugins that have exhausted a thread with this page: they are skipped. */
  exhausted?: string[]
}

/**
 * The links of a page in one block: the event loop reads the numbers and cuts out a text only for a URL that it does not know. Five numbers
 * per link: both halves of the URL key, the ends of its URL and its title in `text`, and its note (0: in scope; `NOFOLLOW`: in scope, and
 * fetched after all others).
 */
export type LinkBlock = { numbers: Int32Array<ArrayBuffer>; text: string; notes: LinkNote[] }
export const LINK_STRIDE = 5
export const NOFOLLOW = -1

/** The reason why links will not be followed; note n is at `notes[n - 1]`. */
export type LinkNote = { outcome: 'out_of_scope' | TrapOutcome; detail: string }

export type ParsedPage = PageBody & {
  kind: 'page'
  id: number
  /** Processor time that the page took, in milliseconds. */
  cpuMs: number
  title: string | null
  /** Facts of its metadata. */
  description: string | null
  language: string | null
  mediaType: string
  canonicalUrl: string | null
  /** Key of the final URL. */
  keyHi: number
  keyLo: number
  /** SHA-256 of the Markdown, first 16 bytes in hexadecimal. */
  contentHash: string
  /** Pages with the same number are copies; null for a page without text. */
  copyKey: number | null
  decodedBytes: number
  links: LinkBlock
  linksDropped: number
  /** Why a browser is needed to read it. */
  shell?: string
  /** Absent when all plugins worked. */
  pluginFaults?: PluginFault[]
}

export type ParseRefusal = {
  kind: 'refusal'
  id: number
  cpuMs: number
  outcome: 'unsupported_type' | 'unparsable' | 'too_large' | 'bad_encoding'
  detail: string
}

export type ParseReply = ParsedPage | ParseRefusal

/**
 * A message to a thread: new rules first, then pages. Batches of a thread are numbered consecutively; a message without pages has the
 * number 0.
 */
export type ParseBatch = { no: number; rules: PageRules[]; forget: string[]; pages: PageJob[] }

/** A message of a thread: that it has started, then its replies to one batch after the other. */
export type ParseAnswer = 'ready' | ParseReply[]
