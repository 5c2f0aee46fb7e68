/** Writes each cell of a table as one line, whatever it contains. */
import { TextNode, type ElementNode } from '#backend/crawler/html/html-tree.ts'
import { rawText } from './code.ts'
import type { InlineWriter } from './inlines.ts'
import { BREAK, Line, trimLine } from './line.ts'
import { sealLine } from './seal-line.ts'

export function cellText(cell: ElementNode, inlines: InlineWriter): string {
  const inCell = inlines.inCell
  inlines.inCell = inlines.isCalm = true
  const text = cell.hasBlock ? flat(cell, inlines) : inlines.text(cell.children)
  inlines.inCell = inCell
  const line = trimLine(text)
  const one = line.includes('\n') ? line.replaceAll(BREAK, '<br>').replaceAll('\n', ' ') : line
  return (inlines.isCalm ? one : sealLine(one)).replaceAll('|', '\\|')
}

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
