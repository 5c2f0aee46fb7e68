import { tableHtml } from '../document.ts'
import type { Line } from './lines.ts'
import { hasCode, isSameCode } from './pdf-code.ts'
import { entryHtml } from './contents-entries.ts'
import { blockOf, blocksHtml, headingLevels, joinLines, NUMBER, rounded, textSize } from './pdf-layout.ts'
import type { Block } from './pdf-layout.ts'
import type { Part } from './tags.ts'

/** How Word writes the mark of an inner list. */
const INNER_MARK = /^\s*o\s+/

/**
 * Writes what the tags of a document say. Where no tag says what is a heading, sizes and bold letters do.
 *
 * @param lines  of the whole document
 */
export function taggedHtml(parts: readonly Part[], lines: readonly Line[]): string {
  const mayBeCode = hasCode(lines)
  const levels = headingLevels(lines)
  const first = parts.findIndex(isHeading)
  // In most documents the title is a paragraph above the first heading, and larger than all headings.
  const title = parts
    .slice(0, Math.max(0, first))
    .reduce((most, part) => (part.kind === 'text' && levels.has(sizeOf(part.lines)) ? Math.max(most, sizeOf(part.lines)) : most), 0)
  const hasTitle = first !== -1 && parts.every((part) => !isHeading(part) || sizeOf(part.lines) < title)
  if (first === -1) return blocksHtml(blocksOf(parts), levels, textSize(lines))
  return blocksHtml(blocksOf(parts), new Map(hasTitle ? [[title, 1]] : []), Infinity)

  function blocksOf(some: readonly Part[]): Block[] {
    const blocks = some.flatMap((part): Block[] => {
      if (part.kind === 'loose') return joinLines(part.lines, mayBeCode)
      if (part.kind === 'contents') return part.entries.map((entry) => ({ ...blockOf(entry.map(withLeader), false), kind: 'entry' }))
      if (part.kind === 'text') {
        const block = blockOf(part.lines, mayBeCode && part.level === null)
        return [part.level === null ? block : { ...block, kind: 'text', level: Math.min(6, part.level + (hasTitle ? 1 : 0)) }]
      }
      const html =
        part.kind === 'list'
          ? listHtml(part)
          : part.kind === 'table'
            ? tableHtml(part.rows.map((row) => row.map(textHtml)))
            : quoteHtml(part)
      return [{ kind: 'html', html, text: '', size: 0, lines: 0, level: null, isBold: false, table: null, code: [] }]
    })
    return joinCode(blocks)
  }

  function quoteHtml(part: Part & { kind: 'quote' }): string {
    return `<blockquote>${blocksHtml(blocksOf(part.parts), new Map(), Infinity)}</blockquote>`
  }
}

const isHeading = (part: Part): part is Part & { kind: 'text' } => part.kind === 'text' && part.level !== null
const sizeOf = (lines: readonly Line[]) => rounded(lines[0]!.size)

/** The line of an entry, with an ellipsis before its page number. */
function withLeader(line: Line): Line {
  return { ...line, html: entryHtml(line) }
}

/** Code is one block also where each of its lines is a paragraph, and where it goes on at the next page. */
function joinCode(blocks: readonly Block[]): Block[] {
  const joined: Block[] = []
  for (const block of blocks) {
    const last = joined.at(-1)
    if (last?.kind === 'code' && block.kind === 'code' && isSameCode(last.code.at(-1), block.code[0]))
      for (const line of block.code) last.code.push(line)
    else joined.push(block)
  }
  return joined
}

function listHtml({ items }: Part & { kind: 'list' }): string {
  const first = items.find(({ lines }) => lines.length > 0)
  const number = items.every(({ lines }) => lines.length === 0 || NUMBER.test(lines[0]!.text))
    ? NUMBER.exec(first?.lines[0]!.text ?? '')?.[1]
    : undefined
  const tag = number === undefined ? 'ul' : 'ol'
  const inside = items.map(({ lines, parts }) => {
    const text = textHtml({ lines })
    return `<li>${number === undefined ? text.replace(INNER_MARK, '') : text.replace(NUMBER, '')}${parts.map(listHtml).join('')}</li>`
  })
  return `<${tag}${number === undefined || Number(number) === 1 ? '' : ` start="${Number(number)}"`}>${inside.join('')}</${tag}>`
}

function textHtml({ lines }: { lines: readonly Line[] }): string {
  return lines.length === 0 ? '' : blockOf(lines, false).html
}
