/**
 * The metadata that pipelines need: who wrote a page, when, and where it belongs. JSON-LD first, then metadata elements, then marks in the
 * text.
 */
import type { HtmlPage } from '#backend/crawler/page/page.ts'
import { clip, tidy } from '#backend/crawler/page/page.ts'
import { plainWords } from '#backend/crawler/html/tree-text.ts'
import { isoDate } from './dates.ts'
import { urlsOf, readLinkedData, textsOf, type Item, type LinkedData } from './linked-data.ts'
import { readPageMarks, type PageMarks } from './page-marks.ts'
import { plainByline } from './plain-byline.ts'

/** Lists are joined with `; `, dates are in ISO 8601, URLs absolute. Null when the page does not say. */
export type DerivedMetadata = {
  authors: string | null
  published_time: string | null
  modified_time: string | null
  site_name: string | null
  section: string | null
  tags: string | null
  image: string | null
  favicon: string | null
  /** From JSON-LD or metadata; the document's `lang` takes precedence. */
  language: string | null
}

const MAX_LIST_BYTES = 2048
const MAX_TEXT_BYTES = 300
const MAX_AUTHORS = 50
const MAX_TAGS = 50

// Metadata names in lower case, the most specific first.
const NAMES = {
  authors: [
    'citation_author',
    'article:author',
    'og:article:author',
    'parsely-author',
    'author',
    'byl',
    'dc.creator',
    'dcterms.creator',
    'dc.creator.personalname',
    'sailthru.author',
    'article:author_name',
    'cxenseparse:author',
    'twitter:creator:name',
  ],
  published: [
    'article:published_time',
    'og:article:published_time',
    'article:published',
    'datepublished',
    'uploaddate',
    'og:published_time',
    'parsely-pub-date',
    'citation_publication_date',
    'citation_online_date',
    'citation_date',
    'dcterms.issued',
    'dc.date.issued',
    'dc.issued',
    'dcterms.created',
    'dc.date.created',
    'dcterms.date',
    'dc.date',
    'sailthru.date',
    'cxenseparse:recs:publishtime',
    'pubdate',
    'publishdate',
    'publish_date',
    'publish-date',
    'publication_date',
    'published_date',
    'date',
  ],
  modified: [
    'article:modified_time',
    'og:article:modified_time',
    'og:updated_time',
    'datemodified',
    'dcterms.modified',
    'dc.date.modified',
    'dc.modified',
    'lastmod',
    'last-modified',
    'revised',
    'modified',
  ],
  siteName: ['og:site_name'],
  otherSiteName: ['application-name', 'citation_journal_title', 'apple-mobile-web-app-title', 'dc.publisher', 'dcterms.publisher'],
  section: ['article:section', 'og:article:section', 'parsely-section', 'articlesection', 'section', 'citation_section'],
  tags: [
    'article:tag',
    'og:article:tag',
    'parsely-tags',
    'citation_keywords',
    'news_keywords',
    'keywords',
    'dc.subject',
    'dcterms.subject',
  ],
  image: [
    'og:image:secure_url',
    'og:image',
    'og:image:url',
    'twitter:image',
    'twitter:image:src',
    'image',
    'thumbnail',
    'parsely-image-url',
  ],
  language: ['content-language', 'dc.language', 'dcterms.language', 'language', 'inlanguage', 'og:locale'],
}
type Field = keyof typeof NAMES

/** The field of each name, and its rank among the names of that field. */
const PLACES = new Map<string, { field: Field; rank: number }>()
for (const [field, names] of Object.entries(NAMES))
  for (const [rank, name] of names.entries()) PLACES.set(name, { field: field as Field, rank })

/**
 * Derives the metadata of a parsed page.
 *
 * @param url  the final URL of the page
 * @param isArticle  the page is mostly running text, so class names may mark its byline and date
 */
export function deriveMetadata(page: HtmlPage, url: string, isArticle: boolean): DerivedMetadata {
  const given = givenValues(page)
  const data = page.linkedData.length === 0 ? null : readLinkedData(page.linkedData, isThisPage, page.title ?? '')
  const resolve = data?.resolve ?? ((value: unknown) => value)

  const authors =
    firstFilled(data, (item) => textsOf(item['author'] ?? item['creator'], resolve).flatMap(namesOf)) ?? firstOf('authors', namesOf)
  const derived: DerivedMetadata = {
    authors: list(authors, MAX_AUTHORS),
    published_time: firstDate(data, PUBLISHED) ?? dateOf('published'),
    modified_time: firstDate(data, MODIFIED) ?? dateOf('modified'),
    site_name: text(data?.siteName ?? valueOf('siteName') ?? publisherOf(data, resolve) ?? valueOf('otherSiteName')),
    section: text(sectionOf(data) ?? valueOf('section')),
    tags: list(tagsOf(data, resolve) ?? firstOf('tags', splitTags), MAX_TAGS),
    image: imageOf(data, resolve) ?? firstUrl(given.image.map(({ value }) => value)) ?? firstUrl([page.imageHref]),
    favicon: firstUrl([page.iconHref]),
    language: languageTag(textsOf(data?.items[0]?.['inLanguage'])[0]) ?? languageTag(valueOf('language')),
  }
  // Many systems name the publisher as the author of every page.
  const isOnlyPublisher = authors.length > 0 && authors.every(isPublisher)
  if (isOnlyPublisher || needsMarks(derived)) fillFromMarks(derived)
  derived.published_time ??= dateInUrl(url)
  return derived

  function isThisPage(href: string): boolean {
    const target = page.resolver.resolve(href)
    return target !== null && (bare(target) === bare(url) || (page.canonicalUrl !== null && bare(target) === bare(page.canonicalUrl)))
  }

  /** Is it more than one word, and does it not begin with the publisher? */
  function isFullName(name: string): boolean {
    return name.includes(' ') && !authors.some((publisher) => name.startsWith(publisher))
  }

  function isPublisher(name: string): boolean {
    const words = plainWords(name)
    return [derived.site_name, publisherOf(data, resolve)].some((other) => other !== null && plainWords(other) === words)
  }

  function valueOf(field: Field): string | null {
    return given[field][0]?.value ?? null
  }

  function dateOf(field: Field): string | null {
    for (const { value } of given[field]) {
      const date = isoDate(value)
      if (date !== null) return date
    }
    return null
  }

  /** The values of the first name that has any. */
  function firstOf(field: Field, read: (value: string) => string[]): string[] {
    let found: string[] = []
    let rank = -1
    for (const one of given[field]) {
      if (one.rank !== rank && found.length > 0) break
      rank = one.rank
      found = found.concat(read(one.value))
    }
    return found
  }

  function firstUrl(hrefs: readonly (string | null)[]): string | null {
    for (const href of hrefs) {
      const target = href === null || href.trim() === '' ? null : page.resolver.resolve(href.trim())
      if (target !== null && target.length <= MAX_LIST_BYTES) return target
    }
    return null
  }

  function imageOf(data: LinkedData | null, resolve: LinkedData['resolve']): string | null {
    for (const item of data?.items ?? [])
      for (const name of ['image', 'thumbnailUrl', 'primaryImageOfPage']) {
        const found = firstUrl(urlsOf(item[name], resolve))
        if (found !== null) return found
      }
    return null
  }

  /** Whether to walk the tree: not when it cannot add anything that matters. */
  function needsMarks({ authors, published_time, modified_time }: DerivedMetadata): boolean {
    if (authors !== null && published_time !== null) return false
    if ((page.isPosting || isArticle) && (authors === null || (published_time === null && modified_time === null))) return true
    return page.mayHoldMarks()
  }

  function fillFromMarks(derived: DerivedMetadata): void {
    const marks: PageMarks = readPageMarks(page.root, page.isPosting || isArticle)
    const named = marks.authors.flatMap(namesOf)
    if (derived.authors === null) derived.authors = list(named, MAX_AUTHORS)
    else if (isOnlyPublisher) derived.authors = list(named.filter(isFullName), MAX_AUTHORS) ?? derived.authors
    derived.published_time ??= marks.published === null ? null : isoDate(marks.published)
    if (isArticle && (derived.authors === null || derived.published_time === null)) fillFromByline(derived)
    derived.modified_time ??= marks.modified === null ? null : isoDate(marks.modified)
    derived.section ??= text(marks.section)
    derived.tags ??= list(marks.tags, MAX_TAGS)
    derived.image ??= firstUrl([marks.image])
  }

  function fillFromByline(derived: DerivedMetadata): void {
    const { author, date } = plainByline(page.root)
    derived.authors ??= author === null ? null : list(namesOf(author), MAX_AUTHORS)
    derived.published_time ??= date === null ? null : isoDate(date)
  }
}

type Given = { rank: number; value: string }

/**
 * The values of each field from metadata elements: the most specific names first, equal names in document order. Names match in any case.
 */
function givenValues(page: HtmlPage): Record<Field, Given[]> {
  const given: Record<Field, Given[]> = {
    authors: [],
    published: [],
    modified: [],
    siteName: [],
    otherSiteName: [],
    section: [],
    tags: [],
    image: [],
    language: [],
  }
  for (const name in page.metadata) add(name, page.metadata[name] ?? '')
  for (const [name, content] of page.repeated) add(name, content)
  return given

  function add(name: string, content: string) {
    const place = PLACES.get(name) ?? (LOWER.test(name) ? undefined : PLACES.get(name.toLowerCase()))
    if (place === undefined) return
    const value = tidy(content)
    if (value === '') return
    const values = given[place.field]
    let at = values.length
    while (at > 0 && values[at - 1]!.rank > place.rank) at--
    values.splice(at, 0, { rank: place.rank, value })
  }
}

const LOWER = /^[!-@[-~]*$/
const PUBLISHED = ['datePublished', 'uploadDate', 'datePosted', 'dateCreated']
const MODIFIED = ['dateModified']

/** The values of the first item that has any. */
function firstFilled(data: LinkedData | null, values: (item: Item) => string[]): string[] | null {
  for (const item of data?.items ?? []) {
    const found = values(item)
    if (found.length > 0) return found
  }
  return null
}

function firstDate(data: LinkedData | null, names: readonly string[]): string | null {
  for (const item of data?.items ?? [])
    for (const name of names)
      for (const value of textsOf(item[name])) {
        const date = isoDate(value)
        if (date !== null) return date
      }
  return null
}

function publisherOf(data: LinkedData | null, resolve: LinkedData['resolve']): string | null {
  return firstFilled(data, (item) => textsOf(item['publisher'], resolve))?.[0] ?? null
}

/** The item's section, else the last breadcrumb before the page. */
function sectionOf(data: LinkedData | null): string | null {
  if (data === null) return null
  const said = firstFilled(data, (item) => textsOf(item['articleSection'] ?? item['recipeCategory'] ?? item['category']))?.[0]
  return said ?? (data.breadcrumbs.length > 2 ? data.breadcrumbs.at(-2)! : null)
}

function tagsOf(data: LinkedData | null, resolve: LinkedData['resolve']): string[] | null {
  return firstFilled(data, (item) => {
    const keywords = item['keywords']
    return typeof keywords === 'string' ? splitTags(keywords) : textsOf(keywords, resolve).flatMap(splitTags)
  })
}

const splitTags = (text: string): string[] =>
  text
    .slice(0, MAX_LIST_BYTES)
    .split(/[,;，、；|]/)
    .map(tidy)
    .filter((tag) => tag !== '' && tag.length <= 100)

/**
 * The names in a text that lists authors; URLs of profiles are no names. `Jane Doe, John Roe` and `Jane Doe and John Roe` are two names,
 * `Doe, Jane` is one.
 */
function namesOf(text: string): string[] {
  const whole = tidy(text.slice(0, MAX_LIST_BYTES))
  if (whole.length <= 100 && ONE_NAME.test(whole)) return [whole]
  if (whole === '' || /^(?:https?:|www\.|\/|@)|[<>{}]/i.test(whole)) return []
  const parts = whole.split(/\s*[;|]\s*|\s+(?:and|und|et|y|&|и)\s+(?=\p{Lu}\S*\s+\p{L})/u).flatMap(splitAtCommas)
  return parts
    .map((part) => part.replace(BEFORE_AUTHOR, '').replace(/[\s→»›|:–—]+$/u, ''))
    .filter((name) => name !== '' && name.length <= 100 && !/@|^https?:/i.test(name))
}

/** Words before a name: `By`; `Von` before a full name, since it also begins family names; the title of a link to all texts of an author. */
const BEFORE_AUTHOR =
  /^(?:by\s+(?=\S)|von\s+(?=\p{Lu}\S*\s+\p{Lu})|(?:view|see|show) all (?:posts|articles|stories|entries) (?:by|from) |(?:zeige )?alle (?:beiträge|artikel|texte) von |(?:voir )?tous les articles (?:de|par) |ver todas las entradas (?:de|por) |(?:visualizza )?tutti gli articoli di )/iu

/** A fast check for the usual text, a single name of capitalised words: separators and prefixes have another form. */
const ONE_NAME = /^(?!By )[A-Z][a-z]*(?: (?:[A-Z][A-Za-z'-]*|\d+))+$/

function splitAtCommas(text: string): string[] {
  const parts = text.split(/\s*[,，、]\s*/).filter((part) => part !== '')
  return parts.length > 1 && parts.every((part) => part.includes(' ')) ? parts : [text]
}

function list(entries: readonly string[], most: number): string | null {
  const kept = new Map<string, string>()
  for (const entry of entries) {
    const key = entry.toLowerCase()
    if (entry !== '' && !kept.has(key) && kept.size < most) kept.set(key, entry.replaceAll(';', ','))
  }
  return kept.size === 0 ? null : clip([...kept.values()].join('; '), MAX_LIST_BYTES)
}

function text(value: string | null): string | null {
  return value === null ? null : clip(tidy(value), MAX_TEXT_BYTES) || null
}

/** `de_DE` as `de-DE`; null for anything that is no language tag (RFC 5646, the usual part). */
export function languageTag(value: string | null | undefined): string | null {
  if (value === null || value === undefined) return null
  const tag = LANGUAGE_TAG.test(value) ? value : value.trim().split(/[,;\s]/, 1)[0]!
  return LANGUAGE_TAG.test(tag) ? tag.replaceAll('_', '-') : null
}

const LANGUAGE_TAG = /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i

/** A URL without scheme, `www`, query and final slash. */
const bare = (url: string): string =>
  url
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .replace(/[?#].*$/, '')
    .replace(/\/$/, '')

/** `/2024/03/05/name`: weblogs and newspapers have the date of a page in its URL. */
function dateInUrl(url: string): string | null {
  const match = /\/((?:19|20)\d\d)[/-](0?[1-9]|1[0-2])[/-](0?[1-9]|[12]\d|3[01])\/[^/?#]/.exec(url)
  return match === null ? null : isoDate(`${match[1]}-${match[2]}-${match[3]}`)
}
