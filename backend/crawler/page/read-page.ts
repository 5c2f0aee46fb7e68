import { canonicalOfAnswer, refreshOfAnswer } from './answer-links.ts'
import type { SaidByAnswer } from './answer-links.ts'
import { decodeAs, decodeMarkup, markupEncoding } from '#backend/crawler/html/charset.ts'
import { NO_FACTS } from '#backend/crawler/documents/document.ts'
import type { Document, DocumentFacts } from '#backend/crawler/documents/document.ts'
import { ARCHIVE_MEDIA_TYPES } from '#backend/crawler/documents/archive-formats.ts'
import { documentTitle } from '#backend/crawler/documents/document-title.ts'
import { kindOf, readContentType, statedKind } from '#backend/crawler/documents/kind.ts'
import type { DocumentKind } from '#backend/crawler/documents/kind.ts'
import { markdownTitle } from '#backend/crawler/documents/markdown-title.ts'
import { documentMarkdown } from '#backend/crawler/documents/plain.ts'
import { textLinks } from '#backend/crawler/documents/text-links.ts'
import { writeHtml } from '#backend/crawler/formats/html.ts'
import { writeMarkdown } from '#backend/crawler/formats/markdown.ts'
import { countWords } from '#backend/crawler/html/count-words.ts'
import { deriveMetadata, languageTag } from '#backend/crawler/metadata/derive-metadata.ts'
import { detectLanguage } from '#backend/crawler/metadata/detect-language.ts'
import { keepMainContent, type Extraction } from '#backend/crawler/main-content/main-content.ts'
import type { LinkTarget } from '#backend/crawler/url/resolve-url.ts'
import type { ExtractionRules } from './extraction-rules.ts'
import { MAX_TITLE_BYTES, clip, parsePage, tidy, type HtmlPage, type PageLink } from './page.ts'
import { pageExtras } from './page-extras.ts'
import type { PageExtras } from './page-extras.ts'
import type { ElementNode } from '#backend/crawler/html/html-tree.ts'
import { keptWords } from '#backend/crawler/html/tree-text.ts'
import { dropElements, isDropped, selectElements } from './select-tags.ts'
import { shellReason } from '#backend/crawler/crawl/shell.ts'

const XHTML = 'application/xhtml+xml'
const MARKDOWN_FILE = /^[^?#]*\.(?:md|markdown)(?:[?#]|$)/i

export type { PageLink } from './page.ts'

export type PageSource = {
  /** The body, with the content encoding removed. */
  bytes: Uint8Array
  /** The Content-Type header as received. */
  contentType: string | null
  status: number
  /** The final URL. */
  url: string
  /** From the headers. What the page itself says takes precedence, except for a refresh. */
  said?: SaidByAnswer | undefined
}

export type PageReading = {
  kind: 'page'
  title: string | null
  language: string | null
  canonicalUrl: string | null
  mediaType: string
  metadata: Record<string, string | null>
  links: PageLink[]
  /** The targets of the links, in the same order; absent for documents that are not HTML. */
  targets?: LinkTarget[]
  linksDropped: number
  /** The target of `<meta http-equiv=refresh>`, if it applies within ten seconds. */
  refresh: string | null
  markdown: string
  html: string | null
  /** Further fields that the rules ask for, under their names in the stored document. */
  extras?: PageExtras
  /** Why a browser is needed to read the page; absent when none is needed, or when this was not checked. */
  shell?: string
}

export type PageRefusal = { kind: 'refusal'; reason: 'unsupported_type' | 'unparsable'; detail: string }

/**
 * Reads a fetched body: its title, metadata, links and Markdown. No I/O, no clock; the same bytes give the same result.
 *
 * @returns the page, or a refusal for types without text and for documents that cannot be parsed; a promise only for documents that need a
 * library: XML, PDF, RTF and archives
 * @param findsShells  whether to report that a page needs a browser
 */
export function readPage(
  source: PageSource,
  rules: ExtractionRules,
  findsShells = false,
): PageReading | PageRefusal | Promise<PageReading | PageRefusal> {
  const { mediaType, charset } = readContentType(source.contentType)
  const sniffed = kindOf(mediaType, source.bytes, charset)
  // Many servers have no media type for Markdown.
  const kind = sniffed === 'text' && MARKDOWN_FILE.test(source.url) ? 'markdown' : sniffed
  switch (kind) {
    case 'unsupported':
      return {
        kind: 'refusal',
        reason: 'unsupported_type',
        detail: clip(mediaType === '' ? 'binary content without a type' : mediaType, 200),
      }
    case 'html':
      return readHtml(source, /html/.test(mediaType) ? mediaType : 'text/html', charset, rules, findsShells)
    case 'xhtml':
      return readHtml(source, XHTML, charset, rules, findsShells)
    case 'pdf':
      return readPdfPage(source, rules)
    case 'rtf':
      return readRtfPage(source, rules)
    case 'archive':
      return readArchivePage(source, mediaType, rules)
    default: {
      const isVague = statedKind(mediaType) === null || (kind === 'xml' && mediaType === 'text/html')
      const type = isVague ? (kind === 'xml' ? 'application/xml' : 'text/plain') : mediaType
      const written = () => documentReading(source, type, kind, documentMarkdown(kind, source.bytes, charset, type))
      return kind === 'xml' ? readFeedPage(source, type, charset, rules).then((feed) => feed ?? written()) : written()
    }
  }
}

function readHtml(
  source: PageSource,
  mediaType: string,
  charset: string | null,
  rules: ExtractionRules,
  findsShells: boolean,
): PageReading {
  const encoding = markupEncoding(source.bytes, charset)
  const text = decodeAs(encoding, source.bytes)
  const page = parsePage(text, source.url, { isXml: mediaType === XHTML, encoding })
  const extras = pageExtras(page, text, rules)
  const shell = findsShells ? shellReason(page.root, text) : null
  const { extraction, isArticle, roots } = contentOf(page, source.url, rules)
  const { title, links, targets, linksDropped } = page
  const canonicalUrl = page.canonicalUrl ?? canonicalOf(source)
  const refresh = refreshOfAnswer(source.said ?? {}, source.url) ?? page.refresh
  const markdown = writeMarkdown(roots, page.resolver, {
    plainImages: isArticle && page.isPosting,
    title: title ?? '',
    keepHtml: rules.htmlInMarkdown === true,
  })
  const { language: stated, ...derived } = deriveMetadata(page, source.url, isArticle)
  const declared = languageTag(page.language) === null ? stated : page.language
  const language = declared ?? detectLanguage(markdown)
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
      // Reported only when the usual rules left hardly any text.
      extraction: extraction === 'usual' ? null : extraction,
      author: derived.authors,
      ...derived,
      word_count: String(keptWords(roots)),
    }),
    links,
    targets,
    linksDropped,
    refresh,
    markdown,
    html: rules.includeHtml ? writeHtml(roots, rules.absoluteUrls === true ? page.resolver : undefined) : null,
    ...(shell === null ? null : { shell }),
    ...(extras && { extras }),
  }
}

type Content = {
  roots: ElementNode[]
  /** Mostly running text. */
  isArticle: boolean
  extraction: Extraction
}

/** The elements whose text is kept: those that the rules name, or the main content. Drops the rest from the page. */
function contentOf(page: HtmlPage, url: string, rules: ExtractionRules): Content {
  const isSelection = rules.includeTags.length > 0
  if (isSelection && rules.excludesInIncluded !== true) return usual(selectElements(page.root, rules.includeTags))
  if (rules.excludeTags.length > 0) dropElements(page.root, rules.excludeTags)
  if (isSelection) return usual(selectElements(page.root, rules.includeTags).filter((element) => !isDropped(element)))
  if (!rules.onlyMainContent) return usual([page.root])
  const { extraction, isArticle } = keepMainContent(page.root, {
    url,
    title: page.title ?? '',
    description: page.metadata['description'] ?? page.metadata['og:description'] ?? '',
    isPosting: page.isPosting,
    hasExclusions: rules.excludeTags.length > 0,
    withFrame: rules.articleFrame === true,
    generator: page.generator,
    linkedData: page.linkedData,
  })
  return { roots: [page.root], isArticle, extraction }
}

const usual = (roots: ElementNode[]): Content => ({ roots, isArticle: false, extraction: 'usual' })

async function readPdfPage(source: PageSource, rules: ExtractionRules): Promise<PageReading | PageRefusal> {
  const { readPdf } = await import('#backend/crawler/documents/pdf/pdf.ts')
  const document = await readPdf(source.bytes, rules.maxPdfPages)
  if (document === null) return { kind: 'refusal', reason: 'unparsable', detail: 'not a readable PDF' }
  return generatedReading(source, 'application/pdf', document, rules)
}

async function readRtfPage(source: PageSource, rules: ExtractionRules): Promise<PageReading | PageRefusal> {
  const { readRtf } = await import('#backend/crawler/documents/rtf.ts')
  const document = readRtf(source.bytes)
  if (document === null) return { kind: 'refusal', reason: 'unparsable', detail: 'not a readable RTF document' }
  return generatedReading(source, 'application/rtf', document, rules)
}

async function readArchivePage(source: PageSource, mediaType: string, rules: ExtractionRules): Promise<PageReading | PageRefusal> {
  const { readArchive } = await import('#backend/crawler/documents/read-document.ts')
  const read = await readArchive(source.bytes, source.url)
  if (read === null) return { kind: 'refusal', reason: 'unsupported_type', detail: clip(mediaType || 'a zip archive', 200) }
  if (read.document === null)
    return { kind: 'refusal', reason: 'unparsable', detail: `not a readable ${read.format.toUpperCase()} document` }
  return generatedReading(source, ARCHIVE_MEDIA_TYPES[read.format], read.document, rules)
}

/** Null when the XML is not a feed. */
async function readFeedPage(
  source: PageSource,
  mediaType: string,
  charset: string | null,
  rules: ExtractionRules,
): Promise<PageReading | null> {
  const [{ readFeed }, { insideOf, insideWithBase }] = await Promise.all([
    import('#backend/crawler/documents/feed.ts'),
    import('#backend/crawler/documents/read-document.ts'),
  ])
  const inner = (html: string, base: string) => (base === source.url ? insideOf(html, base) : insideWithBase(html, base))
  const feed = readFeed(decodeMarkup(source.bytes, charset, true), source.url, inner)
  return feed === null ? null : generatedReading(source, mediaType, feed, rules)
}

/** Reads HTML that was generated from a document: all of it is content. */
function generatedReading(source: PageSource, mediaType: string, { html, facts }: Document, rules: ExtractionRules): PageReading {
  const page = parsePage(html, source.url)
  const stated = facts.title === null ? null : clip(tidy(facts.title), MAX_TITLE_BYTES) || null
  const title = documentTitle(stated, mediaType.includes('spreadsheet') ? null : page.root)
  const markdown = writeMarkdown([page.root], page.resolver, {
    plainImages: false,
    title: stated ?? '',
    keepHtml: rules.htmlInMarkdown === true,
  })
  return readingOf(source, mediaType, {
    title,
    language: facts.language ?? detectLanguage(markdown),
    facts,
    words: keptWords([page.root]),
    links: page.links,
    linksDropped: page.linksDropped,
    markdown,
    html: rules.includeHtml ? writeHtml([page.root], rules.absoluteUrls === true ? page.resolver : undefined) : null,
  })
}

/** Reads plain text, which is its own Markdown, and data, which becomes a code block or a table. */
function documentReading(source: PageSource, mediaType: string, kind: DocumentKind, markdown: string): PageReading {
  // Data have no language.
  const language = kind === 'xml' || kind === 'json' ? null : detectLanguage(markdown)
  const title = kind === 'markdown' ? clip(tidy(markdownTitle(markdown) ?? ''), MAX_TITLE_BYTES) || null : null
  return readingOf(source, mediaType, {
    title,
    language,
    facts: NO_FACTS,
    words: countWords(markdown),
    links: kind === 'xml' ? [] : textLinks(markdown, kind === 'markdown', source.url),
    linksDropped: 0,
    markdown,
    html: null,
  })
}

type Written = Pick<PageReading, 'title' | 'language' | 'links' | 'linksDropped' | 'markdown' | 'html'> & {
  facts: DocumentFacts
  words: number
}

/** The reading of a document, which has no metadata but its facts. */
function readingOf(source: PageSource, mediaType: string, { facts, words, ...written }: Written): PageReading {
  const { language, title } = written
  const canonicalUrl = canonicalOf(source)
  return {
    kind: 'page',
    ...written,
    canonicalUrl,
    mediaType,
    metadata: withDefaults(
      {},
      {
        title,
        language,
        canonical_url: canonicalUrl,
        author: facts.author,
        authors: facts.author,
        description: facts.description,
        keywords: facts.keywords,
        published_time: facts.createdAt,
        modified_time: facts.modifiedAt,
        page_count: facts.pages === undefined ? null : String(facts.pages.count),
        // Reported only when some pages were not read.
        pages_read: facts.pages === undefined || facts.pages.read === facts.pages.count ? null : String(facts.pages.read),
        content_type: mediaType,
        status_code: String(source.status),
        word_count: String(words),
      },
    ),
    refresh: null,
  }
}

/** Adds our metadata where the page has none of that name. `title` is always added, the other fields only when known. */
function withDefaults(metadata: Record<string, string | null>, known: Record<string, string | null>): Record<string, string | null> {
  for (const name in known) {
    const value = known[name]!
    if ((value !== null || name === 'title') && !Object.hasOwn(metadata, name)) metadata[name] = value
  }
  return metadata
}

const canonicalOf = ({ said = {}, url }: PageSource): string | null => canonicalOfAnswer(said, url)
