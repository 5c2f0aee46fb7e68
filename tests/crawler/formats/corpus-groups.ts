/** Small pieces of pages, a file for each group of markup: the HTML, and the Markdown that a careful person would make of it. */
import { readdirSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { markdownOf } from '#tests/support/markdown-of.ts'

const FOLDER = new URL('../../corpus/groups/', import.meta.url)

const pieces = suite('pieces of pages')

for (const file of readdirSync(FOLDER).toSorted()) {
  const cases = readFileSync(new URL(file, FOLDER), 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((part) => /^(.*)\n([^]*?)\n--->\n([^]*)$/.exec(part)!)
  pieces(`${file.replace('.txt', '')}: each becomes the expected Markdown`, () => {
    assert.ok(cases.length > 0, `${file} has pieces`)
    for (const [, title, html, markdown] of cases)
      assert.fixture(
        markdownOf(html!, { url: 'https://site.example/docs/page' }),
        markdown!.trimEnd() === '' ? '' : markdown!.trimEnd() + '\n',
        `${file}, ${title}`,
      )
  })
}

pieces.run()
