import type { Archive } from '../archive.ts'
import { coreFacts } from './core-facts.ts'
import { escapeHtml, MAX_HTML_LENGTH, paragraphsHtml, tableHtml } from '../document.ts'
import type { Document } from '../document.ts'
import { readXml } from '../xml.ts'
import { FormulaStream } from './formula.ts'
import { graphicsOf } from './graphics.ts'
import { externalTarget, mainPart, partOfType, relationsOf } from './package-parts.ts'
import type { Relations } from './package-parts.ts'
import { shownText } from './symbol-fonts.ts'

const MAX_SLIDES = 1000
/** Placeholders that repeat on each slide: date, footer, number. */
const FURNITURE = /^(?:dt|ftr|sldNum|hdr|sldImg)$/
const MAX_LIST_LEVEL = 8

/** Reads a presentation: each slide as a heading, its texts as paragraphs and lists, its tables, charts and diagrams, and the speaker's notes as a quotation. */
export function readPptx(archive: Archive): Document | null {
  const main = mainPart(archive) ?? ''
  const presentation = archive.text(main)
  if (presentation === null) return null
  const relations = relationsOf(archive, main)
  const slides: string[] = []
  readXml(presentation, {
    open: (name, attributes) => {
      const relation = name === 'sldId' ? relations.get(attributes['r:id'] ?? '') : undefined
      if (relation !== undefined && slides.length < MAX_SLIDES) slides.push(relation.target)
    },
  })
  let html = ''
  for (const [index, part] of slides.entries()) {
    const xml = archive.text(part)
    if (xml === null || html.length > MAX_HTML_LENGTH || isHidden(xml)) continue
    const slideRelations = relationsOf(archive, part)
    const slide = slideHtml(xml, slideRelations, graphicsOf(archive, slideRelations))
    html += `<h2>${slide.title || `Slide ${index + 1}`}</h2>${slide.body}`
    const notesXml = archive.text(partOfType(slideRelations, 'notesSlide') ?? '')
    const said = notesXml === null ? '' : slideHtml(notesXml, new Map(), () => '').body
    if (said !== '') html += `<blockquote>${said}</blockquote>`
  }
  return { html, facts: coreFacts(archive) }
}

/** Whether the author has hidden the slide. */
function isHidden(xml: string): boolean {
  return /<(?:\w+:)?sld\b[^>]{0,2000}\sshow="(?:0|false)"/.test(xml.slice(0, 4000))
}

function slideHtml(xml: string, relations: Relations, graphic: ReturnType<typeof graphicsOf>): { title: string; body: string } {
  let title = ''
  let body = ''
  // The placeholder type of the open shape, and its paragraphs.
  let role = ''
  let paragraphs: { html: string; level: number; isListed: boolean }[] = []
  let paragraph: { html: string; level: number; isListed: boolean } | null = null
  let rows: string[][] | null = null
  let cell: string[] | null = null
  let isText = false
  let link = ''
  let isBold = false
  let isItalic = false
  let font = ''
  // Depth in copies of the content for older programs.
  let fallbacks = 0
  const formula = new FormulaStream()

  readXml(xml, {
    open: (name, attributes) => {
      if (name === 'Fallback') fallbacks++
      if (fallbacks > 0) return
      formula.open(name, attributes)
      if (formula.isOpen) return
      switch (name) {
        case 'sp':
          role = ''
          paragraphs = []
          return
        case 'ph':
          role = attributes['type'] ?? 'body'
          return
        case 'tbl':
          rows = []
          return
        case 'tr':
          rows?.push([])
          return
        case 'tc':
          cell = []
          return
        case 'p':
          paragraph = { html: '', level: 0, isListed: role === 'body' || role === 'obj' }
          return
        case 'pPr':
          if (paragraph !== null) paragraph.level = Math.min(MAX_LIST_LEVEL, Number(attributes['lvl'] ?? 0) || 0)
          return
        case 'buNone':
          if (paragraph !== null) paragraph.isListed = false
          return
        case 'buChar':
        case 'buAutoNum':
          if (paragraph !== null) paragraph.isListed = true
          return
        case 'r':
          link = ''
          isBold = false
          isItalic = false
          font = ''
          return
        case 'rPr':
          isBold = /^(?:1|true)$/.test(attributes['b'] ?? '')
          isItalic = /^(?:1|true)$/.test(attributes['i'] ?? '')
          return
        case 'sym':
          font = attributes['typeface'] ?? ''
          return
        case 'hlinkClick':
          link = externalTarget(relations, attributes['r:id'] ?? '')
          return
        case 't':
          isText = true
          return
        case 'br':
          if (paragraph !== null) paragraph.html += '<br>'
          return
        default:
          body += graphic(name, attributes)
      }
    },
    text: (data) => {
      if (fallbacks === 0) formula.text(data)
      if (!isText || paragraph === null || fallbacks > 0 || formula.isOpen) return
      let html = escapeHtml(shownText(data, font))
      if (isBold) html = `<b>${html}</b>`
      if (isItalic) html = `<i>${html}</i>`
      paragraph.html += link === '' ? html : `<a href="${escapeHtml(link)}">${html}</a>`
    },
    close: (name) => {
      if (name === 'Fallback') fallbacks--
      if (fallbacks > 0) return
      if (formula.isOpen || name === 'oMathPara') {
        const mathml = formula.close(name)
        if (paragraph !== null) paragraph.html += mathml
        return
      }
      switch (name) {
        case 't':
          isText = false
          return
        case 'p':
          if (paragraph !== null && paragraph.html.trim() !== '') {
            if (cell !== null) cell.push(paragraph.html)
            else paragraphs.push(paragraph)
          }
          paragraph = null
          return
        case 'tc':
          rows?.at(-1)?.push((cell ?? []).join('<br>'))
          cell = null
          return
        case 'tbl':
          body += tableHtml(rows ?? [])
          rows = null
          return
        case 'sp':
          if (FURNITURE.test(role)) return
          if (title === '' && (role === 'title' || role === 'ctrTitle')) title = paragraphs.map((one) => one.html).join(' ')
          else body += textHtml(paragraphs)
          paragraphs = []
      }
    },
  })
  return { title, body }
}

function textHtml(paragraphs: readonly { html: string; level: number; isListed: boolean }[]): string {
  // A single line is no list, even if its placeholder draws a bullet.
  const isList = paragraphs.filter((one) => one.isListed).length > 1
  return paragraphsHtml(
    paragraphs.map(({ html, level, isListed }) => ({ html, level, tag: 'p', marker: isList && isListed ? 'ul' : null })),
  )
}
