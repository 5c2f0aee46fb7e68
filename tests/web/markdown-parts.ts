import { Marked } from 'marked'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { definitionsIn, markdownParts } from '#web/runs/crawl/markdown-parts.ts'
import { assertLinear, filled } from '#tests/support/linear.ts'

const parts = suite('Markdown in parts')

parts('Markdown is cut only between blocks', () => {
  const rows: [markdown: string, expected: string[], why: string][] = [
    ['', [], 'an empty text'],
    ['one\n\ntwo\n\nthree', ['one\n\n', 'two\n\n', 'three'], 'paragraphs'],
    ['one\ntwo', ['one\ntwo'], 'a paragraph of two lines'],
    ['- one\n\n- two\n\n  more\n\nafter', ['- one\n\n- two\n\n  more\n\n', 'after'], 'a loose list with the paragraphs of its items'],
    ['1. one\n\n2. two', ['1. one\n\n2. two'], 'an ordered list'],
    ['> one\n\n> two', ['> one\n\n> two'], 'quotations'],
    ['```\n\ncode\n\n# none\n```\n\nafter', ['```\n\ncode\n\n# none\n```\n\n', 'after'], 'fenced code'],
    ['~~~~\n\n~~~\n\ncode\n~~~~\n\nafter', ['~~~~\n\n~~~\n\ncode\n~~~~\n\n', 'after'], 'a fence in a longer fence'],
    ['text\n\n    code\n\n    more\n\nafter', ['text\n\n    code\n\n    more\n\n', 'after'], 'indented code'],
  ]
  for (const [markdown, expected, why] of rows) assert.equal([...markdownParts(markdown, 1)], expected, why)
})

parts('the parts together render like the whole text', () => {
  const marked = new Marked({ gfm: true })
  const block = (number: number) =>
    `## Part ${number}\n\nText *and* words.\n\n- one\n\n  more\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n\`\`\`\ncode\n\nmore\n\`\`\`\n\n> said\n\n1. first\n2. second\n\n---\n\n`
  const markdown = Array.from({ length: 40 }, (_, number) => block(number)).join('')
  const found = [...markdownParts(markdown, 500)]
  assert.ok(found.length > 5)
  assert.is(found.join(''), markdown)
  const render = (text: string) => marked.parse(text, { async: false })
  assert.is(found.map(render).join(''), render(markdown))
})

parts('the definitions of links are found in time that grows linearly with the text', async () => {
  assert.is(definitionsIn('[a]: /x\ntext [b]: /y\n   [c d]: <z> "t"\n[e]:\n'), '[a]: /x\n   [c d]: <z> "t"')
  for (const line of ['[\r', '[\u2028'])
    await assertLinear(JSON.stringify(line), (size) => {
      const markdown = filled(line, size)
      return () => definitionsIn(markdown)
    })
})

parts.run()
