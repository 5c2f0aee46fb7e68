/** Kinds of documents that a crawl keeps or skips. */
import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { documentType, isWanted, statedType } from '#backend/crawler/documents/document-types.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { suite } from '#tests/support/suite.ts'

const types = suite('kinds of documents')
for (const [mediaType, type] of [
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['application/pdf', 'pdf'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.oasis.opendocument.text', 'odt'],
  ['application/vnd.ms-word.document.macroenabled.12', 'docx'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.template', 'docx'],
  ['application/vnd.ms-excel.sheet.macroenabled.12', 'xlsx'],
  ['application/vnd.openxmlformats-officedocument.presentationml.slideshow', 'pptx'],
  ['application/vnd.oasis.opendocument.spreadsheet-template', 'ods'],
  ['application/epub+zip', 'epub'],
  ['application/rss+xml', 'xml'],
  ['application/ld+json', 'json'],
  ['text/tab-separated-values', 'csv'],
  ['text/markdown', 'text'],
] as const)
  types(`${mediaType} is ${type}`, () => assert.is(documentType(mediaType), type))
types('a Content-Type header without a specific type is ignored', () => {
  for (const header of [null, '', 'application/octet-stream', 'binary/octet-stream', 'application/zip', '*/*', 'nonsense'])
    assert.is(statedType(header), null, String(header))
  assert.is(statedType('Application/PDF; x=1'), 'pdf')
})
types('skip_types takes precedence over keep_types', () => {
  assert.ok(isWanted({}, 'pdf'))
  assert.not.ok(isWanted({ keep: ['pdf'], skip: ['pdf'] }, 'pdf'))
  assert.not.ok(isWanted({ keep: ['pdf'] }, 'html'))
})

const crawls = suite('crawls that keep some kinds of documents')
const file = (type: string, body: string) => ({ headers: { 'content-type': type }, body })
const site = await startSite({
  '/': pageOf('home', ['/list.csv', '/table', '/paper.pdf', '/feed', '/more', '/data', '/minutes.docm']),
  '/more': pageOf('more', ['/deep.txt', '/letter.rtf']),
  '/list.csv': file('text/csv', 'name,price\ntea,4\n'),
  '/table': file('text/csv', 'name,price\ncup,9\n'),
  '/feed': file(
    'application/rss+xml',
    `<rss version="2.0"><channel><title>News</title><item><title>One</title><link>http://x.test/</link></item></channel></rss>`,
  ),
  '/deep.txt': file('text/plain', 'A text that stands deep in the site.'),
  '/letter.rtf': file('application/rtf', '{\\rtf1 A letter.}'),
  '/minutes.docm': {
    headers: { 'content-type': 'application/vnd.ms-word.document.macroEnabled.12' },
    body: readFileSync(new URL('../fixtures/documents/tides-pandoc.docx', import.meta.url)),
  },
  '/data': file('', '{"a":"no type is stated, so the bytes decide: it is a text"}'),
})
const harness = startEngineHarness()

type Row = { url: string; outcome: string; detail: string | null }

async function outcomes(page: object) {
  site.forget()
  const no = await harness.crawl(site.url('/'), { spider: { max_depth: 5, page_limit: 50 }, page })
  const run = await harness.ended(no)
  assert.equal(harness.faults(no), [])
  const rows = harness.rows<Row>('SELECT url, outcome, detail FROM run_url WHERE run_no = ?', no)
  return {
    run,
    of: Object.fromEntries(
      rows.map(({ detail, outcome, url }) => [new URL(url).pathname, outcome === 'kept' ? 'kept' : `${outcome} ${detail}`]),
    ),
  }
}

crawls('links to wanted documents are followed; web pages that are not wanted are still read for links', async () => {
  const { of, run } = await outcomes({ keep_types: ['csv', 'text'] })
  assert.equal(of, {
    '/': 'document_type html',
    '/more': 'document_type html',
    '/list.csv': 'kept',
    '/table': 'kept',
    '/paper.pdf': 'out_of_scope file_type: pdf',
    '/feed': 'document_type xml',
    '/deep.txt': 'kept',
    '/letter.rtf': 'kept',
    '/data': 'kept',
    '/minutes.docm': 'out_of_scope file_type: docm',
  })
  assert.equal([run.kept, run.status], [5, 'finished'])
})
crawls('only documents of the skipped type are left out', async () => {
  const { of } = await outcomes({ skip_types: ['csv', 'xml'] })
  assert.equal(of, {
    '/': 'kept',
    '/more': 'kept',
    '/list.csv': 'out_of_scope file_type: csv',
    '/table': 'document_type csv',
    '/paper.pdf': 'out_of_scope file_type: pdf',
    '/feed': 'document_type xml',
    '/deep.txt': 'kept',
    '/letter.rtf': 'out_of_scope file_type: rtf',
    '/data': 'kept',
    '/minutes.docm': 'out_of_scope file_type: docm',
  })
})
crawls('a macro-enabled document is kept with its kind, also when its media type is stated', async () => {
  const { of } = await outcomes({ keep_types: ['docx'] })
  assert.is(of['/minutes.docm'], 'kept')
})
crawls('documents that are not stored do not count as pages', async () => {
  const no = await harness.crawl(site.url('/'), { spider: { max_depth: 5, page_limit: 2 }, page: { keep_types: ['csv', 'text'] } })
  assert.is((await harness.ended(no)).kept, 2)
})
crawls('a start page that is not stored is no failure', async () => {
  const no = await harness.crawl(site.url('/feed'), { page: { skip_types: ['xml'] } })
  const run = await harness.ended(no)
  assert.equal([run.kept, run.status], [0, 'finished'])
})

types.run()
crawls.run()
