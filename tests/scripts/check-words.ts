import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { refusedWords } from '../../scripts/check-words.ts'

const words = suite('refused words')

for (const [text, found] of [
  ['// Whoever asks is told.', 'Whoever'],
  ['const corrected = 1 // what was mended', 'mended'],
  ['No more fetches in hand', 'in hand'],
  ['that is a fault of ours', 'fault of ours'],
] as const)
  words(`“${found}” is found in: ${text}`, () => {
    const lines = refusedWords('a.ts', `// first\n${text}\n`)
    assert.is(lines.length, 1)
    assert.match(lines[0] ?? '', `a.ts:2: “${found}”: write `)
  })

for (const text of ['recommended', 'in handlers', 'a rabbit', 'wholly'])
  words(`no refused word is found in: ${text}`, () => assert.equal(refusedWords('a.ts', text), []))

words.run()
