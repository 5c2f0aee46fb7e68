/** What a parser thread must know about a run before it can read a page for it: plain values that travel once per run and thread. */
import type { SaidByAnswer } from './answer-links.ts'
import type { PageBody } from './page-body.ts'
import type { ActivePlugin } from '#backend/crawler/plugins/plugin.ts'
import type { PluginFault } from '#backend/crawler/plugins/run-plugins.ts'
import type { ExtractionRules } from './read-page.ts'
import type { ScopeRules } from '#backend/crawler/url/scope.ts'

export type PageRules = {
  /** Names these rules; a run whose scope grew gets new rules under a new name. */
  name: string
  /** Whose part of the threads its pages take. */
  share?: string
  extraction: ExtractionRules
  scope: ScopeRules
  includeLinks: boolean
  /** Every link of a page is listed, not those alone that are in scope. */
  allLinks?: boolean
  /** Links are taken without their query. */
  ignoresQuery?: boolean
  /** Secret of the run, in its URL keys. */
  salt: Uint8Array
  /** Most decoded bytes of one page. */
  maxBytes: number
  /** There is a browser: pages that need one are named. */
  findsShells?: boolean
  /** Absent or empty: pages are read as if there were no plugins. */
  plugins?: ActivePlugin[]
}

/** What an origin says by which its page can be asked for again only when it has changed (RFC 9110, 8.8). */
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
  /** What is known of the page besides its answer; stands among its metadata. */
  metadata?: Record<string, string>
  /** Keys of plugins that have exhausted a thread with this page: they are left out. */
  exhausted?: string[]
}

/**
 * The links of a page in one block: the event loop looks at the numbers and cuts out a text only for a URL that it does not know.
 * Five numbers a link: both halves of the URL key, where its URL and its title end in `text`, and its note (0: in scope).
 */
export type LinkBlock = { numbers: Int32Array<ArrayBuffer>; text: string; notes: LinkNote[] }
export const LINK_STRIDE = 5

/** Why links will not be followed; note n stands at `notes[n - 1]`. */
export type LinkNote = { outcome: 'out_of_scope' | `trap:${string}`; detail: string }

export type ParsedPage = PageBody & {
  kind: 'page'
  id: number
  /** Processor time that the page took, in milliseconds. */
  cpuMs: number
  title: string | null
  /** What its metadata say of it. */
  description: string | null
  language: string | null
  mediaType: string
  canonicalUrl: string | null
  /** Key of the final URL. */
  keyHi: number
  keyLo: number
  /** SHA-256 of the Markdown, first 16 bytes in hexadecimal. */
  contentHash: string
  decodedBytes: number
  links: LinkBlock
  linksDropped: number
  /** Why a browser is needed to read it. */
  shell?: string
  /** Absent when all is well. */
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

/** What goes to a thread: new rules first, then pages. Batches of a thread are numbered in order; those without pages have the number 0. */
export type ParseBatch = { no: number; rules: PageRules[]; forget: string[]; pages: PageJob[] }

/** What a thread says: that it has started, then its replies to one batch after the other. */
export type ParseAnswer = 'ready' | ParseReply[]
