import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Run } from '#backend/runs/run.ts'
import { presentSearch, presentSearches } from '#backend/searches/present-search.ts'

const present = suite('answers of searches')

const run = (no: number, status: Run['status'], endedAt: number | null = 5) =>
  ({
    no,
    id: `id-${no}`,
    label: 'tea',
    options: {},
    pageLimit: 5,
    kept: 1,
    status,
    reason: null,
    createdAt: 0,
    updatedAt: 5,
    endedAt,
  }) as unknown as Run

/** Hits of the searches with an odd number, and what was read of them. */
function store() {
  const asked: (number | readonly number[])[] = []
  const itemsOf = (no: number) => (no % 2 === 1 ? `[{"url":"https://a.example/${no}"}]` : null)
  const results = {
    read: async (no: number) => (asked.push(no), itemsOf(no)),
    readAll: async (nos: readonly number[]) => {
      asked.push(nos)
      return new Map(nos.flatMap((no) => (itemsOf(no) === null ? [] : [[no, itemsOf(no)!] as const])))
    },
  }
  return { asked, results }
}

present('house 1.8: a list reads the hits of all its searches at once, and shows each like a single search', async () => {
  const runs = [run(1, 'finished'), run(2, 'finished'), run(3, 'failed'), run(4, 'running', null), run(5, 'canceled'), run(7, 'new', null)]
  const links = { sign: (base: string, path: string) => base + path, check: () => undefined }
  for (const prefetched of [true, false]) {
    const { asked, results } = store()
    const form = { baseUrl: 'https://seine.example', links, prefetched, results }
    const listed = await presentSearches(runs, form)
    assert.equal(asked, [[1, 2, 5]])
    const single = []
    for (const one of runs) single.push(await presentSearch(one, form))
    assert.equal(listed, single)
    assert.equal(
      listed.map(({ result }) => (result === null ? null : typeof result)),
      prefetched ? ['object', null, null, null, 'object', null] : ['string', null, null, null, 'string', null],
    )
  }
})

present.run()
