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

outline('the outline has at most 200 headings', () => assert.is(outlineOf('# a\n'.repeat(1000)).length, 200))

outline.run()
