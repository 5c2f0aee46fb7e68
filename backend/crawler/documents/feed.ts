import { parseZoned } from '#backend/crawler/fetch/zoned-dates.ts'
import { decodeHTML } from 'entities/decode'
import { escapeHtml, MAX_HTML_LENGTH, NO_FACTS } from './document.ts'
import type { Document } from './document.ts'
import { readXml } from './xml.ts'
import type { Attributes, XmlReader } from './xml.ts'

const MAX_ENTRIES = 5000
/** No feed needs a longer base. Each of a thousand nested elements can add to it. */
const MAX_BASE_LENGTH = 2083

/** Extensions for podcasts and media. Their elements have the names of the feed's own, so they count only where those are missing. */
const EXTENSIONS = new Set(['googleplay', 'itunes', 'media'])

type Field = 'title' | 'link' | 'date' | 'author' | 'summary' | 'content'

class Entry {
  readonly texts: Record<Field, string> = { title: '', link: '', date: '', author: '', summary: '', content: '' }
  /** What relative URLs in its summary and its content refer to. */
  readonly bases: Partial<Record<Field, string>> = {}
  /** Fields whose text a better source replaces. */
  readonly #replaceable = new Set<Field>()

  /** Keeps the first text of a field, or the first that is not replaceable. */
  set(field: Field, text: string, { base = '', isReplaceable = false } = {}): void {
    if (text === '') return
    if (this.texts[field] !== '' && (isReplaceable || (field !== 'content' && !this.#replaceable.has(field)))) return
    this.texts[field] = text
    this.bases[field] = base
    if (isReplaceable) this.#replaceable.add(field)
    else this.#replaceable.delete(field)
  }
}

/** The field whose text is being read, and the depth of its element. */
type Reading = { field: Field; depth: number; isMarkup: boolean; isPlain: boolean; isReplaceable: boolean; text: string }

/**
 * Reads a feed (RSS 0.9 to 2.0, RDF, Atom): its title, and each entry as a heading that links to its page, with date, author and text.
 *
 * @param url    of the feed
 * @param inner  returns an entry's HTML with every element closed; its relative URLs refer to `base`
 * @returns null when the XML is no feed
 * Source: RSS 2.0 specification; RFC 4287.
 */
export function readFeed(xml: string, url: string, inner: (html: string, base: string) => string): Document | null {
  const reader = new FeedReader(url)
  try {
    readXml(xml, reader)
  } catch {
    return null
  }
  const { channel, entries } = reader
  if (entries.length === 0) return null
  const { author, date, summary, title } = channel.texts
  const html = [`<h1>${escapeHtml(title)}</h1>`, summary === '' ? '' : `<p>${inner(summary, channel.bases.summary ?? url)}</p>`]
  let length = 0
  for (const one of entries) {
    if (length > MAX_HTML_LENGTH) break
    const written = entryHtml(one, url, inner)
    length += written.length
    html.push(written)
  }
  return {
    html: html.join(''),
    facts: { ...NO_FACTS, title: title || null, author: author || null, modifiedAt: dateText(date) || null },
  }
}

class FeedReader implements XmlReader {
  readonly channel = new Entry()
  readonly entries: Entry[] = []
  /** The entry whose fields are being read, and the ones around it with the depth at which they continue. */
  #entry = this.channel
  readonly #around: { entry: Entry; depth: number }[] = []
  /** What relative URLs refer to, by depth (XML Base). */
  readonly #bases: string[]
  #isFeed = false
  #depth = 0
  #reading: Reading | null = null

  constructor(url: string) {
    this.#bases = [url]
  }

  open = (name: string, attributes: Attributes, prefix: string): void => {
    const around = this.#bases[this.#depth++]!
    this.#bases[this.#depth] = baseOf(attributes['base'], around)
    if (this.#depth === 1) this.#isFeed = /^(?:rss|feed|rdf)$/i.test(name)
    if (!this.#isFeed) return
    if (this.#reading !== null) {
      // Atom has XHTML content and the author's details as child elements.
      if (this.#reading.isMarkup) this.#reading.text += openTag(name, attributes)
      else if (this.#reading.field === 'author' && name === 'name') this.#read('author')
    } else if (EXTENSIONS.has(prefix)) this.#openExtension(name, attributes)
    else this.#openOwn(name, attributes)
  }

  text = (data: string): void => {
    if (this.#reading !== null) this.#reading.text += this.#reading.isMarkup ? escapeHtml(data) : data
  }

  close = (name: string): void => {
    const reading = this.#reading
    if (reading !== null && reading.depth === this.#depth) {
      this.#reading = null
      this.#entry.set(reading.field, textOf(reading), { base: this.#bases[this.#depth]!, isReplaceable: reading.isReplaceable })
    } else if (reading?.isMarkup === true) reading.text += `</${name}>`
    if (this.#around.at(-1)?.depth === this.#depth) {
      const { texts } = this.#entry
      this.#entry = this.#around.pop()!.entry
      // RFC 4287, 4.2.1: an entry from another feed has that feed's author unless it names its own.
      if (name === 'source') this.#entry.set('author', texts.author, { isReplaceable: true })
    }
    this.#depth--
  }

  #openExtension(name: string, attributes: Attributes): void {
    if (name === 'author') this.#read('author', attributes, true)
    else if (name === 'title') this.#read('title', attributes, true)
    else if (name === 'description' || name === 'summary') this.#read('summary', attributes, true)
  }

  #openOwn(name: string, attributes: Attributes): void {
    switch (name) {
      case 'item':
      case 'entry':
        this.#enter(new Entry())
        if (this.entries.length < MAX_ENTRIES) this.entries.push(this.#entry)
        return
      case 'image':
      case 'source':
      case 'textInput':
        // Images, other feeds and the like have a title and a link of their own.
        return this.#enter(new Entry())
      case 'author':
      case 'creator':
        return this.#read('author')
      case 'title':
        return this.#read('title', attributes)
      case 'link':
        if (attributes['href'] === undefined) return this.#read('link')
        if ((attributes['rel'] ?? 'alternate') === 'alternate')
          this.#entry.set('link', attributes['href'], { base: this.#bases[this.#depth]! })
        return
      case 'guid':
        return attributes['isPermaLink'] === 'false' ? undefined : this.#read('link', {}, true)
      case 'pubDate':
      case 'published':
      case 'date':
      case 'lastBuildDate':
        return this.#read('date')
      case 'updated':
        return this.#read('date', {}, true)
      case 'description':
      case 'summary':
      case 'subtitle':
        return this.#read('summary', attributes)
      case 'encoded':
      case 'content':
        return this.#read('content', attributes)
    }
  }

  #enter(entry: Entry): void {
    this.#around.push({ entry: this.#entry, depth: this.#depth })
    this.#entry = entry
  }

  #read(field: Field, { type }: Attributes = {}, isReplaceable = false): void {
    this.#reading = { field, depth: this.#depth, isMarkup: type === 'xhtml', isPlain: type === 'text', isReplaceable, text: '' }
  }
}

function baseOf(stated: string | undefined, around: string): string {
  const base = stated === undefined || stated.length > MAX_BASE_LENGTH ? null : URL.parse(stated, around)
  return base === null || base.href.length > MAX_BASE_LENGTH ? around : base.href
}

function textOf({ field, isPlain, text }: Reading): string {
  const plain = text.trim()
  if (field === 'title') return isPlain ? plain.replace(/\s+/g, ' ') : titleText(plain)
  return isPlain && plain !== '' && (field === 'summary' || field === 'content') ? `<p>${escapeHtml(plain)}</p>` : plain
}

function entryHtml({ bases, texts }: Entry, url: string, inner: (html: string, base: string) => string): string {
  const base = bases.link ?? url
  const link = base === url ? texts.link : (URL.parse(texts.link, base)?.href ?? texts.link)
  const title = texts.title || link
  const heading = link === '' ? escapeHtml(title) : `<a href="${escapeHtml(link)}">${escapeHtml(title)}</a>`
  const line = [dateText(texts.date), texts.author].filter((one) => one !== '').map(escapeHtml)
  const field = texts.content === '' ? 'summary' : 'content'
  const body = texts[field] === '' ? '' : `<div>${inner(texts[field], bases[field] ?? url)}</div>`
  return `<h2>${heading}</h2>${line.length === 0 ? '' : `<p>${line.join(' · ')}</p>`}${body}`
}

/** Titles may be HTML, declared or not. */
function titleText(title: string): string {
  return decodeHTML(title.replace(/<[^<>]{0,200}>/g, '')).replace(/\s+/g, ' ')
}

/** Converts both date formats of feeds to ISO 8601, in UTC unless they name a zone; any other text stays unchanged. */
function dateText(text: string): string {
  const time = parseZoned(text)
  return Number.isNaN(time) || text.length > 60 ? text.slice(0, 60) : new Date(time).toISOString().replace('.000Z', 'Z')
}

function openTag(name: string, attributes: Attributes): string {
  if (name === 'a' && attributes['href'] !== undefined) return `<a href="${escapeHtml(attributes['href'])}">`
  if (name === 'img' && attributes['src'] !== undefined)
    return `<img src="${escapeHtml(attributes['src'])}" alt="${escapeHtml(attributes['alt'] ?? '')}">`
  return /^[a-z][a-z0-9]*$/i.test(name) ? `<${name}>` : '<span>'
}
