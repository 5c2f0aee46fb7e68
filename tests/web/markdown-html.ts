/** The HTML of a stored page's Markdown, before it is made safe. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { htmlOf } from '#web/runs/crawl/markdown-html.ts'
import { assertLinear, filled } from '#tests/support/linear.ts'

const html = suite('the HTML of a stored page')

const paragraph = (markdown: string) => htmlOf(markdown).replace(/^<p>(.*)<\/p>\n$/s, '$1')

html('an image is a link to the image', () => {
  assert.is(paragraph('![Tea](https://a.example/tea.png)'), '<a href="https://a.example/tea.png" data-image="Image: ">Tea</a>')
})

html('an image within a link is a part of that link', () => {
  const rows: [markdown: string, expected: string][] = [
    ['[![Tea](https://a.example/tea.png)](https://a.example/tea)', '<span data-image="Image: ">Tea</span>'],
    ['[See ![*Tea*](https://a.example/tea.png) now](https://a.example/tea)', 'See <span data-image="Image: ">Tea</span> now'],
    ['[![](https://a.example/tea.png)](https://a.example/tea)', '<span data-image="Image: ">without a description</span>'],
  ]
  for (const [markdown, inside] of rows) assert.is(paragraph(markdown), `<a href="https://a.example/tea">${inside}</a>`, markdown)
  assert.match(paragraph('[a](https://a.example/) ![b](https://a.example/b.png)'), '<a href="https://a.example/b.png"', 'behind a link')
})

html('a link without words shows its URL', () => {
  assert.is(paragraph('[](https://a.example/?a&b)'), '<a href="https://a.example/?a&amp;b">https://a.example/?a&amp;b</a>')
})

html('the words and the URL of an image are escaped once', () => {
  assert.is(
    paragraph('![Tea &amp; <b> "milk" & R&D](https://a.example/?a=1&amp;b=2&c)'),
    '<a href="https://a.example/?a=1&amp;b=2&amp;c" data-image="Image: ">Tea &amp; &lt;b&gt; &quot;milk&quot; &amp; R&amp;D</a>',
  )
})

html('H7: the time grows linearly with the length of a paragraph, whatever signs of emphasis it repeats', async () => {
  for (const signs of ["**a'", '_a_', '~a{'])
    await assertLinear(signs, (size) => {
      const markdown = filled(signs, size)
      return () => htmlOf(markdown)
    })
})

html('a very long paragraph has all of its emphasis and links', () => {
  const written = paragraph('a_b *words* **more** and ~~less~~ at https://a.example/x_y_z or www.a.example.  \nx@a.example '.repeat(2000))
  for (const part of [
    '<em>words</em>',
    '<strong>more</strong>',
    '<del>less</del>',
    '<br>',
    '="https://a.example/x_y_z"',
    '="mailto:x@a.example"',
  ])
    assert.is(written.split(part).length - 1, 2000, part)
})

html('links and line breaks of a very long paragraph are whole, wherever they stand and however long they are', () => {
  const url = `https://a.example/${'x'.repeat(8000)}`
  assert.ok(htmlOf(`${url} ${'word '.repeat(3000)}`).includes(`href="${url}"`))
  for (let before = 2080; before < 2110; before += 1) {
    const written = htmlOf(`${'x'.repeat(before - 4)} abc https://a.example/b  \n${'word '.repeat(3000)}`)
    assert.ok(written.includes('href="https://a.example/b"') && written.includes('<br>'), `${before}`)
  }
})

html.run()
