import * as assert from 'uvu/assert'
import fastify from 'fastify'
import { fillPath } from '#contract/endpoint.ts'
import { FIRECRAWL_ENDPOINTS } from '#contract/firecrawl/endpoints.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { startApp } from '#tests/support/app.ts'
import { suite } from '#tests/support/suite.ts'

const endpoints = suite('the table of endpoints')

endpoints('every endpoint has a route under both spellings, and every route an endpoint', async () => {
  const app = await startApp()
  const routes = new Set<string>()
  const http = fastify()
  http.addHook('onRoute', ({ config, method, url }) => {
    if (config?.isRefusal !== true) [method].flat().forEach((each) => routes.add(`${each} ${url}`))
  })
  await http.register(app.backend.api)
  await http.ready()
  const wanted = new Set<string>()
  for (const { method, path } of [...ENDPOINTS.values(), ...FIRECRAWL_ENDPOINTS.values()]) {
    const url = path.replace(/\{(\w+)\}/g, ':$1')
    const bare = url.replace(/\/$/, '')
    for (const spelling of url.endsWith('*') ? [url] : [bare, `${bare}/`]) wanted.add(`${method} ${spelling}`)
  }
  for (const route of wanted) assert.ok(routes.has(route), `${route} has no route`)
  // Health is for operators, not for callers; all others answer "not found", or at /mcp "method not allowed" and a browser's preflight.
  const others = /^HEAD | \/health\/| \/(?:api|v1|v2)(\/\*)?$|^(?:GET|DELETE|PUT|PATCH|OPTIONS) \/mcp\/?$/
  const strange = [...routes].filter((route) => !wanted.has(route) && !others.test(route))
  assert.equal(strange, [])
  await http.close()
})

endpoints('no two endpoints share a method and a path', () => {
  const spelled = [...ENDPOINTS.values(), ...FIRECRAWL_ENDPOINTS.values()].map(({ method, path }) => `${method} ${path}`)
  assert.is(new Set(spelled).size, spelled.length)
})

// Published clients expect this status, and no body.
const EMPTY = ['inviteMember']

endpoints('endpoints that answer with JSON have a shape for it, those that answer 204 have none', () => {
  for (const [name, { answer, media, status, access }] of ENDPOINTS) {
    if (status === 204 || EMPTY.includes(name)) assert.is(answer, undefined, name)
    else if (media === undefined && access !== 'signed') assert.ok(answer, name)
  }
})

endpoints('no URL that a job starts from may have a NUL, which PostgreSQL cannot store', () => {
  for (const name of ['createCrawl', 'createBatchCrawl', 'createSitemap', 'scrapePage']) {
    const { body } = ENDPOINTS.get(name)!
    const isValid = (url: string) => body?.safeParse(name === 'createBatchCrawl' ? { urls: [url] } : { url }).success
    assert.equal([isValid('http://shop.example/'), isValid('http://shop.example/\u0000')], [true, false], name)
  }
})

endpoints('path parameters are percent-encoded when a path is filled in', () => {
  assert.is(fillPath('/a/{id}/b/{key}/', { id: '1', key: 'x/y z' }), '/a/1/b/x%2Fy%20z/')
})

endpoints.run()
