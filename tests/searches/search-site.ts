import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import * as assert from 'uvu/assert'
import { fillPath } from '#contract/endpoint.ts'
import { createSitemap, followSitemap } from '#contract/sitemaps.ts'
import type { SearchProvider } from '#backend/searches/providers/index.ts'
import { createSearchSite } from '#backend/searches/search-site.ts'
import { startApp } from '#tests/support/app.ts'
import { openStream } from '#tests/support/read-stream.ts'
import { someHits, startSearchStubs } from '#tests/support/stubs/search-stubs.ts'
import { suite } from '#tests/support/suite.ts'

const site = suite('sitemaps from a search provider')

/** A port of this machine where nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

site('a sitemap of a site that cannot be reached comes from the search provider', async () => {
  const origin = `http://127.0.0.1:${await closedPort()}`
  const ofSite = ['/tea', '/kettles'].map((path) => ({ ...someHits(1)[0]!, url: origin + path }))
  const stubs = await startSearchStubs({ hits: [...ofSite, ...someHits(2)] })
  const app = await startApp({ engine: true, config: { searxngUrl: stubs.url } })
  try {
    const owner = await app.signIn()
    const url = await app.listen()
    const { status, body, text } = await app.call(createSitemap, { as: owner, body: { url: `${origin}/` } })
    assert.is(status, 201, text)
    const path = fillPath(followSitemap.path, { id: body.uuid })
    const events = await (await openStream(`${url}${path}?prefetched=true`, { 'x-api-key': owner.apiKey })).rest()
    const end = events.at(-1)!
    assert.is(end.status, 'finished', JSON.stringify(events.filter(({ type }) => type === 'feed')))
    assert.equal([...(end.data as { result: string[] }).result].toSorted(), ofSite.map((hit) => hit.url).toSorted())
    assert.is(stubs.asked[0]?.parameters['q'], 'site:127.0.0.1')
  } finally {
  }
})

site("the team's own pages do not count as the web", () => {
  const own: SearchProvider = { name: 'own', label: 'own', sources: ['web'], page: async () => ({ kind: 'failure', detail: '' }) }
  assert.is(createSearchSite({ providers: [own] }), undefined)
})

site('words are added to the query; without an answer the sitemap is empty', async () => {
  const asked: string[] = []
  const answers = createSearchSite({
    providers: [
      {
        name: 'brave',
        label: 'Brave',
        sources: ['web'],
        async page({ query }) {
          asked.push(query)
          return asked.length === 1 ? { kind: 'page', hits: someHits(2), hasMore: false } : { kind: 'failure', detail: 'gone' }
        },
      },
    ],
  })!
  const means = { signal: new AbortController().signal, tell: () => undefined }
  assert.is((await answers('tea.example', 'green leaf', means))?.length, 2)
  assert.is(await answers('tea.example', null, means), null)
  assert.equal(asked, ['site:tea.example green leaf', 'site:tea.example'])
})

site.run()
