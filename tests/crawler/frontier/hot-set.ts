/** The known URLs of a run: compares the flat tables with a plain Map. */
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHotSet } from '#backend/crawler/frontier/hot-set.ts'

const hotSet = suite('the set of known URLs')

const half = fc.oneof(fc.constantFrom(0, 1, -1, 2 ** 31 - 1, -(2 ** 31)), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }))
/** Keys from a small range, so that many share a table, a first slot or one half. */
const collidingKeys = fc
  .tuple(fc.constantFrom(0, 1 << 24, -1, -(2 ** 31)), fc.nat(40), fc.nat(3))
  .map(([top, hi, lo]) => [top ^ hi, lo] as const)
const keys = fc.array(fc.oneof(fc.tuple(half, half), collidingKeys), { maxLength: 600 })

function addAll(all: readonly (readonly [number, number])[]) {
  const set = createHotSet()
  const model = new Map<string, number>()
  for (const [hi, lo] of all) {
    const name = `${hi}:${lo}`
    if (set.find(hi, lo) === -1) set.add(hi, lo, model.size)
    if (!model.has(name)) model.set(name, model.size)
  }
  return { set, model }
}

hotSet('the set contains each added key with its number, and nothing else', () => {
  fc.assert(
    fc.property(keys, keys, (added, others) => {
      const { set, model } = addAll(added)
      assert.is(set.size, model.size)
      for (const [hi, lo] of [...added, ...others]) assert.is(set.find(hi, lo), model.get(`${hi}:${lo}`) ?? -1)
    }),
    { numRuns: 150 },
  )
})

hotSet('the set distinguishes keys with one half in common', () => {
  const set = createHotSet()
  for (let i = 0; i < 3000; i += 1) {
    set.add(7, i, 2 * i)
    set.add(i + 8, 7, 2 * i + 1)
  }
  for (let i = 0; i < 3000; i += 1) {
    assert.is(set.find(7, i), 2 * i)
    assert.is(set.find(i + 8, 7), 2 * i + 1)
  }
  assert.is(set.find(7, 3000), -1)
  assert.is(set.find(3008, 7), -1)
})

hotSet('the set grows without losing a key, and stays small', () => {
  const set = createHotSet()
  const mixed = (n: number) => [Math.imul(n, 0x9e3779b1) | 0, Math.imul(n ^ 0x55555555, 0x85ebca6b) | 0] as const
  const many = 120_000
  for (let n = 0; n < many; n += 1) set.add(...mixed(n), n)
  for (let n = 0; n < many; n += 1) assert.is(set.find(...mixed(n)), n)
  assert.is(set.size, many)
  assert.ok(set.bytes / many < 34, `${set.bytes / many} bytes a key`)
})

hotSet('the set stores negative numbers unchanged; they mark keys without a row', () => {
  const set = createHotSet()
  set.add(1, 2, -2)
  set.add(1, 3, 0)
  assert.is(set.find(1, 2), -2)
  assert.is(set.find(1, 3), 0)
  assert.is(set.find(1, 4), -1)
})

hotSet('the set gives the same answers after it is rebuilt from its rows in any order', () => {
  fc.assert(
    fc.property(keys, fc.integer(), (added, salt) => {
      const { set, model } = addAll(added)
      const again = createHotSet()
      const rows = [...model]
      const from = rows.length === 0 ? 0 : Math.abs(salt) % rows.length
      for (const [name, seq] of [...rows.slice(from), ...rows.slice(0, from)].toReversed()) {
        const [hi, lo] = name.split(':').map(Number) as [number, number]
        again.add(hi, lo, seq)
      }
      assert.is(again.size, set.size)
      for (const [hi, lo] of added) assert.is(again.find(hi, lo), set.find(hi, lo))
    }),
    { numRuns: 50 },
  )
})

hotSet.run()
