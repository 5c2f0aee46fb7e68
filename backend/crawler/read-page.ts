import { decodeMarkup } from './charset.ts'
import { documentMarkdown, kindOf, readContentType, readPdf } from './documents.ts'
import { writeHtml } from './formats/html.ts'
import { writeMarkdown } from './formats/markdown.ts'
import { keepMainContent, type Extraction } from './main-content.ts'
import { clip, parsePage, tidy, type PageLink } from './page.ts'
import { dropElements, selectElements } from './select-tags.ts'

export type { PageLink } from './page.ts'

export type ExtractionRules = {
  includeHtml: boolean
  onlyMainContent: boolean
  /** CSS selectors, or a regular expression on tag names between stars. Non-empty: only what matches is kept, the two rules below do not apply. */
  includeTags: string[]
  excludeTags: string[]
}

export type PageSource = {
  /** The body, content encoding removed. */
  bytes: Uint8Array
  /** The header as it came. */
  contentType: string | null
  status: number
  /** The final address. */
  url: string
}

export type PageReading = {
  kind: 'page'
  title: string | null
  language: string | null
  canonicalUrl: string | null
  mediaType: string
  metadata: Record<string, string | null>
  links: PageLink[]
  linksDropped: number
  /** Where `<meta http-equiv=refresh>` leads within ten seconds. */
  refresh: string | null
  markdown: string
  html: string | null
}

export type PageRefusal = { kind: 'refusal'; reason: 'unsupported_type' | 'unparsable'; detail: string }

/**
 * Reads a fetched body: its title, metadata, links and Markdown. No I/O, no clock; the same bytes give the same reading.
 *
 * @returns a reading, or a refusal for types that hold no text and for documents that cannot be parsed; a promise only for PDF
 */
export function readPage(source: PageSource, rules: ExtractionRules): PageReading | PageRefusal | Promise<PageReading | PageRefusal> {
  const { mediaType, charset } = readContentType(source.contentType)
  const kind = kindOf(mediaType, source.bytes)
  switch (kind) {
    case 'unsupported':
      return {
        kind: 'refusal',
        reason: 'unsupported_type',
        detail: clip(mediaType === '' ? 'binary content without a type' : mediaType, 200),
      }
    case 'html':
      return readHtml(source, mediaType === '' || !/html/.test(mediaType) ? 'text/html' : mediaType, charset, rules)
    case 'pdf':
      return readPdfPage(source)
    default: {
      const sniffed =
        mediaType === '' || mediaType === 'application/octet-stream' ? (kind === 'xml' ? 'application/xml' : 'text/plain') : mediaType
      return documentReading(source, sniffed, null, documentMarkdown(kind, source.bytes, charset, sniffed))
    }
  }
}

function readHtml(source: PageSource, mediaType: string, charset: string | null, rules: ExtractionRules): PageReading {
  const page = parsePage(decodeMarkup(source.bytes, charset), source.url)
  let roots = [page.root]
  let isArticle = false
  let extraction: Extraction = 'usual'
  if (rules.includeTags.length > 0) roots = selectElements(page.root, rules.includeTags)
  else {
    if (rules.excludeTags.length > 0) dropElements(page.root, rules.excludeTags)
    if (rules.onlyMainContent) {
      const kept = keepMainContent(page.root, {
        url: source.url,
        title: page.title ?? '',
        description: page.metadata['description'] ?? page.metadata['og:description'] ?? '',
        isPosting: page.isPosting,
        hasExclusions: rules.excludeTags.length > 0,
      })
      isArticle = kept.isArticle
      extraction = kept.extraction
    }
  }
  const { title, language, canonicalUrl, links, linksDropped, refresh } = page
  return {
    kind: 'page',
    title,
    language,
    canonicalUrl,
    mediaType,
    metadata: withDefaults(page.metadata, {
      title,
      language,
      canonical_url: canonicalUrl,
      content_type: mediaType,
      status_code: String(source.status),
      // Said only when the usual rules left next to nothing.
      extraction: extraction === 'usual' ? null : extraction,
    }),
    links,
    linksDropped,
    refresh,
    markdown: writeMarkdown(roots, page.resolver, { plainImages: isArticle, title: title ?? '' }),
    html: rules.includeHtml ? writeHtml(roots) : null,
  }
}

async function readPdfPage(source: PageSource): Promise<PageReading | PageRefusal> {
  const document = await readPdf(source.bytes)
  if (document === null) return { kind: 'refusal', reason: 'unparsable', detail: 'not a readable PDF' }
  return documentReading(
    source,
    'application/pdf',
    document.title === null ? null : clip(tidy(document.title), 1024) || null,
    document.markdown,
  )
}

function documentReading(source: PageSource, mediaType: string, title: string | null, markdown: string): PageReading {
  return {
    kind: 'page',
    title,
    language: null,
    canonicalUrl: null,
    mediaType,
    metadata: withDefaults({}, { title, language: null, canonical_url: null, content_type: mediaType, status_code: String(source.status) }),
    links: [],
    linksDropped: 0,
    refresh: null,
    markdown,
    html: null,
  }
}

/** What we know of a page, under what the page says of itself. `title` stands always, the others only when known. */
function withDefaults(metadata: Record<string, string | null>, known: Record<string, string | null>): Record<string, string | null> {
  for (const [name, value] of Object.entries(known))
    if (!Object.hasOwn(metadata, name) && (value !== null || name === 'title')) metadata[name] = value
  return metadata
}
