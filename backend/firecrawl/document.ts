/** Converts a stored page to a Firecrawl document. The same page always gives the same text, because clients compare documents by it. */
import type { Scraped } from './captures.ts'
import type { ChangeTracking } from './change-tracking.ts'
import { modelFieldsOf } from './model-question.ts'
import type { Asked } from './scrape-spec.ts'

export type DocumentFacts = {
  /** The submitted URL. */
  sourceURL: string
  /** The final URL. */
  url: string
  /** Of the answer; absent for a file without one. The metadata of the same names may be the page's own. */
  status?: number
  contentType: string | null
  scrapeId: string
  /** A signed link, if there is a screenshot. */
  screenshot?: string | undefined
  /** Signed links to the captures of actions, and the documents that they captured. */
  actions?: { screenshots: string[]; pdfs: string[]; scrapes: Scraped[] } | undefined
  /** How the page has changed since it was last stored, if requested. */
  changes?: ChangeTracking | undefined
  /** What this installation could not do for the page, as texts for the caller. */
  warnings?: readonly string[]
  /** Only for a single scrape. */
  cache?: { state: 'hit' | 'miss'; cachedAt?: string }
}

/** The stored document. */
type Stored = {
  metadata?: Record<string, string | null>
  markdown: string
  links?: string[]
  html?: string
  raw_html?: string
  images?: string[]
  attributes?: unknown[]
  /** What a language model has extracted. */
  extraction?: unknown
}

/** Firecrawl's names for our metadata. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['published_time', 'publishedTime'],
  ['modified_time', 'modifiedTime'],
  ['og:title', 'ogTitle'],
  ['og:description', 'ogDescription'],
  ['og:url', 'ogUrl'],
  ['og:image', 'ogImage'],
  ['og:audio', 'ogAudio'],
  ['og:determiner', 'ogDeterminer'],
  ['og:locale', 'ogLocale'],
  ['og:site_name', 'ogSiteName'],
  ['og:video', 'ogVideo'],
  ['article:published_time', 'publishedTime'],
  ['article:modified_time', 'modifiedTime'],
  ['article:tag', 'articleTag'],
  ['article:section', 'articleSection'],
  ['dcterms.created', 'dcTermsCreated'],
  ['dc.date.created', 'dcDateCreated'],
  ['dc.date', 'dcDate'],
  ['dcterms.type', 'dcTermsType'],
  ['dc.type', 'dcType'],
  ['dcterms.audience', 'dcTermsAudience'],
  ['dcterms.subject', 'dcTermsSubject'],
  ['dc.subject', 'dcSubject'],
  ['dc.description', 'dcDescription'],
  ['dcterms.keywords', 'dcTermsKeywords'],
])

/** What an answer says about the scrape; metadata that the page itself has under these names are left out. */
const OURS: ReadonlySet<string> = new Set([
  'sourceURL',
  'url',
  'statusCode',
  'contentType',
  'error',
  'numPages',
  'totalPages',
  'scrapeId',
  'proxyUsed',
  'creditsUsed',
  'cacheState',
  'cachedAt',
])

const PDF = 'application/pdf'

/** @param stored  the document's JSON text */
export function presentDocument(
  stored: Uint8Array,
  { formats, hasActions, model }: Pick<Asked, 'formats' | 'hasActions' | 'model'>,
  facts: DocumentFacts,
): Record<string, unknown> {
  const page = JSON.parse(Buffer.from(stored).toString()) as Stored
  const warnings = [...(facts.warnings ?? []), ...(hasActions === true ? failedActions(page.metadata ?? {}) : [])]
  const wants = (name: Asked['formats'][number]) => formats.includes(name)
  return {
    ...(wants('markdown') && { markdown: page.markdown }),
    ...(wants('html') && { html: page.html ?? '' }),
    ...(wants('rawHtml') && { rawHtml: page.raw_html ?? '' }),
    ...(wants('links') && { links: page.links ?? [] }),
    ...(wants('images') && { images: page.images ?? [] }),
    ...(wants('attributes') && { attributes: page.attributes ?? [] }),
    ...(model !== undefined && modelFieldsOf(page.extraction, model)),
    ...(facts.screenshot !== undefined && { screenshot: facts.screenshot }),
    ...(facts.actions !== undefined && { actions: { ...facts.actions, javascriptReturns: [] } }),
    ...(facts.changes !== undefined && { changeTracking: facts.changes }),
    ...(warnings.length > 0 && { warning: warnings.join(' ') }),
    metadata: metadataOf(page.metadata ?? {}, facts),
  }
}

function metadataOf(stored: Record<string, string | null>, facts: DocumentFacts): Record<string, unknown> {
  const { cache, contentType, scrapeId, sourceURL, status = 200, url } = facts
  const named = new Map<string, string>()
  const add = (name: string, value: string) => void (named.has(name) || OURS.has(name) || named.set(name, value))
  if (contentType !== null) named.set('contentType', contentType)
  for (const [name, value] of Object.entries(stored)) {
    if (value === null) continue
    const other = NAMES.get(name.toLowerCase())
    if (other !== undefined) add(other, value)
    // Also under the page's own name.
    if (name !== 'status_code' && name !== 'content_type') add(name, value)
  }
  return {
    ...Object.fromEntries(named),
    sourceURL,
    url,
    statusCode: status,
    ...pagesOf(stored, contentType),
    ...(status >= 400 && { error: `The site answered ${status}` }),
    scrapeId,
    proxyUsed: 'basic',
    creditsUsed: 1,
    ...(cache && { cacheState: cache.state, ...(cache.cachedAt !== undefined && { cachedAt: cache.cachedAt }) }),
  }
}

/** Pages of a PDF: those that were read, and all. Other documents may have metadata of these names from their authors. */
function pagesOf(stored: Record<string, string | null>, contentType: string | null): { numPages: number; totalPages: number } | null {
  const total = contentType === PDF ? stored['page_count'] : null
  return total == null ? null : { numPages: Number(stored['pages_read'] ?? total), totalPages: Number(total) }
}

/**
 * The answer with one document. Its warnings are in the document too, because clients of v2 return nothing else.
 *
 * @param more  warnings that the document does not have
 */
export function withWarnings(document: Record<string, unknown>, more: readonly string[] = []): Record<string, unknown> {
  const own = document['warning']
  const warning = [...(typeof own === 'string' ? [own] : []), ...more].join(' ')
  return warning === '' ? { success: true, data: document } : { success: true, data: { ...document, warning }, warning }
}

/** A warning for each action that failed. The metadata of a rendered page have the result of each: `action_1: "click: done"`. */
function failedActions(metadata: Record<string, string | null>): string[] {
  return Object.entries(metadata).flatMap(([name, text]) => {
    const [, type, result] = (/^action_\d+$/.test(name) && /^(\w+): (.*)$/s.exec(String(text))) || []
    if (type === undefined || result === undefined || result.startsWith('done')) return []
    return [`The action ${type === 'type' ? 'write' : type} failed: ${result}.`]
  })
}
