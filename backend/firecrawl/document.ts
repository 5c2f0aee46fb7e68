/** A stored page in the shape of a Firecrawl document. The same page always gives the same text: clients tell documents apart by it. */
import type { ChangeTracking } from './change-tracking.ts'
import { modelFieldsOf } from './model-question.ts'
import type { Asked } from './scrape-spec.ts'

export type DocumentFacts = {
  /** As it was asked for. */
  sourceURL: string
  /** Where it came from in the end. */
  url: string
  scrapeId: string
  /** A signed link, where there is one. */
  screenshot?: string | undefined
  /** Signed links to what actions have captured. */
  actions?: { screenshots: string[]; pdfs: string[] } | undefined
  /** What has become of the page since it was stored before, where that was asked. */
  changes?: ChangeTracking | undefined
  /** Of a single scrape alone. */
  cache?: { state: 'hit' | 'miss'; cachedAt?: string }
}

/** What the crawler has stored. */
type Stored = {
  metadata?: Record<string, string | null>
  markdown: string
  links?: string[]
  html?: string
  raw_html?: string
  images?: string[]
  attributes?: unknown[]
  /** What a language model has read from it. */
  extraction?: unknown
}

/** Firecrawl's names of our metadata. `undefined` leaves an entry out. */
const NAMES: Readonly<Record<string, string | undefined>> = {
  status_code: undefined,
  content_type: 'contentType',
  published_time: 'publishedTime',
  modified_time: 'modifiedTime',
  'og:title': 'ogTitle',
  'og:description': 'ogDescription',
  'og:url': 'ogUrl',
  'og:image': 'ogImage',
  'og:audio': 'ogAudio',
  'og:determiner': 'ogDeterminer',
  'og:locale': 'ogLocale',
  'og:site_name': 'ogSiteName',
  'og:video': 'ogVideo',
  'article:published_time': 'publishedTime',
  'article:modified_time': 'modifiedTime',
  'article:tag': 'articleTag',
  'article:section': 'articleSection',
  'dcterms.created': 'dcTermsCreated',
  'dc.date.created': 'dcDateCreated',
  'dc.date': 'dcDate',
  'dcterms.type': 'dcTermsType',
  'dc.type': 'dcType',
  'dcterms.audience': 'dcTermsAudience',
  'dcterms.subject': 'dcTermsSubject',
  'dc.subject': 'dcSubject',
  'dc.description': 'dcDescription',
  'dcterms.keywords': 'dcTermsKeywords',
}

/** @param stored  the document's JSON text */
export function presentDocument(
  stored: Uint8Array,
  { formats, model }: Pick<Asked, 'formats' | 'model'>,
  facts: DocumentFacts,
): Record<string, unknown> {
  const page = JSON.parse(Buffer.from(stored).toString()) as Stored
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
    ...(facts.actions !== undefined && { actions: { ...facts.actions, scrapes: [], javascriptReturns: [] } }),
    ...(facts.changes !== undefined && { changeTracking: facts.changes }),
    metadata: metadataOf(page.metadata ?? {}, facts),
  }
}

function metadataOf(stored: Record<string, string | null>, { cache, scrapeId, sourceURL, url }: DocumentFacts): Record<string, unknown> {
  const named: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(stored)) {
    if (value === null) continue
    const other = NAMES[name.toLowerCase()]
    if (other !== undefined) named[other] ??= value
    // As the page wrote it, too.
    if (name !== 'status_code' && name !== 'content_type') named[name] ??= value
  }
  const statusCode = Number(stored['status_code'] ?? 200)
  return {
    ...named,
    sourceURL,
    url,
    statusCode,
    ...(statusCode >= 400 && { error: `The site answered ${statusCode}` }),
    scrapeId,
    proxyUsed: 'basic',
    creditsUsed: 1,
    ...(cache && { cacheState: cache.state, ...(cache.cachedAt !== undefined && { cachedAt: cache.cachedAt }) }),
  }
}
