import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createIds } from '#backend/platform/ids.ts'
import { createSealer, deriveKey } from '#backend/platform/secrets.ts'

const made = suite('ids and secrets')

made('ids are UUIDs of version 7 that grow, also within one millisecond and when the clock steps back', () => {
  let at = 1_700_000_000_000
  const newId = createIds(() => at)
  const ids = Array.from({ length: 10_000 }, (_, no) => {
    if (no === 5000) at -= 3_600_000
    if (no === 7000) at += 7_200_000
    return newId()
  })
  assert.equal(ids, ids.toSorted())
  assert.is(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

made('sealed text can be opened only for its row, and not after any bit was changed', () => {
  const { seal, open } = createSealer(deriveKey('a secret', 'sealing'))
  const sealed = seal('sn-schön', 'row 1')
  assert.is(open(sealed, 'row 1'), 'sn-schön')
  assert.is.not(seal('sn-schön', 'row 1'), sealed)
  assert.throws(() => open(sealed, 'row 2'))
  assert.throws(() => open(`${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`, 'row 1'))
  assert.throws(() => createSealer(deriveKey('another secret', 'sealing')).open(sealed, 'row 1'))
  assert.throws(() => open('', 'row 1'))
  assert.not.equal(deriveKey('a secret', 'sealing'), deriveKey('a secret', 'file links'))
})

made.run()
