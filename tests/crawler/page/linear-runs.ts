/** A long run of one sign in a page takes time in proportion to its length, also where the end decides what the run is. */
import { suite } from 'uvu'
import { readPage } from '#backend/crawler/page/read-page.ts'
import { assertLinear } from '#tests/support/linear.ts'

const linear = suite('time that a long run of one sign takes to read')

const EXTRACTION = { includeHtml: true, onlyMainContent: false, includeTags: [], excludeTags: [] }

/** `RUN` stands for the run. */
const RUNS: [what: string, type: string, sign: string, text: string][] = [
  ['a line that could be the second one of a table', 'text/html', '|-', '<p>RUNx'],
  ['blanks in the title of a note', 'text/html', '\u2003', '<div class="admonition note"><p>NoteRUNx</p><p>y</p></div>'],
  ['zero-width spaces in a permalink', 'text/html', '\u200b', '<h2>A<a href="#x">RUN[</a></h2>'],
  ['the name of a type in JSON-LD', 'text/html', 'x', '<script type="application/ld+json">{"@type":"RUN#"}</script><p>x'],
  ['blanks in a field of a table of comma-separated values', 'text/csv', ' ', 'a,b\nxRUNy,z\n'],
]

for (const [what, contentType, sign, text] of RUNS)
  linear(`H7: the time grows linearly with ${what}`, () =>
    assertLinear(what, (size) => {
      const bytes = Buffer.from(text.replace('RUN', sign.repeat(size / 2)))
      return () => readPage({ bytes, contentType, status: 200, url: 'http://a.test/x/y' }, EXTRACTION)
    }),
  )

linear.run()
