/** The titles of Markdown documents, and which texts are read as Markdown. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { markdownTitle } from '#backend/crawler/documents/markdown-title.ts'
import { readPage, type PageReading } from '#backend/crawler/page/read-page.ts'

const test = suite('Markdown documents')

const read = (text: string, contentType: string, url: string) =>
  readPage(
    { bytes: Buffer.from(text), contentType, status: 200, url },
    { includeHtml: false, onlyMainContent: true, includeTags: [], excludeTags: [] },
  ) as PageReading

test('the title is that of the front matter, else the largest heading at the start', () => {
  for (const [markdown, title] of [
    ['# Mills\n\n## Use', 'Mills'],
    ['## Note\n\n# Mills of the brook #\n\n# Use', 'Mills of the brook'],
    ['Mills\n===\n\ntext', 'Mills'],
    ['text\n\n- a\n---\n\nUse\n---\n', 'Use'],
    ['---\ntitle: "Mills: all of them"\nlayout: x\n---\n\n# Other', 'Mills: all of them'],
    ["---\ntitle: 'Today''s mills' # a note\n---\n", "Today's mills"],
    ['---\ntitle: "The \\"Old\\" Mill"\n---\n', 'The "Old" Mill'],
    ['---\nlayout: x\n---\n# Mills', 'Mills'],
    ['```sh\n# make all\n```\n\n~~~\n# b\n~~~\n# Mills', 'Mills'],
    ['# <img src="a.png"> [`mill_race`](https://a.example/) \\*2\\* [![x](b)](c) {#m}', 'mill_race *2*'],
    ['# 1.2.0 / 2024-01-05\n\n## Fixed', null],
    ['text only', null],
  ] as const)
    assert.is(markdownTitle(markdown), title, markdown)
  const { title, metadata } = read('# Mills\n', 'text/markdown', 'https://site.example/d/mills')
  assert.equal([title, metadata['title']], ['Mills', 'Mills'])
})

test('a title has no characters that disguise it', () => {
  assert.is(read('---\ntitle: "Mills \u202egpj.exe\u202c\u0007"\n---\n', 'text/markdown', 'https://site.example/').title, 'Mills gpj.exe')
})

test('a file named as Markdown is read as such where the server has no media type for it', () => {
  const text = '# Mills\n\nSee [races](races.md).\n'
  for (const type of ['text/plain; charset=utf-8', 'application/octet-stream', '']) {
    const page = read(text, type, 'https://site.example/d/README.md?raw=1')
    assert.equal([page.title, page.links.map(({ url }) => url), page.markdown], ['Mills', ['https://site.example/d/races.md'], text])
  }
  for (const url of ['https://site.example/d/a.txt', 'https://site.example/raw?file=a.md', 'https://site.md/']) {
    const page = read(text, 'text/plain', url)
    assert.equal([page.title, page.links.length], [null, 0], url)
  }
})

test.run()
