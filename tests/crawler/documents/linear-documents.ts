/** Reading an office document, a book or a feed takes time and memory in proportion to its size, whatever its parts repeat. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { MAX_HTML_LENGTH } from '#backend/crawler/documents/document.ts'
import type { Line } from '#backend/crawler/documents/pdf/lines.ts'
import { blocksHtml, joinLines } from '#backend/crawler/documents/pdf/pdf-layout.ts'
import { readPage } from '#backend/crawler/page/read-page.ts'
import type { PageReading } from '#backend/crawler/page/read-page.ts'
import { assertLinear, filled } from '#tests/support/linear.ts'
import { docx, pptx, relations, zip } from '#tests/support/office-files.ts'

const documents = suite('the cost of reading a document')

const EXTRACTION = { includeHtml: true, onlyMainContent: true, includeTags: [], excludeTags: [] }
const read = (bytes: Uint8Array, contentType: string | null) =>
  readPage({ bytes, contentType, status: 200, url: 'http://a.test/x/y' }, EXTRACTION)

const xlsx = (sheet: string, shared: string, parts: Record<string, string> = {}) =>
  zip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations({ r1: ['worksheet', 'a.xml'], r2: ['sharedStrings', 'shared.xml'] }),
    'xl/shared.xml': `<sst><si><t>${shared}</t></si></sst>`,
    'xl/a.xml': `<worksheet>${sheet}</worksheet>`,
    ...parts,
  })
const open = (kind: 'text' | 'spreadsheet', content: string, styles = '') =>
  zip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content><office:body><office:${kind}>${content}</office:${kind}></office:body></office:document-content>`,
    'styles.xml': `<styles>${styles}</styles>`,
  })
const paragraph = '<w:p><w:r><w:t>x</w:t></w:r></w:p>'

/** A printed line of these parts; those with a cell begin one. */
const printed = (y: number, parts: readonly { x: number; right: number; cell?: true }[]): Line => {
  const text = parts.map(() => 'words').join(' ')
  return {
    text,
    html: text,
    cells: parts.filter(({ cell }) => cell).map(({ x }) => ({ html: 'words', x })),
    parts: parts.map(({ x, right }) => ({ html: 'words', x, right })),
    size: 10,
    x: parts[0]!.x,
    right: parts.at(-1)!.right,
    y,
    isBold: false,
    code: null,
  }
}
const RIGHT = { x: 100, right: 150, cell: true } as const
const row = (y: number) => printed(y, [{ x: 0, right: 90, cell: true }, RIGHT])
const PRINTED: Record<string, (size: number) => Line[]> = {
  'one cell of many lines': (size) => [
    row(800),
    row(788),
    ...Array.from({ length: size / 2 }, (_, at) => printed(787 - at / 1000, [RIGHT])),
  ],
  'many lines with a further column': (size) => [
    row(800),
    row(788),
    ...Array.from({ length: size / 8 }, (_, at) =>
      printed(776 - at / 100, [{ x: 0, right: 10, cell: true }, { x: 50, right: 60, cell: true }, RIGHT]),
    ),
  ],
  'many parts of one cell': (size) => {
    const parts = Array.from({ length: size }, (_, at) => ({
      x: at / 10_000,
      right: at / 10_000,
      ...(at === 0 && { cell: true as const }),
    }))
    return [800, 788, 776].map((y) => printed(y, [...parts, RIGHT]))
  },
}

for (const [what, lines] of Object.entries(PRINTED))
  documents(`the rows of a printed table take time in proportion to its text: ${what}`, () =>
    assertLinear(what, (size) => {
      const made = lines(size)
      return () => {
        const html = blocksHtml(joinLines(made), new Map(), 10)
        assert.match(html, /^<table>(?:(?!<table>)[^])*<\/table>$/, 'all of it is one table')
      }
    }),
  )

const REPEATED: Record<string, (size: number) => Uint8Array> = {
  'Word: fields that are never closed': (size) =>
    docx(`<w:p>${filled('<w:r><w:fldChar w:fldCharType="begin"/><w:t>x</w:t></w:r>', size * 8)}</w:p>`),
  'Word: footnotes with one reference each': (size) =>
    docx(filled('<w:p><w:r><w:t>x</w:t><w:footnoteReference w:id="N"/></w:r></w:p>', size * 2), {
      'word/footnotes.xml': `<notes>${filled(`<w:footnote w:id="N">${paragraph}</w:footnote>`, size * 2)}</notes>`,
    }),
  'Word: text boxes': (size) => docx(filled(`<w:p><w:r><w:txbxContent>${paragraph}</w:txbxContent><w:t>a</w:t></w:r></w:p>`, size)),
  'Word: nested tables': (size) => docx(filled('<w:tbl><w:tr><w:tc>'.repeat(30) + paragraph + '</w:tc></w:tr></w:tbl>'.repeat(30), size)),
  'Word: end tags without an open element': (size) => docx('<w:q>'.repeat(900) + filled('</w:z>', size)),
  'Word: a chart with many points, and many references to it': (size) =>
    docx(filled('<w:p><w:r><c:chart r:id="c"/></w:r></w:p>', size), {
      'word/_rels/document.xml.rels': relations({ c: ['chart', 'chart.xml'] }),
      'word/chart.xml': `<c:ser><c:val>${filled('<c:pt idx="N"><c:v>1</c:v></c:pt>', size)}</c:val></c:ser>`,
    }),
  'a presentation: a diagram of points that are connected in a circle': (size) =>
    pptx('<dgm:relIds r:dm="d"/>', {
      'ppt/slides/_rels/slide1.xml.rels': relations({ d: ['diagramData', 'd.xml'] }),
      'ppt/slides/d.xml': `<pts>${filled('<pt modelId="N"><t>x</t></pt><cxn srcId="N" destId="N"/><cxn srcId="" destId="N"/>', size)}</pts>`,
    }),
  'Rich Text: groups that are never closed': (size) => Buffer.from(`{\\rtf1 ${'{\\b x'.repeat(900)}${filled('\\i x\\par ', size)}`),
  'Rich Text: one paragraph of many runs and signs': (size) => Buffer.from(`{\\rtf1 ${filled("\\b a\\'e9\\b0 \\u233?\\~", size)}`),
  'Rich Text: cells without rows': (size) => Buffer.from(`{\\rtf1 ${filled('\\intbl a\\cell ', size)}`),
  'a presentation: a diagram of a long chain of connections': (size) =>
    pptx('<dgm:relIds r:dm="d"/>', {
      'ppt/slides/_rels/slide1.xml.rels': relations({ d: ['diagramData', 'd.xml'] }),
      'ppt/slides/d.xml': `<pts><pt modelId="0" type="doc"/>${Array.from({ length: size / 30 }, (_, at) => `<cxn srcId="${at}" destId="${at + 1}"/>`).join('')}</pts>`,
    }),
  'a workbook: many links of one cell': (size) =>
    xlsx(`<row><c r="A1"><v>1</v></c></row>${filled('<hyperlink r:id="h" ref="A1"/>', size)}`, '', {
      'xl/_rels/a.xml.rels': relations({ h: ['hyperlink', 'http://b.test/', 'External'] }),
    }),
  'OpenDocument: paragraphs of a style with a long name': (size) =>
    open(
      'text',
      filled('<text:p text:style-name="s">x</text:p>', size),
      `<style:style style:name="s" style:family="paragraph" style:display-name="${'source '.repeat(size / 8)}"/>`,
    ),
  'OpenDocument: a cell with many empty lines': (size) => {
    const lines = filled('<text:p></text:p>', size * 4)
    return open(
      'spreadsheet',
      `<table:table><table:table-row><table:table-cell>x${lines}x</table:table-cell></table:table-row></table:table>`,
    )
  },
}

documents('H7: time grows linearly with the size, whatever is repeated in it', async () => {
  for (const [what, make] of Object.entries(REPEATED))
    await assertLinear(what, (size) => {
      const bytes = make(size)
      return () => read(bytes, null)
    })
})

const LONG = 'words '.repeat(20_000)
const rows = (cell: string) => `<row>${cell.repeat(50)}</row>`.repeat(400)
const REPEATED_PARTS: Record<string, () => Uint8Array> = {
  'a workbook: one long text in 20,000 cells': () => xlsx(rows('<c t="s"><v>0</v></c>'), LONG),
  'a workbook: one long text with line breaks in 20,000 cells': () => xlsx(rows('<c t="s"><v>0</v></c>'), LONG.replaceAll(' ', '\n')),
  'a workbook: one long URL linked from 20,000 cells': () =>
    xlsx(filled('<row><c r="AN"><v>1</v></c></row>', 600_000) + filled('<hyperlink r:id="h" ref="AN"/>', 600_000), '', {
      'xl/_rels/a.xml.rels': relations({ h: ['hyperlink', `http://b.test/${'x'.repeat(8000)}`, 'External'] }),
    }),
  'Word: one long URL linked from 10,000 words': () =>
    docx(`<w:p>${'<w:hyperlink r:id="h"><w:r><w:t>x</w:t></w:r></w:hyperlink>'.repeat(10_000)}</w:p>`, {
      'word/_rels/document.xml.rels': relations({ h: ['hyperlink', `http://b.test/${'x'.repeat(1_000_000)}`, 'External'] }),
    }),
  'Rich Text: one long URL linked from 200,000 runs': () =>
    Buffer.from(
      `{\\rtf1{\\field{\\*\\fldinst HYPERLINK "http://b.test/${'x'.repeat(4000)}"}{\\fldrslt ${'\\b a\\b0 b\\par '.repeat(100_000)}}}}`,
    ),
  'OpenDocument: one long cell repeated in 20,000 rows of 100 cells': () =>
    open(
      'spreadsheet',
      `<table:table><table:table-row table:number-rows-repeated="20000"><table:table-cell table:number-columns-repeated="100"><text:p>${LONG}</text:p></table:table-cell></table:table-row></table:table>`,
    ),
}

for (const [what, make] of Object.entries(REPEATED_PARTS))
  documents(`A1: parts that a document defines once and repeats take bounded time and space: ${what}`, async () => {
    const bytes = make()
    const before = process.memoryUsage.rss()
    const reading = await read(bytes, null)
    assert.is(reading.kind, 'page')
    assert.ok((reading as PageReading).markdown.length <= MAX_HTML_LENGTH * 2)
    const grown = Math.round((process.memoryUsage.rss() - before) / 1024 / 1024)
    assert.ok(grown < 300, `${grown} MiB more than before, for ${bytes.length} bytes`)
  })

documents('a URL in an office document may have up to 8,192 characters', async () => {
  const linked = (length: number) =>
    docx('<w:p><w:hyperlink r:id="h"><w:r><w:t>words</w:t></w:r></w:hyperlink></w:p>', {
      'word/_rels/document.xml.rels': relations({ h: ['hyperlink', 'http://b.test/'.padEnd(length, 'x'), 'External'] }),
    })
  const markdown = async (length: number) => ((await read(linked(length), null)) as PageReading).markdown
  assert.match(await markdown(8192), /^\[words\]\(http:\/\/b\.test\/x/)
  assert.is(await markdown(8193), 'words\n')
})

documents.run()
