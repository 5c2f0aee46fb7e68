/** The difference of two texts as `git diff` shows it. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { lineDiff } from '#backend/firecrawl/line-diff.ts'
import { assertLinear } from '#tests/support/linear.ts'

const diff = suite('the difference of two texts by lines')

diff('a changed line has three lines of context before and after it', () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`)
  const { json, text } = lineDiff(lines.join('\n'), lines.with(9, 'another').join('\n'))
  assert.is(text, '@@ -7,7 +7,7 @@\n line 7\n line 8\n line 9\n-line 10\n+another\n line 11\n line 12\n line 13\n')
  const [chunk] = json.files[0]!.chunks
  assert.is(chunk!.content, '@@ -7,7 +7,7 @@')
  assert.equal(chunk!.changes.slice(2, 6), [
    { type: 'normal', normal: true, ln1: 9, ln2: 9, content: ' line 9' },
    { type: 'del', del: true, ln: 10, content: '-line 10' },
    { type: 'add', add: true, ln: 10, content: '+another' },
    { type: 'normal', normal: true, ln1: 11, ln2: 11, content: ' line 11' },
  ])
})

diff('distant changes are separate chunks, and close changes share one', () => {
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`)
  const far = lineDiff(lines.join('\n'), lines.with(2, 'x').with(30, 'y').join('\n')).json.files[0]!.chunks
  assert.equal(
    far.map(({ content }) => content),
    ['@@ -1,6 +1,6 @@', '@@ -28,7 +28,7 @@'],
  )
  for (const [second, chunks] of [
    [8, 1],
    [9, 1],
    [10, 2],
  ] as const)
    assert.is(lineDiff(lines.join('\n'), lines.with(2, 'x').with(second, 'y').join('\n')).json.files[0]!.chunks.length, chunks)
})

diff('equal texts have no difference', () => {
  assert.equal(lineDiff('a\nb', 'a\nb'), { text: '', json: { files: [] } })
})

diff('the difference applied to the first text gives the second', () => {
  // A generator with a seed, so that a failure can be repeated.
  let seed = 7
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 300; round += 1) {
    const before = Array.from({ length: random(30) + 1 }, () => `l${random(12)}`)
    const after = before.flatMap((line) => (random(5) === 0 ? [] : random(5) === 0 ? [`l${random(12)}`, line] : [line]))
    if (after.length === 0) after.push('')
    const rebuilt: string[] = []
    let at = 0
    for (const { changes } of lineDiff(before.join('\n'), after.join('\n')).json.files[0]?.chunks ?? [])
      for (const change of changes) {
        if (change.type === 'add') {
          // An added line comes before the next line of the first text that is named; what lies between was the same.
          const next = change.ln - 1 - rebuilt.length
          rebuilt.push(...before.slice(at, at + next))
          at += next
        } else {
          const line = change.type === 'del' ? change.ln : change.ln1
          rebuilt.push(...before.slice(at, line - 1))
          assert.is(change.content.slice(1), before[line - 1])
          at = line
        }
        if (change.type !== 'del') rebuilt.push(change.content.slice(1))
      }
    rebuilt.push(...before.slice(at))
    assert.equal(rebuilt, after)
  }
})

diff('two long texts without a common line are one replacement, in linear time', () => {
  const before = Array.from({ length: 20_000 }, (_, at) => `one ${at}`).join('\n')
  const after = Array.from({ length: 20_000 }, (_, at) => `two ${at}`).join('\n')
  const { json } = lineDiff(before, after)
  assert.equal([json.files[0]!.chunks.length, json.files[0]!.chunks[0]!.content], [1, '@@ -1,20000 +1,20000 @@'])
})

diff('T15: many separate changes take linear time', () =>
  assertLinear('every eighth line changed', (size) => {
    const before = Array.from({ length: size / 2 }, (_, at) => `line ${at}`)
    const after = before.map((line, at) => (at % 8 === 0 ? `${line}, changed` : line))
    return () => assert.is(lineDiff(before.join('\n'), after.join('\n')).json.files[0]!.chunks.length, before.length / 8)
  }),
)

diff.run()
