import { partName } from './archive.ts'
import type { Archive } from './archive.ts'
import { MAX_HTML_LENGTH, NO_FACTS } from './document.ts'
import type { Document, DocumentFacts } from './document.ts'
import { readXml, textsOf } from './xml.ts'

const MAX_CHAPTERS = 2000

/**
 * Reads a book: its chapters in reading order, with a rule in between. Links between chapters would not work outside the book, so only
 * their text is kept.
 *
 * @param inner  returns the content of a chapter's `body` as HTML in which every element is closed
 * Source: W3C EPUB 3.3, sections 4 and 5.
 */
export function readEpub(archive: Archive, inner: (xhtml: string) => string): Document | null {
  const container = archive.text('META-INF/container.xml')
  let packagePart = ''
  if (container !== null)
    readXml(container, {
      open: (name, attributes) => {
        if (name === 'rootfile' && packagePart === '') packagePart = attributes['full-path'] ?? ''
      },
    })
  const xml = archive.text(packagePart)
  if (xml === null) return null
  const items = new Map<string, string>()
  const order: string[] = []
  let modifiedAt: string | null = null
  let isModified = false
  readXml(xml, {
    open: (name, attributes) => {
      if (name === 'item') {
        const isText = /xhtml|html/.test(attributes['media-type'] ?? '')
        if (isText && !/\bnav\b/.test(attributes['properties'] ?? '')) items.set(attributes['id'] ?? '', attributes['href'] ?? '')
      } else if (name === 'itemref' && attributes['linear'] !== 'no' && order.length < MAX_CHAPTERS) order.push(attributes['idref'] ?? '')
      else if (name === 'meta') isModified = attributes['property'] === 'dcterms:modified'
    },
    text: (data) => {
      if (isModified) modifiedAt = (modifiedAt ?? '') + data
    },
    close: () => {
      isModified = false
    },
  })
  const chapters: string[] = []
  let length = 0
  // Books that list the sections of a chapter name its part once for each.
  const parts = new Set(order.flatMap((id) => items.get(id)?.split('#')[0] ?? []))
  for (const part of parts) {
    if (length > MAX_HTML_LENGTH) break
    const chapter = archive.text(partName(packagePart, decoded(part)))
    if (chapter === null) continue
    const html = inner(chapter)
    if (html.trim() === '') continue
    chapters.push(html)
    length += html.length
  }
  return { html: chapters.join('<hr>'), facts: bookFacts(xml, modifiedAt) }
}

function bookFacts(xml: string, modifiedAt: string | null): DocumentFacts {
  const texts = textsOf(xml, ['title', 'creator', 'date', 'language', 'description', 'subject'])
  const fact = (name: string) => texts.get(name)?.trim() ?? null
  return {
    ...NO_FACTS,
    title: fact('title'),
    author: fact('creator'),
    createdAt: fact('date'),
    modifiedAt: modifiedAt,
    language: fact('language'),
    description: fact('description'),
    keywords: fact('subject'),
  }
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}
