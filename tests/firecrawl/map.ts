/** The filters of a map, without a server. */
import { EventEmitter } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createMapSite } from '#backend/firecrawl/map.ts'
import { processorMs } from '#tests/support/linear.ts'

const map = suite('the filters of a map')

/** The answer of a map of these paths. */
async function linksOf(
  paths: readonly string[],
  { start = '/', ...filters }: { start?: string; includePaths?: string[]; excludePaths?: string[] },
): Promise<string[]> {
  async function* read() {
    yield paths.map((path) => ({ url: `http://a.test${path}` }))
  }
  const run = { id: 'run', no: 1, teamId: 'team', status: 'finished', kept: paths.length }
  const mapSite = createMapSite({
    bus: { subscribe: () => () => undefined },
    runs: { read: async () => run },
    startSitemap: async () => run,
    urls: { read },
  } as unknown as Parameters<typeof createMapSite>[0])
  const reply = { raw: new EventEmitter() } as unknown as Parameters<typeof mapSite>[2]
  const { links } = await mapSite('team', { url: `http://a.test${start}`, ...filters } as Parameters<typeof mapSite>[1], reply)
  return links.map((link) => new URL(link).pathname)
}

map('expressions include and exclude paths', async () => {
  const paths = ['/blog/1', '/blog/draft', '/shop']
  assert.equal(await linksOf(paths, { includePaths: ['^/blog/'] }), ['/blog/1', '/blog/draft'])
  assert.equal(await linksOf(paths, { includePaths: ['^/blog/'], excludePaths: ['draft$'] }), ['/blog/1'])
  assert.equal(await linksOf(paths, {}), paths)
})

map('a start URL or expression that ends in a slash selects the page itself, which a map lists without the slash', async () => {
  const paths = ['/docs', '/docs/a', '/docsets', '/shop']
  assert.equal(await linksOf(paths, { start: '/docs/' }), ['/docs', '/docs/a'])
  assert.equal(await linksOf(paths, { includePaths: ['^/docs/'] }), ['/docs', '/docs/a'])
  assert.equal(await linksOf(paths, { includePaths: ['^/docs$'] }), ['/docs'])
  assert.equal(await linksOf(paths, { includePaths: ['^/docs/'], excludePaths: ['^/docs$'] }), ['/docs/a'])
})

map('T15 a URL for which expressions take too much work is left out', async () => {
  const heavy = Array.from({ length: 100 }, (_, at) => `a[ab]{${1900 - at}}c`)
  const letters = Array.from({ length: 1900 }, (_, at) => ((at * at * 2654435761) % 97 < 48 ? 'a' : 'b')).join('')
  const took = await processorMs(async () => {
    assert.equal(await linksOf([`/${letters}`, '/z'], { excludePaths: heavy }), ['/z'])
    assert.equal(await linksOf([`/${letters}`, '/z'], { includePaths: [...heavy, '^/z$'] }), ['/z'])
  })
  assert.ok(took < 10_000, `${took} ms`)
})

map.run()
