import { decodeHTML } from 'entities/decode'
import { escapeHtml, MAX_HTML_LENGTH, NO_FACTS } from './document.ts'
import type { Document } from './document.ts'
import { readXml } from './xml.ts'
import type { Attributes } from './xml.ts'

const MAX_ENTRIES = 5000

type Entry = { title: string; link: string; date: string; author: string; summary: string; content: string }

/**
 * Reads a feed (RSS 0.9 to 2.0, RDF, Atom): its title, and each entry as a heading that links to its page, with date, author and text.
 *
 * @param inner  returns an entry's HTML with every element closed
 * @returns null when the XML is no feed
 * Source: RSS 2.0 specification; RFC 4287.
 */
export function readFeed(xml: string, inner: (html: string) => string): Document | null {
  let isFeed = false
  let depth = 0
  const channel: Entry = emptyEntry()
  const entries: Entry[] = []
  let entry: Entry = channel
  // The field whose text is being read, and the depth of its element.
  let field: keyof Entry | null = null
  let fieldDepth = 0
  let isMarkup = false
  let isPlainText = false
  let text = ''

  try {
    readXml(xml, { open, close, text: (data) => field !== null && (text += isMarkup ? escapeHtml(data) : data) })
  } catch {
    return null
  }
  if (!isFeed || entries.length === 0) return null
  const html = [`<h1>${escapeHtml(titleText(channel.title))}</h1>`, channel.summary === '' ? '' : `<p>${inner(channel.summary)}</p>`]
  let length = 0
  for (const one of entries) {
    if (length > MAX_HTML_LENGTH) break
    const written = entryHtml(one, inner)
    length += written.length
    html.push(written)
  }
  return {
    html: html.join(''),
    facts: { ...NO_FACTS, title: titleText(channel.title) || null, author: channel.author || null, modifiedAt: channel.date || null },
  }

  function open(name: string, attributes: Attributes) {
    depth++
    if (depth === 1) isFeed = /^(?:rss|feed|rdf)$/i.test(name)
    if (!isFeed) return
    if (field !== null) {
      // Atom has XHTML content and the author's details as child elements.
      if (isMarkup) text += openTag(name, attributes)
      else if (field === 'author' && name === 'name') read('author')
      return
    }
    switch (name) {
      case 'item':
      case 'entry':
        entry = emptyEntry()
        if (entries.length < MAX_ENTRIES) entries.push(entry)
        return
      case 'image':
      case 'textInput':
        // Images and the like have a title and a link of their own.
        entry = emptyEntry()
        return
      case 'author':
      case 'creator':
        return read('author')
      case 'title':
        return read('title', attributes)
      case 'link':
        if (attributes['href'] === undefined) return read('link')
        if ((attributes['rel'] ?? 'alternate') === 'alternate' && entry.link === '') entry.link = attributes['href']
        return
      case 'guid':
        return attributes['isPermaLink'] !== 'false' && entry.link === '' ? read('link') : undefined
      case 'pubDate':
      case 'published':
      case 'date':
      case 'lastBuildDate':
        return read('date')
      case 'updated':
        return entry.date === '' ? read('date') : undefined
      case 'description':
      case 'summary':
      case 'subtitle':
        return read('summary', attributes)
      case 'encoded':
      case 'content':
        return attributes['url'] === undefined ? read('content', attributes) : undefined
    }
  }

  function read(what: keyof Entry, attributes: Attributes = {}) {
    field = what
    fieldDepth = depth
    isMarkup = attributes['type'] === 'xhtml'
    isPlainText = attributes['type'] === 'text' && (what === 'summary' || what === 'content')
    text = ''
  }

  function close(name: string) {
    if (field !== null && depth === fieldDepth) {
      const value = isPlainText ? `<p>${escapeHtml(text.trim())}</p>` : text.trim()
      if (value !== '' && (entry[field] === '' || field === 'content')) entry[field] = value
      field = null
    } else if (field !== null && isMarkup) text += `</${name}>`
    if (name === 'item' || name === 'entry' || name === 'image' || name === 'textInput') entry = channel
    depth--
  }
}

function emptyEntry(): Entry {
  return { title: '', link: '', date: '', author: '', summary: '', content: '' }
}

function entryHtml(entry: Entry, inner: (html: string) => string): string {
  const title = titleText(entry.title) || entry.link
  const heading = entry.link === '' ? escapeHtml(title) : `<a href="${escapeHtml(entry.link)}">${escapeHtml(title)}</a>`
  const line = [dateText(entry.date), entry.author].filter((one) => one !== '').map(escapeHtml)
  const body = entry.content || entry.summary
  return `<h2>${heading}</h2>${line.length === 0 ? '' : `<p>${line.join(' · ')}</p>`}${body === '' ? '' : `<div>${inner(body)}</div>`}`
}

/** Titles may be HTML, declared or not. */
function titleText(title: string): string {
  return decodeHTML(title.replace(/<[^<>]{0,200}>/g, '')).replace(/\s+/g, ' ')
}

/** Converts both date formats of feeds to ISO 8601; any other text stays unchanged. */
function dateText(text: string): string {
  const time = Date.parse(text)
  return Number.isNaN(time) || text.length > 60 ? text.slice(0, 60) : new Date(time).toISOString().replace('.000Z', 'Z')
}

function openTag(name: string, attributes: Attributes): string {
  if (name === 'a' && attributes['href'] !== undefined) return `<a href="${escapeHtml(attributes['href'])}">`
  if (name === 'img' && attributes['src'] !== undefined)
    return `<img src="${escapeHtml(attributes['src'])}" alt="${escapeHtml(attributes['alt'] ?? '')}">`
  return /^[a-z][a-z0-9]*$/i.test(name) ? `<${name}>` : '<span>'
}
