/** Parses the Markdown that the document's texts use: paragraphs, second-level headings, lists, bold, code. Pure. */

export type Piece = { kind: 'text' | 'bold' | 'code'; text: string }
export type Block = { kind: 'paragraph'; pieces: Piece[] } | { kind: 'list'; entries: Piece[][] }
export type Section = { id: string; title: string; blocks: Block[] }

/** Sections by their headings; the one before the first heading has no title. */
export function sectionsOf(markdown: string): Section[] {
  const [first = '', ...rest] = markdown.split(/^## /m)
  const sections = rest.map((part) => {
    const [title = '', ...lines] = part.split('\n')
    return { id: idOf(title.trim()), title: title.trim(), blocks: blocksOf(lines.join('\n')) }
  })
  return [{ id: 'introduction', title: '', blocks: blocksOf(first) }, ...sections]
}

/** "Live events" to "live-events". */
const idOf = (title: string) => title.toLowerCase().replace(/[^a-z0-9]+/g, '-')

export const blocksOf = (text: string): Block[] =>
  text
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) =>
      part.startsWith('- ')
        ? {
            kind: 'list',
            entries: part
              .split(/^- /m)
              .filter(Boolean)
              .map((entry) => piecesOf(entry.trim())),
          }
        : { kind: 'paragraph', pieces: piecesOf(part) },
    )

export const piecesOf = (text: string): Piece[] =>
  [...text.matchAll(/`([^`]+)`|\*\*([^*]+)\*\*|([^`*]+|[`*])/g)].map(([, code, bold, plain = '']) =>
    code !== undefined ? { kind: 'code', text: code } : bold !== undefined ? { kind: 'bold', text: bold } : { kind: 'text', text: plain },
  )
