import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ExtractionRules } from '#backend/crawler/page/extraction-rules.ts'
import { readPage, type PageReading } from '#backend/crawler/page/read-page.ts'

const test = suite('tags to include and to exclude')
const HTML =
  '<nav>menu</nav><main><h1>Title</h1><p class="a">one</p><p class="b" id="x">two<script>bad()</script></p><my-card>three</my-card><aside>four</aside></main>'

test('only elements that match an included tag are kept, in the order of the selectors, whatever the other options are', () => {
  assert.is(markdown({ includeTags: ['.b', 'h1', 'nav'], excludeTags: ['h1'] }), 'two\n\n# Title\n\nmenu\n')
})

test('an element inside another matching element is not repeated', () => {
  assert.is(markdown({ includeTags: ['main', 'p'] }).match(/one/g)?.length, 1)
})

test('a pattern between stars is matched against tag names', () => {
  assert.is(markdown({ includeTags: ['*^MY-*'] }), 'three\n')
})

test('T15: a pattern that would backtrack for ever takes time in proportion to its length', () => {
  const name = `x-${'a'.repeat(60)}`
  const html = HTML.replaceAll('my-card', name)
  for (const pattern of ['*^x-(a+)+b$*', '*(a|a)*b*', '*(x-)?(a*)*(a*)*b*'])
    assert.is(markdown({ includeTags: [pattern] }, html), '', pattern)
  assert.is(markdown({ includeTags: ['*^X-A+$*'] }, html), 'three\n')
  assert.is(markdown({ includeTags: ['*^\\S+-a+$*'] }, html), 'three\n')
})

test('elements that match an excluded tag are removed, from the HTML as well', () => {
  const page = read({ excludeTags: ['p.a', '#x', '*my-card*'], includeHtml: true })
  assert.is(page.markdown, '# Title\n')
  assert.not.match(page.html ?? '', /one|two|three/)
})

test('selectors that do not parse match nothing and cause no error', () => {
  for (const selector of ['p[', '*(*', '::before', ':nope(1)', '', '   ', '>', 'p:contains('])
    assert.is(markdown({ excludeTags: [selector, 'h1', 'aside'] }), 'one\n\ntwo\n\nthree\n', selector)
  assert.is(markdown({ includeTags: ['p['] }), '')
})

test('selectors of structure are matched against the whole document', () => {
  assert.is(markdown({ includeTags: ['main > p:first-of-type', 'p + my-card', 'html :not(*)'] }), 'one\n\nthree\n')
})

test.run()

function read(rules: Partial<ExtractionRules>, html = HTML): PageReading {
  return readPage(
    { bytes: Buffer.from(html), contentType: 'text/html', status: 200, url: 'https://site.example/' },
    { includeHtml: false, onlyMainContent: true, includeTags: [], excludeTags: [], ...rules },
  ) as PageReading
}
function markdown(rules: Partial<ExtractionRules>, html = HTML): string {
  return read(rules, html).markdown
}
