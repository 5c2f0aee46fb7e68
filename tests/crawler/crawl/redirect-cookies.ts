import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Crawl } from '#backend/crawler/crawl/crawl.ts'
import { followRedirect } from '#backend/crawler/crawl/settle-url.ts'
import { Trail } from '#backend/crawler/fetch/trail.ts'
import type { UrlLease } from '#backend/crawler/frontier/frontier.ts'
import { noChanges } from '#backend/store/run-store.ts'
import { SALT } from '#tests/support/engine/frontier.ts'

const cookies = suite('cookies of redirects')

cookies('those of the last thousand targets are kept, although many of the targets before are never fetched', () => {
  const nothing = () => undefined
  const trails = new Map<string, Trail>()
  const crawl = {
    decodedBytes: 0,
    byteBudget: 1,
    feed: nothing,
    frontier: { addTarget: () => true, dropped: 0, settle: nothing },
    open: { changes: noChanges() },
    part: { checkEnd: nothing },
    row: { urlSalt: SALT },
    rules: { judge: () => null },
    touch: nothing,
    trails,
  } as unknown as Crawl
  const trail = new Trail()
  trail.note('http://a.test/', '', ['seen=1'])
  for (let no = 0; no < 1001; no += 1) {
    const leased = { seq: no, url: `http://a.test/${no}`, depth: 0, hops: 0, isSeed: false, tries: 0 } as UrlLease
    followRedirect(crawl, leased, `http://b.test/${no}`, 302, trail)
  }
  assert.equal([trails.size, trails.has('http://b.test/0'), trails.has('http://b.test/1000')], [1000, false, true])
})

cookies.run()
