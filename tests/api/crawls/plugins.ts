import * as assert from 'uvu/assert'
import { fillPath } from '#contract/endpoint.ts'
import {
  createBatchCrawl,
  createCrawl,
  downloadCrawl,
  followCrawl,
  getCrawl,
  getResult,
  listCrawls,
  listResults,
} from '#contract/crawls.ts'
import type { ResultDocument } from '#contract/crawls.ts'
import { getPluginsSchema } from '#contract/plugins.ts'
import { startApp } from '#tests/support/app.ts'
import { MARKED_SHOP, SENCHA } from '#tests/support/sites/marked-shop.ts'
import { openStream } from '#tests/support/read-stream.ts'
import { startSite } from '#tests/support/sites/site.ts'
import { unzip } from '#tests/support/unzip.ts'
import { suite } from '#tests/support/suite.ts'

const site = await startSite(MARKED_SHOP)
const app = await startApp({ engine: true })
const base = await app.listen()
const owner = await app.signIn()

const plugins = suite('plugins')

const KEY = 'structured_data'
const spider_options = { max_depth: 1, page_limit: 20 }
const start = (plugin_options: unknown, url = site.url('/')) =>
  app.call(createCrawl, { as: owner, body: { url, options: { spider_options, page_options: {}, plugin_options } } })

/** A crawl to its end: its id, and its documents and feed as the stream sent them. */
async function crawl(plugin_options: unknown) {
  const { body, status, text } = await start(plugin_options)
  assert.is(status, 201, text)
  const stream = await openStream(`${base}${fillPath(followCrawl.path, { id: body.uuid })}?prefetched=true`, { 'x-api-key': owner.apiKey })
  const events = await stream.rest()
  const pages = new Map<string, ResultDocument>()
  for (const { type, data } of events) if (type === 'result') pages.set(new URL(data.url as string).pathname, data.result as ResultDocument)
  return { id: body.uuid, pages, feed: events.filter(({ type }) => type === 'feed').map(({ data }) => data) }
}

plugins("the schema of the plugins' options is shown to signed-in users only", async () => {
  const { status, body } = await app.call(getPluginsSchema, { as: owner })
  assert.is(status, 200)
  assert.equal([body.$schema, body.type], ['http://json-schema.org/draft-07/schema#', 'object'])
  const schema = body.properties[KEY]!
  assert.equal(Object.keys(schema.properties), ['is_active', 'json_ld', 'microdata', 'open_graph', 'types'])
  assert.equal(schema.required, ['is_active'])
  assert.equal(schema.properties['is_active'], { type: 'boolean', title: 'Is Active', default: false })
  for (const stranger of [{}, { key: owner.apiKey }]) assert.is((await app.call(getPluginsSchema, stranger)).status, 401)
})

for (const [values, errors, why] of [
  [{ is_active: true, json_ld: 'yes' }, { json_ld: ['Must be a valid boolean.'] }, 'a value of the wrong type'],
  [{ is_active: true, types: 'Product' }, { types: ['Expected a list of items but got type "str".'] }, 'a text instead of a list'],
  [{ is_active: true, types: ['Product', ''] }, { types: { 1: ['This field may not be blank.'] } }, 'a blank item of a list'],
  [
    { is_active: true, types: ['a', 'a'], microdata: 1 },
    { microdata: ['Must be a valid boolean.'], types: ['Ensure that no element occurs twice.'] },
    'each of two wrong options',
  ],
] as const)
  plugins(`${why} is refused at its field, and nothing is started`, async () => {
    const before = (await app.call(listCrawls, { as: owner })).body.count
    const wanted = { options: { plugin_options: { [KEY]: errors } } }
    const single = await start({ [KEY]: values })
    const batch = await app.call(createBatchCrawl, {
      as: owner,
      body: { urls: [site.url('/')], options: { spider_options: {}, page_options: {}, plugin_options: { [KEY]: values } } },
    })
    for (const { status, body } of [single, batch]) assert.equal([status, (body as unknown as { errors: unknown }).errors], [400, wanted])
    assert.is((await app.call(listCrawls, { as: owner })).body.count, before)
  })

plugins('a plugin is switched on by every spelling of true that other fields accept', async () => {
  for (const is_active of ['true', 'True', 1, '1'])
    assert.equal((await start({ [KEY]: { is_active } })).body.options.plugin_options, { [KEY]: { is_active: true } }, String(is_active))
  for (const is_active of [0, 'false', 'yes', null])
    assert.is((await start({ [KEY]: { is_active } })).status, 201, `${is_active} leaves it off`)
  const refused = await start({ [KEY]: { is_active: 1, json_ld: 'yes' } })
  assert.is(refused.status, 400, 'options of an active plugin are checked')
})

plugins('A5: a plugin that is not installed is refused by name, active or not, and nothing is started', async () => {
  const before = (await app.call(listCrawls, { as: owner })).body.count
  for (const elsewhere of [{ is_active: true, anything: [1] }, { is_active: false }, {}, 'y'.repeat(10_000), null]) {
    const { status, body } = await start({ [KEY]: { is_active: false }, elsewhere })
    const errors = { options: { plugin_options: { elsewhere: ['This plugin is not installed.'] } } }
    assert.equal([status, (body as unknown as { errors: unknown }).errors], [400, errors])
  }
  assert.is((await app.call(listCrawls, { as: owner })).body.count, before)
})

plugins('options of inactive plugins are stored without validation', async () => {
  const given = { [KEY]: { is_active: false, json_ld: 'yes' } }
  const { id, pages } = await crawl(given)
  assert.equal((await app.call(getCrawl, { as: owner, params: { id } })).body.options.plugin_options, given)
  assert.is(pages.size, 5)
  for (const [path, document] of pages) assert.not('extraction' in document, path)
})

plugins('stream, list, single result and archive have the same extraction; a page without data has no extraction', async () => {
  const { id, pages, feed } = await crawl({ [KEY]: { is_active: true } })
  const extractionOf = (path: string) => pages.get(path)?.extraction
  assert.equal(extractionOf('/'), { open_graph: { 'og:title': 'Blue Kettle', 'og:image': '/kettle.png' } })
  assert.equal(extractionOf('/sencha'), { json_ld: [SENCHA] })
  assert.equal((extractionOf('/kettle') as { microdata: { properties: unknown }[] }).microdata[0]!.properties, {
    name: ['Copper kettle'],
    url: [site.url('/kettle')],
  })
  assert.not('extraction' in pages.get('/about')!)

  const { results } = (await app.call(listResults, { as: owner, params: { id }, query: { prefetched: true } })).body
  const listed = results.find(({ url }) => url === site.url('/sencha'))!
  assert.equal(listed.result, pages.get('/sencha'))
  const single = await app.call(getResult, { as: owner, params: { id, resultId: listed.uuid }, query: { prefetched: true } })
  assert.equal(single.body.result, pages.get('/sencha'))
  const linked = await app.call(getResult, { as: owner, params: { id, resultId: listed.uuid } })
  assert.equal(await (await fetch(String(linked.body.result).replace(/^https?:\/\/[^/]+/, base))).json(), pages.get('/sencha'))
  const archive = await fetch(`${base}${fillPath(downloadCrawl.path, { id })}`, { headers: { 'x-api-key': owner.apiKey } })
  const entries = await unzip(Buffer.from(await archive.arrayBuffer()))
  const name = [...entries.keys()].find((each) => each.endsWith('_sencha.json'))!
  assert.equal(JSON.parse(entries.get(name)!), pages.get('/sencha'))

  // The page with too much data is kept, without what the plugin could not store.
  const glut = pages.get('/glut')!
  assert.match(glut.markdown, 'All of it')
  assert.not('extraction' in glut)
  const told = feed.filter(({ type }) => type === 'error')
  assert.equal(
    told.map(({ message, metadata }) => [message, metadata.plugin]),
    [[`The plugin ${KEY} failed on ${site.url('/glut')}: it gave more than 2 MiB`, KEY]],
  )
})

plugins('options choose what is extracted', async () => {
  const { pages } = await crawl({ [KEY]: { is_active: true, json_ld: false, open_graph: false, types: ['Product'] } })
  assert.equal(
    [...pages].filter(([, document]) => 'extraction' in document).map(([path]) => path),
    ['/kettle'],
  )
})

plugins.run()
