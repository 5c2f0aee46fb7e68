/** Main content of pages that consist of their author's own text: read-mes and pages of manuals. Nothing of that text may be missing. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPage, type PageReading } from '#backend/crawler/page/read-page.ts'

const test = suite('main content of texts by one author')

const TEXT = 'The keel of the boat was hauled out in spring, measured at twelve points, and repaired within nine days by two people. '

test('pictures keep their links and long alt texts on pages that do not declare themselves articles: badges, formulas', () => {
  const formula = 'A formula, '.repeat(12).trim()
  const page = (
    head: string,
  ) => `<title>moor</title>${head}<h1>moor</h1><p>${TEXT.repeat(4)}<a href="https://ci.example/moor"><img src="https://ci.example/moor.svg" alt="Build"></a>
<a href="/t" title="All the tides of a year">Tides</a>: <img src="/f.png" alt="${formula}"></p><p>${TEXT.repeat(4)}</p>`
  const markdown = mainOf(page(''))
  assert.match(markdown, /\[!\[Build\]\(https:\/\/ci\.example\/moor\.svg\)\]\(https:\/\/ci\.example\/moor\)/)
  assert.match(markdown, /\[Tides\]\(\S+ "All the tides of a year"\): !\[A formula, /)
  assert.match(mainOf(page('<meta property="og:type" content="article">')), /people\. !\[Build\]\(\S+\) \[Tides\]\(\S+\): !\[\]/)
})

function mainOf(html: string): string {
  const bytes = new TextEncoder().encode(html)
  const rules = { includeHtml: false, onlyMainContent: true, articleFrame: true, includeTags: [], excludeTags: [] }
  return (
    readPage({ bytes, contentType: 'text/html; charset=utf-8', status: 200, url: 'https://site.example/docs/page' }, rules) as PageReading
  ).markdown
}

test.run()
