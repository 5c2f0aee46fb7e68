import { readdir, readFile } from 'node:fs/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PageReading } from '#backend/crawler/page/read-page.ts'
import { docx, relations, zip } from '#tests/support/office-files.ts'
import { readDocument } from '#tests/support/read-document.ts'

const test = suite('documents of office programs, books and feeds')
const FIXTURES = new URL('../fixtures/documents/', import.meta.url)
const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

test('documents of real programs become the Markdown in the files beside them', async () => {
  const names = (await readdir(FIXTURES)).filter((name) => !name.endsWith('.md'))
  assert.is(names.length, 13)
  for (const name of names) {
    const reading = await read(await readFile(new URL(name, FIXTURES)), null)
    assert.is(reading.kind, 'page', name)
    const expected = await readFile(new URL(`${name}.md`, FIXTURES), 'utf8')
    assert.is((reading as PageReading).markdown, expected, name)
  }
})

test('documents have their title, author, dates and media type, regardless of the header', async () => {
  const { metadata, mediaType, title } = await page(await readFile(new URL('tides-pandoc.docx', FIXTURES)), 'application/octet-stream')
  assert.is(title, 'Tide tables')
  assert.is(metadata['author'], 'Ada Keel')
  assert.is(metadata['language'], 'en-GB')
  assert.match(metadata['published_time']!, /^2026-11-22T/)
  assert.is(mediaType, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document')
})

test('documents have links that a crawl can follow, except links inside a book', async () => {
  const { links } = await page(await readFile(new URL('tides.epub', FIXTURES)), 'application/epub+zip')
  assert.equal(
    links.map((link) => link.url),
    ['https://example.org/a'],
  )
})

test('a book whose reading order lists the sections of a chapter has each chapter once', async () => {
  const bytes = zip({
    'META-INF/container.xml': '<container><rootfile full-path="O/c.opf"/></container>',
    'O/c.opf':
      '<package><manifest>' +
      ['a.xhtml', 'a.xhtml#s1', 'b.xhtml']
        .map((href) => `<item id="${href}" href="${href}" media-type="application/xhtml+xml"/>`)
        .join('') +
      '</manifest><spine><itemref idref="a.xhtml"/><itemref idref="a.xhtml#s1"/><itemref idref="b.xhtml"/></spine></package>',
    'O/a.xhtml': '<html><body><h1>A</h1><h2 id="s1">One</h2></body></html>',
    'O/b.xhtml': '<html><body><h1>B</h1></body></html>',
  })
  assert.is((await page(bytes, null)).markdown, '# A\n\n## One\n\n---\n\n# B\n')
})

test('Word: deleted, moved and hidden text, field instructions and tables of contents are left out of the text', async () => {
  const body =
    '<w:p><w:r><w:t xml:space="preserve">Kept </w:t></w:r><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del>' +
    '<w:moveFrom><w:r><w:t>moved away</w:t></w:r></w:moveFrom><w:ins><w:r><w:t>added</w:t></w:r></w:ins></w:p>' +
    '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "https://a.example/x" </w:instrText></w:r>' +
    '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>the link</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>' +
    '<w:p><w:pPr><w:pStyle w:val="TOC1"/></w:pPr><w:r><w:t>Chapter … 7</w:t></w:r></w:p>' +
    '<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>2</w:t></w:r></w:p>'
  const styles = `<w:styles ${WORD}><w:style w:styleId="TOC1"><w:name w:val="toc 1"/></w:style></w:styles>`
  const { markdown } = await page(docx(body, { 'word/styles.xml': styles }), null)
  assert.match(markdown, /^Kept added\n\n\[the link\]\(https:\/\/a\.example\/x\)\n\n/)
  assert.not.match(markdown, /deleted|moved away|HYPERLINK|Chapter|hidden/)
})

test('Word: cells that span columns, tables in cells and text boxes keep their text', async () => {
  const cell = (text: string, span = 1) =>
    `<w:tc><w:tcPr><w:gridSpan w:val="${span}"/></w:tcPr><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`
  const inner = `<w:tbl><w:tr>${cell('in')}${cell('ner')}</w:tr></w:tbl>`
  const body =
    `<w:tbl><w:tr>${cell('wide', 2)}</w:tr><w:tr>${cell('a')}<w:tc>${inner}<w:p/></w:tc></w:tr></w:tbl>` +
    '<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent></mc:Choice>' +
    '<mc:Fallback><w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent></mc:Fallback></mc:AlternateContent>' +
    '<w:t>around</w:t></w:r></w:p>'
  const { markdown } = await page(docx(body), null)
  assert.is(markdown, '| wide |  |\n| --- | --- |\n| a | in ner |\n\nboxed\n\naround\n')
})

test('markup in the text of a document stays text', async () => {
  const { markdown, links } = await page(docx(paragraph('&lt;img src=x onerror=alert(1)&gt; [a](javascript:x) # no')), null)
  assert.not.match(markdown, /(?<!\\)<img/)
  assert.not.match(markdown, /(?<!\\)\[a\]\(/)
  assert.equal(links, [])
})

test('sheets: shared texts, dates, percentages and links are read, whatever XML prefixes the producer uses', async () => {
  const sheet =
    '<x:worksheet xmlns:x="u"><x:sheetData><x:row><x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="C1" t="inlineStr"><x:is><x:t>in | line</x:t></x:is></x:c></x:row>' +
    '<x:row r="2"><x:c r="A2" s="1"><x:v>45352.5</x:v></x:c><x:c r="B2" t="b"><x:v>1</x:v></x:c><x:c r="C2"><x:v>0.30000000000000004</x:v></x:c></x:row>' +
    '<x:row hidden="1"><x:c r="A3"><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>'
  const { markdown } = await page(
    zip({
      'xl/workbook.xml': '<x:workbook xmlns:x="u" xmlns:r="r"><x:sheets><x:sheet name="S &amp; T" r:id="r1"/></x:sheets></x:workbook>',
      'xl/_rels/workbook.xml.rels': relations({
        r1: ['worksheet', 'worksheets/a.xml'],
        r2: ['sharedStrings', '/xl/shared.xml'],
        r3: ['styles', 'styles.xml'],
      }),
      'xl/shared.xml': '<sst><si><r><t>Ri</t></r><r><t>ch</t></r><rPh><t>hint</t></rPh></si></sst>',
      'xl/styles.xml':
        '<styleSheet><numFmts><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd hh:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="165"/></cellXfs></styleSheet>',
      'xl/worksheets/a.xml': sheet,
    }),
    null,
  )
  assert.is(markdown, '## S & T\n\n| Rich |  | in \\| line |\n| --- | --- | --- |\n| 2024-03-01 12:00 | TRUE | 0.3 |\n')
})

test('feeds become headings that link to their entries, RSS and Atom alike', async () => {
  const rss =
    '<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour</title><link>https://h.example/</link><description>News &amp; tides</description>' +
    '<image><title>Logo</title><url>x</url></image>' +
    '<item><title>First &amp; foremost</title><link>https://h.example/1</link><pubDate>Fri, 01 Mar 2024 10:00:00 GMT</pubDate><dc:creator>Ada</dc:creator>' +
    '<description>short</description><content:encoded><![CDATA[<p>Long <b>text</b> <a href="/2">more</a></p><!-- ]]></content:encoded></item>' +
    '<item><title>Second</title><guid>https://h.example/3</guid><description>&lt;p&gt;After&lt;/p&gt;</description></item></channel></rss>'
  const atom =
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>Harbour</title><subtitle>News &amp; tides</subtitle>' +
    '<entry><title type="html">First &amp;amp; foremost</title><link rel="self" href="https://h.example/self"/><link href="https://h.example/1"/><updated>2024-03-01T10:00:00Z</updated>' +
    '<author><name>Ada</name><uri>u</uri></author><content type="xhtml"><div><p>Long <b>text</b> <a href="/2">more</a></p></div></content></entry>' +
    '<entry><title>Second</title><link href="https://h.example/3"/><summary type="text">After</summary></entry></feed>'
  const expected =
    '# Harbour\n\nNews & tides\n\n## [First & foremost](https://h.example/1)\n\n2024-03-01T10:00:00Z · Ada\n\nLong **text** [more](https://h.example/2)\n\n' +
    '## [Second](https://h.example/3)\n\nAfter\n'
  for (const [type, xml] of [
    ['application/rss+xml', rss],
    ['application/atom+xml', atom],
    ['text/xml', rss],
  ] as const) {
    const reading = await page(Buffer.from(xml), type, 'https://h.example/feed')
    assert.is(reading.markdown, expected, type)
    assert.equal(
      reading.links.map((link) => link.url),
      ['https://h.example/1', 'https://h.example/2', 'https://h.example/3'],
    )
    assert.is(reading.title, 'Harbour')
  }
})

test('entries of a podcast keep their links and texts, though each has a picture and a teaser', async () => {
  const itunes = 'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"'
  const rss =
    `<rss version="2.0" ${itunes}><channel><title>Tides</title><itunes:image href="https://h.example/logo.png"/><description>On the sea</description>` +
    '<item><title>One</title><itunes:image href="https://h.example/1.png"/><link>https://h.example/1</link>' +
    '<pubDate>Fri, 01 Mar 2024 10:00:00 GMT</pubDate><itunes:subtitle>Ebb</itunes:subtitle><description>How the ebb begins</description></item>' +
    '<item><title>Two</title><link>https://h.example/2</link><description>How the flood begins</description><itunes:subtitle>Flood</itunes:subtitle></item>' +
    '</channel></rss>'
  const { markdown, metadata } = await page(Buffer.from(rss), 'application/rss+xml', 'https://h.example/feed')
  assert.is(
    markdown,
    '# Tides\n\nOn the sea\n\n## [One](https://h.example/1)\n\n2024-03-01T10:00:00Z\n\nHow the ebb begins\n\n' +
      '## [Two](https://h.example/2)\n\nHow the flood begins\n',
  )
  assert.is(metadata['modified_time'], undefined, 'the date of an entry is not that of the feed')
})

test('archives without a document, or with a damaged one, are refused with the reason', async () => {
  const cases: [Uint8Array, string | null, string][] = [
    [zip({ 'a.txt': 'x' }), 'application/zip', 'unsupported_type: application/zip'],
    [zip({ 'a.txt': 'x' }), null, 'unsupported_type: a zip archive'],
    [Buffer.from('PK\u0003\u0004 nothing else'), 'application/epub+zip', 'unsupported_type: application/epub+zip'],
    [Buffer.from('no archive'), 'application/vnd.oasis.opendocument.text', 'unsupported_type: application/vnd.oasis.opendocument.text'],
    [zip({ mimetype: 'application/vnd.oasis.opendocument.text' }), null, 'unparsable: not a readable ODT document'],
    [zip({ 'META-INF/container.xml': '<container/>' }), null, 'unparsable: not a readable EPUB document'],
  ]
  for (const [bytes, type, expected] of cases) {
    const answer = await read(bytes, type)
    assert.is(answer.kind === 'refusal' ? `${answer.reason}: ${answer.detail}` : answer.kind, expected)
  }
})

test('a part that unpacks to more than 16 MiB is not unpacked, and a part that states a smaller size is cut at that size', async () => {
  const bomb = zip({ 'word/document.xml': `<w:document ${WORD}>${' '.repeat(17 * 1024 * 1024)}` })
  assert.ok(bomb.length < 30_000)
  assert.is((await read(bomb, null)).kind, 'refusal')
  const liar = docx(paragraph('First') + paragraph('later').repeat(10_000))
  const view = new DataView(liar.buffer, liar.byteOffset)
  const stated = `<w:document ${WORD}><w:body>${paragraph('First')}`.length
  for (let at = 0; at < liar.length - 4; at++) if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, stated, true)
  const answer = await page(liar, null)
  assert.is(answer.markdown, 'First\n')
})

test('deep nesting and many repetitions take bounded time and memory', async () => {
  const within = (levels: number) => docx(`${'<w:sdt><w:sdtContent>'.repeat(levels)}${paragraph('deep')}`)
  assert.is((await page(within(400), null)).markdown, 'deep\n')
  assert.is((await read(within(50_000), null)).kind, 'refusal')
  const nested = docx(`${'<w:tbl><w:tr><w:tc>'.repeat(300)}${paragraph('cell')}${'</w:tc></w:tr></w:tbl>'.repeat(300)}`)
  assert.match((await page(nested, null)).markdown, /cell/)
  const cells = '<table:table-cell table:number-columns-repeated="2000000000"><text:p>x</text:p></table:table-cell>'
  const ods = zip({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': `<office:body><office:spreadsheet><table:table table:name="T"><table:table-row table:number-rows-repeated="1000000000">${cells}</table:table-row></table:table></office:spreadsheet></office:body>`,
  })
  const { markdown } = await page(ods, null)
  assert.ok(markdown.length < 5 * 1024 * 1024)
  const deepFeed = Buffer.from(`<rss>${'<item><title>T</title>'.repeat(100_000)}`)
  assert.match((await page(deepFeed, 'application/rss+xml')).markdown, /^```xml/)
  const far = zip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="Far" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations({ r1: ['worksheet', 'a.xml'] }),
    'xl/a.xml': '<worksheet><sheetData><row><c r="ZZZZZZZZZ1"><v>1</v></c><c r="B1"><v>2</v></c></row></sheetData></worksheet>',
  })
  assert.is((await page(far, null)).markdown, '## Far\n\n|  | 2 |\n| --- | --- |\n')
})

test('entities that a document type defines are not expanded and load nothing', async () => {
  const xml = `<!DOCTYPE d [<!ENTITY a "${'x'.repeat(100)}"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/hostname">]><w:document ${WORD}><w:body>${paragraph('&b;&f; end')}</w:body></w:document>`
  const { markdown } = await page(zip({ 'word/document.xml': xml }), null)
  assert.match(markdown, /end/)
  assert.ok(markdown.length < 60)
})

test.run()

function paragraph(text: string): string {
  return `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
}
const read = (bytes: Uint8Array, contentType: string | null, url = 'https://site.example/files/document') =>
  readDocument(bytes, { contentType, url })
async function page(bytes: Uint8Array, contentType: string | null, url?: string): Promise<PageReading> {
  const answer = await read(bytes, contentType, url)
  assert.is(answer.kind, 'page', JSON.stringify(answer).slice(0, 200))
  return answer as PageReading
}
