/** JSON that is indented keeps what it says. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { indentJson } from '#backend/crawler/documents/json-text.ts'
import { processorMs } from '#tests/support/linear.ts'
import { documentMarkdown } from '#tests/support/read-document.ts'
import { randomOf } from '#tests/support/random.ts'

const json = suite('JSON as text')

json('a page of JSON keeps its numbers as they are written, and the order of its keys', async () => {
  const page = '{"id":1234567890123456789,"price":1.10,"large":1e400,"2":1,"1":[ ]}'
  assert.is(
    await documentMarkdown(Buffer.from(page), 'application/json'),
    '```json\n{\n  "id": 1234567890123456789,\n  "price": 1.10,\n  "large": 1e400,\n  "2": 1,\n  "1": []\n}\n```\n',
  )
})

json('escaped characters become readable', () => {
  assert.is(
    indentJson(String.raw`["\u65e5\u672c \/ \"\\", "a\nb"]`),
    String.raw`[
  "日本 / \"\\",
  "a\nb"
]`,
  )
})

json('any value is indented as JSON.stringify does it', () => {
  const dice = randomOf(20_261_127)
  const whole = (most: number) => Math.floor(dice() * most)
  const value = (depth: number): unknown => {
    const kind = whole(depth > 0 ? 8 : 6)
    if (kind < 3) return [null, true, whole(1000) - 500][kind]
    if (kind < 6) return ['', 'a"\\\n日\u2028\u0001'.slice(0, whole(9)), whole(1e6) / 8][kind - 3]
    const many = Array.from({ length: whole(4) }, (_, at) => [`k${at}"\\`, value(depth - 1)] as const)
    return kind === 6 ? many.map(([, inner]) => inner) : Object.fromEntries(many)
  }
  for (let no = 0; no < 2000; no += 1) {
    const one = value(4)
    for (const space of [undefined, 1, '\t']) assert.is(indentJson(JSON.stringify(one, null, space)), JSON.stringify(one, null, 2))
  }
})

json('a text that is no JSON, or is nested too deep, stays as it is', async () => {
  for (const text of [
    '',
    '{',
    '{"a":1}{',
    '[1,]',
    '"a',
    '["\\x"]',
    '"\\',
    'nul',
    '[1 2]',
    "{'a':1}",
    '}',
    ':',
    ',',
    '['.repeat(201) + ']'.repeat(201),
  ])
    assert.is(indentJson(text), null, text)
  const took = await processorMs(() => {
    for (const text of ['['.repeat(2e6), '['.repeat(1e6) + ']'.repeat(1e6), `["${'\\\\'.repeat(1e6)}"`]) assert.is(indentJson(text), null)
  })
  assert.ok(took < 3000, `${took} ms`)
})

json.run()
