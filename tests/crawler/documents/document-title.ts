import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { documentTitle } from '#backend/crawler/documents/document-title.ts'
import { parsePage } from '#backend/crawler/page/page.ts'
import { docx, relations, zip } from '#tests/support/office-files.ts'
import { readDocument } from '#tests/support/read-document.ts'

const test = suite('titles of documents')

const titleOf = (stated: string | null, html: string) => documentTitle(stated, parsePage(html, 'http://site.example/').root)

test('a title that an author wrote is the title', () => {
  for (const title of ['Tide tables', 'Untitled songs', 'Microsofts Wörter', 'Slides 2024', 'About report.pdf', 'The title'])
    assert.is(titleOf(title, '<h1>Another</h1>'), title)
})

test('the largest heading at the start takes the place of a missing title, and of one that a program wrote', () => {
  for (const stated of [null, 'untitled', 'Microsoft Word - report.docx', 'PowerPoint Presentation', 'Folie 1', 'thesis.dvi', 'COW.EPS'])
    assert.is(
      titleOf(stated, '<h2>University of Somewhere</h2><p>x</p><h1>Tides &amp; <i>their</i> tables ∗†</h1><h1>Later</h1>'),
      'Tides & their tables',
    )
})

test('a document may have any number of elements beside its heading', () => {
  assert.is(titleOf(null, `<h1>Tides</h1>${'<p>x</p>'.repeat(200_000)}`), 'Tides')
})

test('without a heading that is a title, what the document states stays', () => {
  for (const [stated, html] of [
    [null, '<p>text</p>'],
    ['cow.eps', '<p>text</p>'],
    [null, '<h2>Slide 1</h2><h2>12</h2>'],
    [null, `<h1>${'long '.repeat(60)}</h1>`],
  ] as const)
    assert.is(titleOf(stated, html), stated)
})

test('a Word file without a title is called by its heading, a workbook not by the name of a sheet', async () => {
  const heading = '<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Annual report</w:t></w:r></w:p>'
  const sheet = zip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="Costs" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations({ r1: ['worksheet', 'a.xml'] }),
    'xl/a.xml': '<worksheet><row><c><v>1</v></c><c><v>2</v></c></row></worksheet>',
  })
  assert.is(await titleRead(docx(heading)), 'Annual report')
  assert.is(await titleRead(sheet), null)
})

test.run()

async function titleRead(bytes: Uint8Array): Promise<string | null> {
  const answer = await readDocument(bytes)
  if (answer.kind !== 'page') throw new Error(answer.reason)
  return answer.title
}
