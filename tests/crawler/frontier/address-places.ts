/** Places at an IP address with many names: owners of teams get equal parts of them. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createAddressPlaces } from '#backend/crawler/frontier/address-places.ts'
import { createHosts, hostsThrough } from '#backend/crawler/frontier/hosts.ts'
import { createSqliteRunStore } from '#backend/store/sqlite/sqlite-run-store.ts'
import { openMigrated } from '#tests/support/migrated.ts'

const places = suite('places at an address')

/** Two owners, each with two sites of their own on one address; four requests may be in progress there. */
async function bench() {
  const clock = { at: 1000 }
  const hosts = createHosts({
    addressOf: () => '192.0.2.1',
    store: createSqliteRunStore({ connection: openMigrated(), kinds: ['crawl'], owner: 'engine', now: () => clock.at, newId: () => '' }),
    limits: { concurrency: 4, delayMs: 0 },
    clock: { wall: () => clock.at, steady: () => clock.at },
    random: () => 0.5,
    report: (message, cause) => {
      throw new Error(message, { cause })
    },
  })
  const of = (owner: string) => {
    const seen = hostsThrough(hosts, null, owner)
    const names = ['one', 'two'].map((name) => seen.get(`http://${name}.${owner}.test:80`))
    const open = () => names.find((host) => seen.isOpen(host, clock.at))
    return {
      /** Starts a request if there is a place. */
      start() {
        const host = open()
        if (host !== undefined) seen.start(host)
        return host !== undefined
      },
      end(signal: Parameters<typeof seen.end>[1] = null) {
        seen.end(
          names.find(({ inProgress }) => inProgress > 0)!,
          signal,
        )
      },
      names,
      seen,
    }
  }
  const [slow, team] = [of('slow'), of('team')]
  await hosts.loaded()
  // The address of a host is known after its first request.
  for (const { names, seen } of [slow, team])
    for (const host of names) {
      seen.start(host)
      seen.end(host, { kind: 'good', firstByteMs: 1 })
    }
  return { clock, slow, team }
}

places('an owner alone gets all places, and no more', async () => {
  const { slow } = await bench()
  assert.equal(
    [1, 2, 3, 4, 5].map(() => slow.start()),
    [true, true, true, true, false],
  )
})

places('A23: beside an owner whose slow pages have taken all places, a team gets its part as they end, and keeps it', async () => {
  const { slow, team } = await bench()
  for (let no = 0; no < 4; no += 1) slow.start()
  assert.not(team.start())
  slow.end()
  assert.not(slow.start(), 'the place is kept for the team')
  assert.ok(team.start())
  assert.not(team.start())
  slow.end()
  assert.not(slow.start())
  assert.ok(team.start())
  team.end()
  assert.not(slow.start(), 'a quick page of the team does not lose it the place')
  assert.ok(team.start())
  assert.not(team.start(), 'its part is half')
})

places('places that a team no longer wants go to the other', async () => {
  const { clock, slow, team } = await bench()
  for (let no = 0; no < 4; no += 1) slow.start()
  assert.not(team.start())
  slow.end()
  assert.not(slow.start())
  clock.at += 2000
  assert.ok(slow.start())
})

/** Four owners want places at one address all the time; each request ends after the next one has started. Returns how many each started. */
function started(most: number): Record<string, number> {
  const addresses = createAddressPlaces({ most, now: () => 1000 })
  const counts: Record<string, number> = { one: 0, two: 0, three: 0, four: 0 }
  const owners = Object.keys(counts)
  const inProgress: string[] = []
  const fill = () => {
    // Always in this order: the first owner asks first. In the second round, each learns that it has its part.
    for (let round = 0; round < 2; round += 1)
      for (const owner of owners)
        if (addresses.mayTake('192.0.2.1', owner)) {
          addresses.change('192.0.2.1', owner, 1)
          counts[owner]! += 1
          inProgress.push(owner)
        }
  }
  for (let no = 0; no < 120; no += 1) {
    fill()
    if (no > 0) assert.is(inProgress.length, most, 'no place is free while owners want it')
    addresses.change('192.0.2.1', inProgress.shift()!, -1)
  }
  return counts
}

for (const most of [1, 2, 3, 5, 7])
  places(`four owners share ${most === 1 ? 'one place' : `${most} places`} equally, and use all of them`, () => {
    const counts = Object.values(started(most))
    assert.ok(Math.max(...counts) - Math.min(...counts) <= most + 1, counts.join())
  })

places('addresses that are no longer used take no memory, also when a share wanted more than it used', () => {
  const clock = { at: 1000 }
  const addresses = createAddressPlaces({ most: 1, now: () => clock.at })
  for (let no = 0; no < 10_000; no += 1) {
    addresses.change(`192.0.2.${no}`, 'team', 1)
    addresses.want(`192.0.2.${no}`, 'team')
    addresses.change(`192.0.2.${no}`, 'team', -1)
    clock.at += 10
  }
  assert.ok(addresses.size <= 1000, `${addresses.size} addresses`)
})

places.run()
