/** Small pieces of pages, a file for each group of markup: the HTML, and the Markdown that a careful person would make of it. */
import { readdirSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPage, type PageReading } from '#backend/crawler/page/read-page.ts'

const FOLDER = new URL('../../corpus/groups/', import.meta.url)

const pieces = suite('pieces of pages')

function markdownOf(html: string): string {
  const page = readPage(
    { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8', status: 200, url: 'https://site.example/docs/page' },
    { includeHtml: false, onlyMainContent: false, includeTags: [], excludeTags: [] },
  ) as PageReading
  return page.markdown
}

for (const file of readdirSync(FOLDER).toSorted()) {
  const cases = readFileSync(new URL(file, FOLDER), 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((part) => /^(.*)\n([^]*?)\n--->\n([^]*)$/.exec(part)!)
  pieces(`${file.replace('.txt', '')}: each becomes the expected Markdown`, () => {
    assert.ok(cases.length > 0, `${file} has pieces`)
    for (const [, title, html, markdown] of cases)
      assert.fixture(markdownOf(html!), markdown!.trimEnd() === '' ? '' : markdown!.trimEnd() + '\n', `${file}, ${title}`)
  })
}

pieces.run()
