/** What a page's JSON-LD says about the page itself: its main item, related items, and their values. */
import { decodeHTML } from 'entities/decode'
import { parseJsonLd } from '#backend/crawler/page/json-ld.ts'
import { tidy } from '#backend/crawler/page/page.ts'

export type Item = Readonly<Record<string, unknown>>

const MAX_ITEMS = 500
const MAX_DEPTH = 6
const MAX_VALUES = 100
const MAX_VALUE_LENGTH = 2048

const ARTICLE =
  /^(?:(?:news|scholarly|tech|satirical|opinion|analysis|askpublic|backgroundnews|reportage|review|medicalscholarly|advertisercontent)?(?:news)?article|blogposting|liveblogposting|(?:socialmedia|discussionforum)posting|report)$/
const CONTENT =
  /^(?:product|productgroup|recipe|howto|video(?:object)?|audioobject|podcastepisode|event|course|book|chapter|dataset|movie|review|softwareapplication|mobileapplication|webapplication|softwaresourcecode|question|jobposting|creativework|thesis|legislation|tvepisode|musicrecording|realestatelisting)$/
const PAGE = /^(?:webpage|itempage|aboutpage|contactpage|collectionpage|faqpage|qapage|profilepage|medicalwebpage|checkoutpage)$/

export type LinkedData = {
  /** Items that describe the page, the most informative first: an article, then a product or the like, then the web page. */
  items: readonly Item[]
  /** The name of the web site; null when the data do not say. */
  siteName: string | null
  /** Names of the breadcrumbs, from the home page on. */
  breadcrumbs: readonly string[]
  /** Follows a reference by `@id`. */
  resolve(value: unknown): unknown
}

/**
 * Reads all blocks once; invalid ones are skipped. Of several articles on a page, only the one with the page's URL or title describes it.
 *
 * @param texts  contents of the scripts, in order
 * @param isThisPage  whether an item's URL is the page's
 * @param title  of the page
 */
export function readLinkedData(texts: readonly string[], isThisPage: (url: string) => boolean, title: string): LinkedData | null {
  const found: Item[] = []
  const byId = new Map<string, Item>()
  for (const text of texts) collect(parseJsonLd(text)?.value, found, 0)
  if (found.length === 0) return null
  for (const item of found) {
    const id = item['@id']
    // A mere reference has nothing but its id.
    if (typeof id === 'string' && Object.keys(item).length > 1 && !byId.has(id)) byId.set(id, item)
  }
  const ranks: [Item[], Item[], Item[]] = [[], [], []]
  let siteName: string | null = null
  let breadcrumbs: string[] = []
  for (const item of found) {
    const kind = kindOf(item)
    if (kind === 'site') siteName ??= textsOf(item['name'])[0] ?? null
    else if (kind === 'path') {
      if (breadcrumbs.length === 0) breadcrumbs = namesOf(item)
    } else if (kind !== null) ranks[kind].push(item)
  }
  const items = ranks.flatMap((rank) => (rank.length === 0 ? rank : ownOf(rank, isThisPage, title)))
  return { items, siteName, breadcrumbs, resolve }

  function resolve(value: unknown): unknown {
    if (!isItem(value)) return value
    const id = value['@id']
    return typeof id === 'string' ? (byId.get(id) ?? value) : value
  }
}

const HOLDERS = ['@graph', 'mainEntity', 'mainEntityOfPage', 'isPartOf', 'breadcrumb', 'primaryImageOfPage']

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Collects items of lists and graphs, and each item's main entity. */
function collect(value: unknown, found: Item[], depth: number): void {
  if (found.length >= MAX_ITEMS || depth > MAX_DEPTH) return
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && at < MAX_ITEMS; at++) collect(value[at], found, depth + 1)
    return
  }
  if (!isItem(value)) return
  found.push(value)
  for (const name of HOLDERS) if (typeof value[name] === 'object') collect(value[name], found, depth + 1)
}

type Kind = 0 | 1 | 2 | 'site' | 'path' | null
const KINDS: readonly Kind[] = [0, 1, 2, 'site', 'path', null]
/** Cache of kinds by type: few types serve all sites. */
const kinds = new Map<unknown, Kind>()
const MAX_KINDS = 1000
const MAX_TYPE_LENGTH = 100

/**
 * The kind of an item: its rank among items that describe the page, or the site, or the breadcrumbs. Of several types, the first in this
 * order counts.
 */
function kindOf(item: Item): Kind {
  const given = item['@type']
  if (!Array.isArray(given)) return kindOfType(given)
  const all = given.slice(0, 10).map(kindOfType)
  return KINDS.find((kind) => all.includes(kind)) ?? null
}

function kindOfType(type: unknown): Kind {
  if (typeof type !== 'string') return null
  let kind = kinds.get(type)
  if (kind === undefined) {
    // Only the last word counts: `https://schema.org/NewsArticle` is a `newsarticle`.
    const word = type.slice(Math.max(...['/', '#', ':'].map((sign) => type.lastIndexOf(sign))) + 1).toLowerCase()
    kind = ARTICLE.test(word)
      ? 0
      : CONTENT.test(word)
        ? 1
        : PAGE.test(word)
          ? 2
          : word === 'website'
            ? 'site'
            : word === 'breadcrumblist'
              ? 'path'
              : null
    if (kinds.size >= MAX_KINDS) kinds.clear()
    if (type.length <= MAX_TYPE_LENGTH) kinds.set(type, kind)
  }
  return kind
}

/** The items of one kind that describe the page: a list of posts describes posts, not the page. */
function ownOf(items: readonly Item[], isThisPage: (url: string) => boolean, title: string): readonly Item[] {
  const whole = items.filter((item) => Object.keys(item).some((name) => name !== '@type' && name !== '@id'))
  if (whole.length < 2) return whole
  const own = whole.filter((item) =>
    [item['url'], item['mainEntityOfPage'], item['@id']].some((value) => {
      const url = isItem(value) ? value['@id'] : value
      return typeof url === 'string' && isThisPage(url)
    }),
  )
  if (own.length > 0) return own
  const named = whole.filter((item) => textsOf(item['headline'] ?? item['name']).some((name) => name.length > 10 && title.includes(name)))
  if (named.length > 0) return named.slice(0, 1)
  const names = new Set(whole.map((item) => textsOf(item['headline'] ?? item['name'])[0]))
  return names.size === 1 ? whole : []
}

/** The names in a breadcrumb list, in order. */
function namesOf(list: Item): string[] {
  const entries = list['itemListElement']
  if (!Array.isArray(entries)) return []
  return entries
    .slice(0, 20)
    .filter(isItem)
    .map((entry, at) => ({ position: Number(entry['position'] ?? at), name: textsOf(entry['name'] ?? entry['item'])[0] ?? '' }))
    .sort((a, b) => a.position - b.position)
    .map(({ name }) => name)
    .filter((name) => name !== '')
}

/** The texts of a value: a string itself, an object's name, the texts of a list's entries. */
export function textsOf(value: unknown, resolve: (value: unknown) => unknown = (same) => same, depth = 0): string[] {
  if (typeof value === 'string') {
    const start = value.slice(0, MAX_VALUE_LENGTH)
    // Many sites HTML-escape texts inside JSON.
    const text = tidy(start.includes('&') ? decodeHTML(start) : start)
    return text === '' ? [] : [text]
  }
  if (typeof value === 'number') return [String(value)]
  if (depth > 3) return []
  if (Array.isArray(value)) return value.slice(0, MAX_VALUES).flatMap((entry) => textsOf(entry, resolve, depth + 1))
  if (!isItem(value)) return []
  const item = resolve(value) as Item
  const name = item['name'] ?? item['@value'] ?? item['termName']
  if (name !== undefined) return textsOf(name, resolve, depth + 1)
  const given = textsOf(item['givenName'])[0]
  const family = textsOf(item['familyName'])[0]
  return given === undefined && family === undefined ? [] : [[given, family].filter((part) => part !== undefined).join(' ')]
}

/** The URLs of a value: a string itself, an object's `url`, `contentUrl` or `@id`. */
export function urlsOf(value: unknown, resolve: (value: unknown) => unknown, depth = 0): string[] {
  if (typeof value === 'string') return value === '' || value.length > MAX_VALUE_LENGTH ? [] : [value.trim()]
  if (depth > 3) return []
  if (Array.isArray(value)) return value.slice(0, 10).flatMap((entry) => urlsOf(entry, resolve, depth + 1))
  if (!isItem(value)) return []
  const item = resolve(value) as Item
  return urlsOf(item['url'] ?? item['contentUrl'] ?? item['@id'], resolve, depth + 1)
}
