import { CMapReader } from './cmaps.ts'
import { MAX_HTML_LENGTH, NO_FACTS } from '../document.ts'
import type { Document, DocumentFacts } from '../document.ts'
import { BoldFonts } from './bold-fonts.ts'
import { withBoldElements } from './bold-text.ts'
import { linesOf, linkAreas, sizeOf } from './lines.ts'
import type { Line, TextPiece } from './lines.ts'
import { MonospacedFonts } from './monospace.ts'
import { blocksHtml, headingLevels, joinLines, textSize } from './pdf-layout.ts'
import { withoutRunningHeads } from './running-heads.ts'
import { taggedHtml } from './tagged-html.ts'
import { TaggedPages } from './tags.ts'

const MAX_PAGES = 2000

/**
 * Reads a PDF, by its tags if it has some, and else by how it looks: headings by font size, paragraphs across lines and pages, lists, links. Drops repeated headers and footers. The library
 * takes 20 MB and is loaded with the first PDF.
 *
 * @param maxPages  further pages are not read
 * @returns null when it cannot be read: damaged, encrypted, or no PDF at all
 */
export async function readPdf(bytes: Uint8Array, maxPages = MAX_PAGES): Promise<Document | null> {
  const { getDocumentProxy } = await import('unpdf')
  try {
    // A copy, because the library takes ownership of the bytes. It evaluates no code and loads nothing from elsewhere.
    const document = await getDocumentProxy(new Uint8Array(bytes), {
      stopAtErrors: false,
      // Pixels: nobody sees the pictures, and unpacking them costs the most of reading how a page is drawn.
      maxImageSize: 1,
      verbosity: 0,
      BinaryDataFactory: CMapReader,
      // Only has to be there: the reader knows the folder.
      cMapUrl: 'cmaps/',
    })
    try {
      const fonts = new MonospacedFonts()
      const bold = new BoldFonts(bytes)
      const pages: Line[][] = []
      const tagged = new TaggedPages()
      let length = 0
      for (let number = 1; number <= Math.min(document.numPages, maxPages, MAX_PAGES) && length < MAX_HTML_LENGTH; number++) {
        const page = await document.getPage(number)
        const { items } = await page.getTextContent({ includeMarkedContent: true })
        const pieces = items.filter((item): item is (typeof items)[number] & TextPiece => 'str' in item)
        for (const { fontName, str, width, transform } of pieces) fonts.add(fontName, str, width, sizeOf(transform))
        await bold.learn(
          page,
          pieces.map(({ fontName }) => fontName),
        )
        const links = linkAreas(await page.getAnnotations().catch(() => []))
        const lines = linesOf(pieces, links, fonts, bold)
        if (tagged.areOnAllPages)
          tagged.add(await page.getStructTree().catch(() => null), items, (some) => linesOf(some, links, fonts, bold))
        page.cleanup()
        if (lines.at(-1)?.text.trim() === String(number)) lines.pop()
        pages.push(lines)
        for (const { code, html } of lines) length += html.length + (code?.text.length ?? 0)
      }
      const lines = withoutRunningHeads(pages).flat()
      const { info } = await document.getMetadata().catch(() => ({ info: {} }))
      const html = tagged.areTrusted ? taggedHtml(tagged.parts, lines) : blocksHtml(joinLines(lines), headingLevels(lines), textSize(lines))
      return {
        html: withBoldElements(html),
        facts: { ...pdfFacts(info as Record<string, unknown>), pages: { count: document.numPages, read: pages.length } },
      }
    } finally {
      await document.loadingTask.destroy()
    }
  } catch {
    return null
  }
}

function pdfFacts(info: Record<string, unknown>): DocumentFacts {
  const fact = (name: string) => {
    const value = info[name]
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
  }
  return {
    ...NO_FACTS,
    title: fact('Title'),
    author: fact('Author'),
    createdAt: pdfDate(fact('CreationDate')),
    modifiedAt: pdfDate(fact('ModDate')),
    language: fact('Language'),
    keywords: fact('Keywords'),
    description: fact('Subject'),
  }
}

/** Converts `D:20240131120000+01'00'` to ISO 8601; null when it is something else. Source: ISO 32000-2, 7.9.4. */
function pdfDate(text: string | null): string | null {
  const match = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(?:(\d\d)(\d\d)(\d\d)?)?\s*(?:(Z)|([+-]\d\d)'?(\d\d)?)?/.exec(text ?? '')
  if (match === null) return null
  const [, year, month = '01', day = '01', hour, minute, second = '00', zulu, hours, minutes = '00'] = match
  const zone = zulu === undefined ? (hours === undefined ? '' : `${hours}:${minutes}`) : 'Z'
  return `${year}-${month}-${day}${hour === undefined ? '' : `T${hour}:${minute}:${second}${zone}`}`
}
