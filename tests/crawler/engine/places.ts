/** Which team may start one more run: each has an equal part of the places, whatever the others use. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { countPlaces } from '#backend/crawler/engine/places.ts'
import type { PlacedRun } from '#backend/crawler/engine/places.ts'

const placing = suite('places for runs')

const MiB = 2 ** 20
const run = (share: string, changes: Partial<PlacedRun> = {}): PlacedRun => ({
  share,
  isYielding: false,
  knownBytes: MiB,
  ...changes,
})
const many = (count: number, of: () => PlacedRun) => Array.from({ length: count }, of)
const placesOf = (runs: PlacedRun[]) => countPlaces(runs, { most: 8, mostBytes: 250 * MiB })

placing('H4: a team gets a place at once, up to its equal part, although another holds every place', () => {
  const neighbour = many(8, () => run('neighbour'))
  for (let own = 0; own < 4; own += 1) assert.ok(placesOf([...neighbour, ...many(own, () => run('team'))]).mayTake('team'), `${own} places`)
  const places = placesOf([...neighbour, ...many(4, () => run('team'))])
  assert.not(places.mayTake('team'))
  assert.not(places.mayTake('neighbour'))
})

placing('a single team gets all places and no more', () => {
  assert.ok(placesOf(many(7, () => run('team'))).mayTake('team'))
  assert.not(placesOf(many(8, () => run('team'))).mayTake('team'))
})

placing('unused places go to the other teams', () => {
  assert.ok(placesOf([run('team'), ...many(6, () => run('neighbour'))]).mayTake('neighbour'))
  assert.not(placesOf([run('team'), ...many(7, () => run('neighbour'))]).mayTake('neighbour'))
})

placing('at most twice the places are occupied, however many teams there are', () => {
  const runs: PlacedRun[] = []
  for (let team = 0; team < 100; team += 1) if (placesOf(runs).mayTake(`team ${team}`)) runs.push(run(`team ${team}`))
  assert.is(runs.length, 16)
  assert.not(placesOf(runs).mayTake('one more'))
})

placing('a team that fills the memory for known URLs does not keep others from crawling', () => {
  const full = placesOf([run('neighbour', { knownBytes: 300 * MiB })])
  assert.not(full.mayTake('neighbour'))
  assert.ok(full.mayTake('team'))
  const both = placesOf([run('neighbour', { knownBytes: 300 * MiB }), run('team', { knownBytes: 130 * MiB })])
  assert.not(both.mayTake('team'), 'its own part of the memory is used up')
})

placing('runs that wait for their last fetches, and short ones, occupy no place', () => {
  const yielding = many(8, () => run('team', { isYielding: true }))
  assert.is(placesOf(yielding).of('team'), 0)
  assert.is(placesOf([...yielding, ...yielding]).of('team'), 8, 'no more of them than there are places')
  assert.is(placesOf(many(3, () => run('team', { hasNoPlace: true }))).of('team'), 0)
})

placing.run()
