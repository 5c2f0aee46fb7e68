import * as assert from 'uvu/assert'
import { createCrawl, listCrawls } from '#contract/crawls.ts'
import { createSearch, listSearches } from '#contract/searches.ts'
import { createSitemap, listSitemaps } from '#contract/sitemaps.ts'
import { startApp } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { suite } from '#tests/support/suite.ts'

const days = suite('filters of jobs by the time they were created')

const KINDS = [
  { name: 'crawls', create: createCrawl, list: listCrawls, body: (n: number) => ({ url: `https://shop.example/${n}` }) },
  { name: 'searches', create: createSearch, list: listSearches, body: (n: number) => ({ query: `tea ${n}` }) },
  { name: 'sitemaps', create: createSitemap, list: listSitemaps, body: (n: number) => ({ url: `https://shop.example/${n}` }) },
] as const

for (const { name, create, list, body } of KINDS)
  days(`${name} are filtered by the time after which, before which and between which they were created`, async () => {
    const clock = createClock()
    const app = await startApp({ clock })
    try {
      const owner = await app.signIn()
      const made: string[] = []
      for (const number of [1, 2, 3]) {
        const { status, body: job, text } = await app.call(create, { as: owner, body: body(number) })
        assert.is(status, 201, text)
        made.push(job.created_at)
        clock.advance(60_000)
      }
      const [first = '', second = '', third = ''] = made
      const foundBy = async (query: Record<string, string>) =>
        (await app.call(list, { as: owner, query })).body.results.map(
          ({ created_at }: { created_at: string }) => made.indexOf(created_at) + 1,
        )
      assert.equal(await foundBy({ created_at__gte: second }), [3, 2])
      assert.equal(await foundBy({ created_at__lt: second }), [1])
      assert.equal(await foundBy({ created_at__gte: first, created_at__lt: third }), [2, 1])
      assert.equal(await foundBy({ created_at__gte: second, created_at__lt: second }), [], 'an empty range is empty')
      const refused = await app.call(list, { as: owner, query: { created_at__gte: 'yesterday' } })
      assert.equal([refused.status, Object.keys(JSON.parse(refused.text).errors)], [400, ['created_at__gte']])
    } finally {
    }
  })

days.run()
