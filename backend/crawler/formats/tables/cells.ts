/** Writes each cell of a table as one line, whatever it contains. */
import { attributeOf, ElementNode, TextNode } from '#backend/crawler/html/html-tree.ts'
import { rawText } from '../code.ts'
import { escapeText } from '../escape.ts'
import type { InlineWriter } from '../inlines.ts'
import { BREAK, Line, trimLine } from '../line.ts'
import { sealLine } from '../seal-line.ts'

export function cellText(cell: ElementNode, inlines: InlineWriter): string {
  const inCell = inlines.inCell
  inlines.inCell = inlines.isCalm = true
  const text = cell.hasBlock ? flat(cell, inlines) : inlines.text(cell.children)
  inlines.inCell = inCell
  const line = trimLine(text) || signOf(cell, inlines)
  const one = line.includes('\n') ? line.replaceAll(BREAK, '<br>').replaceAll('\n', ' ') : line
  return (inlines.isCalm ? one : sealLine(one)).replaceAll('|', '\\|')
}

/** An icon that is all that a cell shows, as in comparisons of plans: its label, or a mark for yes or no by the name of the icon. */
function signOf(cell: ElementNode, inlines: InlineWriter): string {
  let only = cell
  for (let level = 0; level < MOST_LEVELS; level++) {
    const inside = only.children.filter((child) => child instanceof ElementNode && !child.dropped) as ElementNode[]
    if (inside.length !== 1) break
    only = inside[0]!
    // A link or a button, which says nothing about the row.
    if (only.name === 'a' || only.tag.silent) break
    const label = attributeOf(only, 'aria-label')?.trim() ?? ''
    if (label !== '') {
      // It may contain a URL.
      inlines.isCalm = false
      return escapeText(label.slice(0, MOST_LABEL))
    }
    const name = only.name === 'i' || only.name === 'span' ? (attributeOf(only, 'class') ?? '') : ''
    if (ICON.test(name)) return YES.test(name) ? '✓' : NO.test(name) ? '✗' : ''
  }
  return ''
}
const MOST_LEVELS = 4
const MOST_LABEL = 60
/** Class names of icon fonts, … */
const ICON = /(?:^|\s)(?:fa[srlbd]?|bi|glyphicon|mdi|material-icons|dashicons|icon|ti|la[srb]?)(?:[\s-]|$)|(?:^|[\s_-])icon(?:[\s_-]|$)/i
/** … and of their marks. Other class names begin alike: `no-margin`, `gap-x-2`. */
const YES = /(?:^|[\s_-])(?:check(?:mark)?|ok|tick|yes)(?:[\s_-]|$)/i
const NO = /(?:^|[\s_-])(?:times|cross|xmark|remove|close|x-(?:lg|circle|square|octagon|diamond)|(?:x|no)(?=\s|$))(?:[\s_-]|$)/i

/** Blocks on one line, separated by hard line breaks. */
function flat(element: ElementNode, inlines: InlineWriter): string {
  const lines: string[] = []
  const line = new Line()
  for (const child of element.children) {
    if (child instanceof TextNode) inlines.addTo(line, child)
    else if (child.dropped) continue
    else if (!child.tag.block && !child.hasBlock) inlines.addTo(line, child)
    else {
      lines.push(trimLine(line.take()))
      if (child.tag.pre)
        for (const code of rawText(child).split('\n')) {
          inlines.addCode(line, code.trim())
          lines.push(line.take())
        }
      else {
        // A row of a nested table stays one line.
        const inner = child.name === 'tr' ? flat(child, inlines).replaceAll(BREAK, ' ') : flat(child, inlines)
        lines.push(child.name === 'li' && inner !== '' ? '• ' + inner : inner)
      }
    }
  }
  lines.push(trimLine(line.take()))
  return lines.filter((text) => text !== '').join(BREAK)
}
