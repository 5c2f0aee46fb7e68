import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { MAX_PLACES, notePlace, readPlaces, writePlaces } from '#web/frame/layout/scroll-places.ts'

const places = suite('scroll positions')

places('scroll positions are read back as written', () => {
  const noted = new Map([
    ['a', 0],
    ['b', 1200],
  ])
  assert.equal([...readPlaces(writePlaces(noted))], [...noted])
  assert.equal([...readPlaces(null)], [])
})

places('foreign values are ignored', () => {
  for (const text of ['{', '7', '{"a":1}', '[["a"]]', '[["a","b"]]', '[[1,2]]', '[["a",-1]]', '[["a",null]]'])
    assert.equal([...readPlaces(text)], [], text)
  assert.equal([...readPlaces('[["a",1],["b"]]')], [['a', 1]])
})

places('the oldest positions are dropped first, and an updated position counts as new', () => {
  const noted = new Map<string, number>()
  for (let index = 0; index < MAX_PLACES; index += 1) notePlace(noted, `e${index}`, index)
  notePlace(noted, 'e0', 7.6)
  notePlace(noted, 'last', 1)
  const kept = readPlaces(writePlaces(noted))
  assert.is(kept.size, MAX_PLACES)
  assert.is(kept.get('e0'), 8)
  assert.not(kept.has('e1'))
  assert.is(kept.get('last'), 1)
})

places.run()
