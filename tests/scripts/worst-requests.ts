import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as z from 'zod/mini'
import { createCrawl } from '#contract/crawls.ts'
import { worstOfMcp } from '../../scripts/bench/worst-mcp.ts'
import { MEASURED, WORST, unmatched } from '../../scripts/bench/worst-requests.ts'
import type { Context } from '../../scripts/bench/worst-requests.ts'

const requests = suite('the worst requests of the benchmark')

const ID = '01910000-0000-7000-8000-000000000000'
/** Ids and links of any kind. */
const CONTEXT = new Proxy({ links: { crawl: '/json', result: '/', sitemap: '/json', search: '/' } } as Context, {
  get: (known, name) => Reflect.get(known, name) ?? ID,
})

requests('each endpoint of the contract has a worst request, and no other endpoint has one', () => {
  assert.equal(unmatched(), { missing: [], strange: [] })
})

requests('the contract accepts their bodies, so that more than a refusal is measured', () => {
  const refused = [...MEASURED].flatMap(([name, { body: schema }]) =>
    WORST[name]!(CONTEXT).flatMap(({ body }) =>
      schema && body !== undefined ? faults(schema, body).map((fault) => `${name}: ${fault}`) : [],
    ),
  )
  assert.equal(refused, [])
})

requests('the crawl that a message to the MCP server starts is accepted', () => {
  const calls = worstOfMcp(CONTEXT).map(({ body }) => (body as { params: { name?: string; arguments?: Record<string, unknown> } }).params)
  const { exclude_paths, include_paths, url } = calls.find(({ name }) => name === 'crawl')!.arguments!
  const body = { url, options: { spider_options: { exclude_paths, include_paths }, page_options: {} } }
  assert.equal(faults(createCrawl.body, body), [])
})

const faults = (schema: z.ZodMiniType, body: unknown): string[] =>
  z.safeParse(schema, body).error?.issues.map(({ message, path }) => `${path.join('.')}: ${message}`) ?? []

requests.run()
