import { styleTags } from '../document.ts'
import type { Tags, TextStyle } from '../document.ts'
import { readXml } from '../xml.ts'

export type OpenDocumentStyles = {
  /** The element of a paragraph, by the names of its style and that style's ancestors. */
  paragraph(style: string): Tags
  /** Bold, italic, struck through or code. */
  span(style: string): Tags
  isNumbered(listStyle: string): boolean
  isHidden(tableStyle: string): boolean
}

type ParagraphStyle = { name: string; parent: string }

/** Reads the styles that the parts of a document define: those with a name, and the automatic ones of its content. */
export function readOpenDocumentStyles(parts: readonly string[]): OpenDocumentStyles {
  const textStyles = new Map<string, TextStyle>()
  const paragraphStyles = new Map<string, ParagraphStyle>()
  const numbered = new Set<string>()
  const hidden = new Set<string>()
  // Cached, because many paragraphs share a style.
  const blocks = new Map<string, Tags>()
  parts.forEach(readPart)
  return { paragraph, span, isNumbered: (listStyle) => numbered.has(listStyle), isHidden: (tableStyle) => hidden.has(tableStyle) }

  function paragraph(style: string): Tags {
    const known = blocks.get(style) ?? blockOf(namesOf(style))
    blocks.set(style, known)
    return known
  }

  /** The display names of a style and its ancestors. */
  function namesOf(style: string): string[] {
    const names: string[] = []
    for (let name = style; name !== '' && names.length < 10; name = paragraphStyles.get(name)?.parent ?? '')
      names.push(paragraphStyles.get(name)?.name ?? name)
    return names
  }

  function span(style: string): Tags {
    const known = textStyles.get(style)
    return known === undefined ? ['', ''] : styleTags(known)
  }

  function readPart(xml: string) {
    let style = ''
    let listStyle = ''
    readXml(xml, {
      open: (name, attributes) => {
        if (name === 'style') {
          style = attributes['style:name'] ?? ''
          const shown = attributes['display-name'] ?? style
          if (attributes['family'] === 'paragraph')
            paragraphStyles.set(style, { name: shown, parent: attributes['parent-style-name'] ?? '' })
          if (attributes['family'] === 'text')
            textStyles.set(style, {
              isBold: /^strong/i.test(shown),
              isItalic: /^emphasis/i.test(shown),
              isStruck: false,
              isCode: /source.{0,4}text|verbatim|teletype/i.test(`${shown} ${attributes['parent-style-name'] ?? ''}`),
            })
        } else if (name === 'text-properties' && textStyles.has(style)) {
          const known = textStyles.get(style)!
          const weight = attributes['font-weight'] ?? ''
          known.isBold ||= weight === 'bold' || Number(weight) >= 600
          known.isItalic ||= /italic|oblique/.test(attributes['font-style'] ?? '')
          known.isStruck ||= /^(?!none).+/.test(attributes['text-line-through-style'] ?? 'none')
        } else if (name === 'table-properties' && attributes['display'] === 'false') hidden.add(style)
        else if (name === 'list-style') listStyle = attributes['style:name'] ?? ''
        else if (name === 'list-level-style-number' && attributes['level'] === '1' && listStyle !== '') numbered.add(listStyle)
      },
      close: (name) => {
        if (name === 'style') style = ''
        else if (name === 'list-style') listStyle = ''
      },
    })
  }
}

function blockOf(names: readonly string[]): Tags {
  if (names.some((name) => /^title$/i.test(name))) return ['<h1>', '</h1>']
  if (names.some((name) => /preformatted|source[ _]?(?:20_)?(?:code|text)/i.test(name))) return ['<pre>', '\n</pre>']
  if (names.some((name) => /^quot/i.test(name))) return ['<blockquote><p>', '</p></blockquote>']
  return ['<p>', '</p>']
}
