/** The outline of a stored page. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { outlineOf } from '#web/runs/crawl/outline.ts'

const outline = suite('outline')

outline('the outline has the headings in order, as plain text, and none from code', () => {
  const markdown =
    '# Tea\n\ntext # no\n\n## [Water](https://a.example/) and *leaves* ##\n\n```\n# comment\n~~~\n```\n\n~~~~\n## code\n~~~~\n### C\\# and `code`\n##### too deep\n#no space\n'
  assert.equal(outlineOf(markdown), [
    { level: 1, text: 'Tea' },
    { level: 2, text: 'Water and leaves' },
    { level: 3, text: 'C# and code' },
  ])
  assert.equal(outlineOf(''), [])
})

outline('an outline entry keeps escaped characters, code and signs that are no emphasis', () => {
  const texts = {
    '`__init__` and ``a`b``': '__init__ and a`b',
    'snake\\_case and snake_case': 'snake_case and snake_case',
    '2 \\* 3 * 4': '2 * 3 * 4',
    '_a_, **b** and __*c*__': 'a, b and c',
    'a \\`b\\` `c*`': 'a `b` c*',
    '[`get_x()`](https://a.example/a_(b))': 'get_x()',
    '[![logo](https://a.example/a.png)](https://a.example/)': 'logo',
    'C#': 'C#',
    'F# ##  ': 'F#',
  }
  for (const [heading, text] of Object.entries(texts)) assert.equal(outlineOf(`## ${heading}`), [{ level: 2, text }])
})

outline('a heading of 100,000 characters is read at once, whatever they are', () => {
  const from = performance.now()
  for (const piece of ['[', '[a](', '`', '_', '*', '\\', ' #']) outlineOf(`## a${piece.repeat(100_000 / piece.length)}x`)
  assert.ok(performance.now() - from < 2000)
})

outline('the outline has at most 200 headings', () => assert.is(outlineOf('# a\n'.repeat(1000)).length, 200))

outline.run()
