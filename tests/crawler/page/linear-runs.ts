/** Long runs of one sign or element in a page take time in proportion to their length, also where the end decides what the run is. */
import { suite } from 'uvu'
import { readPage } from '#backend/crawler/page/read-page.ts'
import { assertLinear, filled } from '#tests/support/linear.ts'

const linear = suite('time that a long run of one sign takes to read')

const EXTRACTION = { includeHtml: true, onlyMainContent: true, includeTags: [], excludeTags: [] }
const TEXT = `<p>${'words of a paragraph, '.repeat(20)}.</p>`.repeat(4)

/** `RUN` stands for the run. */
const RUNS: [what: string, type: string, sign: string, text: string][] = [
  ['a line that could be the second one of a table', 'text/html', '|-', '<p>RUNx'],
  ['blanks in the title of a note', 'text/html', '\u2003', '<div class="admonition note"><p>NoteRUNx</p><p>y</p></div>'],
  ['zero-width spaces in a permalink', 'text/html', '\u200b', '<h2>A<a href="#x">RUN[</a></h2>'],
  ['the name of a type in JSON-LD', 'text/html', 'x', '<script type="application/ld+json">{"@type":"RUN#"}</script><p>x'],
  ['blanks in a heading above cards', 'text/html', ' ', `${TEXT}<div><h3>More posts by xRUN\ny</h3><p><a href=/q>z</a></div>`],
  ['parameters in the URL of an embedded page', 'text/html', '?file=/', '<iframe src="RUN"></iframe>'],
  ['the class of a link with a tooltip', 'text/html', 'x', `${TEXT}<a href=/q class="tip RUN">y</a>`],
  ['blanks in a field of a table of comma-separated values', 'text/csv', ' ', 'a,b\nxRUNy,z\n'],
]

for (const [what, contentType, sign, text] of RUNS)
  linear(`H7: the time grows linearly with ${what}`, () =>
    assertLinear(what, (size) => {
      const bytes = Buffer.from(text.replace('RUN', filled(sign, size / 2)))
      return () => readPage({ bytes, contentType, status: 200, url: 'http://a.test/x/y' }, EXTRACTION)
    }),
  )

/** `RUN` stands for the first part, and `REST` for the second one, which is twice as long. */
const PAIRS: [what: string, part: number, first: string, second: string, text: string][] = [
  [
    'empty elements before a list below a heading',
    0.5,
    '<i></i>',
    '<li>reply',
    `${TEXT}<div><h2>x</h2><div>RUN<ul>REST</ul></div></div>${TEXT}`,
  ],
  [
    'empty elements before the text, and boxes with a heading',
    1,
    '<i></i>',
    '<div><h6>x</h6></div>',
    `REST<div>RUN${TEXT.repeat(50)}</div>`,
  ],
]

for (const [what, part, first, second, text] of PAIRS)
  linear(`H7: the time grows linearly with ${what}`, () =>
    assertLinear(what, (size) => {
      const html = text.replace('RUN', filled(first, part * size)).replace('REST', filled(second, 2 * part * size))
      const bytes = Buffer.from(html)
      return () => readPage({ bytes, contentType: 'text/html', status: 200, url: 'http://a.test/x/y' }, EXTRACTION)
    }),
  )

linear.run()
