/** The OpenAPI document: valid, complete, in agreement with the server, and strict enough to be useful. */
import { createHash, randomUUID } from 'node:crypto'
import { Validator } from '@seriousme/openapi-schema-validator'
import fastify from 'fastify'
import * as assert from 'uvu/assert'
import { getProfile } from '#contract/accounts.ts'
import { createCrawl, getCrawl, listCrawls } from '#contract/crawls.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { getSchema, getTeamSchema } from '#contract/reference.ts'
import type { ApiDocument, ApiMedia, ApiOperation, JsonSchema } from '#contract/reference.ts'
import { listApiKeys } from '#contract/teams.ts'
import { createDocument } from '#backend/reference/document.ts'
import { referencePage } from '#backend/reference/page.ts'
import { startApp } from '#tests/support/app.ts'
import { firecrawlApi, schemaChecker, undescribed } from '#tests/support/described.ts'
import { suite } from '#tests/support/suite.ts'

const app = await startApp()
const owner = await app.signIn()
const served = {
  all: (await app.call(getSchema)).body as unknown as ApiDocument,
  team: (await app.call(getTeamSchema)).body as unknown as ApiDocument,
}
const DOCUMENTS = Object.entries(served)

const openapi = suite('the API describes itself')

type Described = { method: string; path: string; operation: ApiOperation }

const operationsOf = ({ paths }: ApiDocument): Described[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

const spelled = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** Every value inside a document with its path, the document itself first. */
function* within(value: unknown, place = '#'): Generator<{ place: string; value: unknown }> {
  yield { place, value }
  if (typeof value !== 'object' || value === null) return
  for (const [name, inside] of Object.entries(value)) yield* within(inside, `${place}/${name}`)
}

openapi('both documents are valid OpenAPI 3.1 for a public validator', async () => {
  for (const [name, document] of DOCUMENTS) {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    assert.ok(valid, `${name}: ${JSON.stringify(errors)}`)
    assert.match(document.openapi, /^3\.1\./)
  }
  const broken = { ...structuredClone(served.all), paths: { '/api/': { get: { responses: 'none' } } } }
  assert.not.ok((await new Validator().validate(broken)).valid, 'the validator finds what is wrong')
})

openapi('both documents can be read without a credential, with and without the last slash, and name the requested server', async () => {
  for (const { path } of [getSchema, getTeamSchema])
    for (const spelling of [path, path.replace(/\/$/, '')]) {
      const { status, headers, body } = await app.request('GET', spelling, { headers: { host: 'seine.example.org' } })
      assert.is(status, 200, spelling)
      assert.is(headers['content-type'], 'application/json')
      assert.equal((body as ApiDocument).servers, [{ url: 'http://seine.example.org' }])
    }
  const { body } = await app.request('GET', getSchema.path, { headers: { host: 'other.example.org' } })
  assert.equal((body as ApiDocument).servers, [{ url: 'http://other.example.org' }], 'one reader’s URL is not sent to another')
})

openapi('the document describes every route and nothing else', async () => {
  const routes = new Set<string>()
  const http = fastify()
  http.addHook('onRoute', ({ method, url }) => [method].flat().forEach((each) => routes.add(`${each} ${url}`)))
  await http.register(app.backend.api)
  await http.ready()
  await http.close()
  const described = operationsOf(served.all).map(spelled)
  assert.equal(
    described.toSorted(),
    [...ENDPOINTS.values()].map(({ method, path }) => `${method} ${path.replace(/\*$/, '{file}')}`).toSorted(),
    'what is described is the contract',
  )
  for (const each of described)
    assert.ok(routes.has(each.replace('{file}', '*').replaceAll(/\{(\w+)\}/g, ':$1')), `${each} is described and has no route`)
})

openapi('the document for API keys has exactly the calls that a key can make', async () => {
  const team = new Map(operationsOf(served.team).map((each) => [spelled(each), each.operation]))
  assert.ok(team.size > 20)
  for (const { method, path, operation } of operationsOf(served.all)) {
    const needsCaller = operation.security.length > 0
    if (!needsCaller) {
      assert.not.ok(team.has(spelled({ method, path })), `${spelled({ method, path })} needs no key`)
      continue
    }
    const { status } = await app.request(method, path.replace(/\{\w+\}/g, randomUUID()), { key: owner.apiKey, query: { page_size: 1 } })
    assert.is(status !== 401, team.has(spelled({ method, path })), `${spelled({ method, path })} was answered ${status} for a key`)
  }
  assert.ok([...team.values()].every(({ security }) => JSON.stringify(security) === '[{"ApiKey":[]},{"Bearer":[]}]'))
  assert.not.match(JSON.stringify(served.team), /x-team-id/, 'a key has its team')
})

openapi('operation ids are unique, and every operation says what it does under a tag that the document explains', () => {
  for (const [name, document] of DOCUMENTS) {
    const operations = operationsOf(document)
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.is(new Set(ids).size, ids.length, name)
    const tags = document.tags.map((tag) => tag.name)
    assert.is(new Set(tags).size, tags.length)
    for (const { operation } of operations) {
      assert.match(operation.operationId, /^[a-z][A-Za-z]+$/)
      assert.ok(operation.summary.length > 3, operation.operationId)
      assert.is(operation.tags.length, 1)
      assert.ok(operation.tags.every((tag) => tags.includes(tag)))
    }
    for (const tag of tags)
      assert.ok(
        operations.some(({ operation }) => operation.tags.includes(tag)),
        `${tag} has operations`,
      )
  }
  assert.equal(
    served.team.tags
      .map((tag) => tag.name)
      .filter((tag) => tag !== 'Proxy Servers' && tag !== 'Subscriptions')
      .slice(0, 4),
    ['Crawl Requests', 'Crawl Results', 'Search Requests', 'Sitemap Requests'],
  )
})

openapi('each variable of a path is a parameter, and no parameter occurs twice', () => {
  for (const { path, operation } of operationsOf(served.all)) {
    const parameters = operation.parameters ?? []
    const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`)
    assert.equal(inPath, path.match(/\{\w+\}/g) ?? [], path)
    const places = parameters.map(({ name, in: place }) => `${place} ${name}`)
    assert.is(new Set(places).size, places.length, `${path}: ${places.join()}`)
  }
})

openapi('each parameter and each field has a description', () => {
  const silent: string[] = []
  for (const { operation } of operationsOf(served.all))
    for (const { name, description } of operation.parameters ?? []) if (!description) silent.push(`${operation.operationId} ${name}`)
  for (const { place, value } of within(served.all)) {
    // A field may itself be called "properties"; its content is not checked.
    if (!/\/properties\/[^/]+$/.test(place) || /\/(default|examples?|properties\/properties)\//.test(place)) continue
    const { description, $ref } = value as JsonSchema
    if (!description && !$ref) silent.push(place)
  }
  assert.equal(silent, [])
})

openapi('no object with room for further fields has only constants: orval makes a value of it that does not compile', () => {
  for (const [, document] of DOCUMENTS)
    for (const { place, value } of within(document)) {
      const { additionalProperties, properties = {} } = (value ?? {}) as JsonSchema
      const fields = Object.values(properties)
      if (typeof additionalProperties !== 'object' || fields.length === 0) continue
      assert.ok(
        fields.some((field) => !('const' in field)),
        place,
      )
    }
})

openapi('a missing page of a list, and a stream without further events, have statuses in the document', () => {
  for (const [name, document] of DOCUMENTS)
    for (const { operation } of operationsOf(document)) {
      const hasPages = operation.parameters?.some((parameter) => parameter.in === 'query' && parameter.name === 'page') === true
      if (hasPages) assert.ok('404' in operation.responses, `${name} ${operation.operationId}`)
      const isResumed = operation.parameters?.some((parameter) => parameter.name === 'after') === true
      if (isResumed) assert.equal(Object.keys(operation.responses['204'] ?? {}), ['description'], `${name} ${operation.operationId}`)
    }
})

/** Numbers that may have a fraction, and the id of a message, which its sender chooses. */
const FRACTIONS = /\/(?:cost|score|delay)$|\/McpAnswer\/properties\/id$/

openapi('a number without a fraction is an integer, so that typed clients do not make a float of it', () => {
  const firecrawl = createDocument('firecrawl', { productName: 'Seine', version: '1', baseUrl: 'http://127.0.0.1:3000' })
  for (const [name, document] of [...DOCUMENTS, ['firecrawl', firecrawl] as const])
    for (const { place, value } of within(document)) {
      const { type } = (value ?? {}) as JsonSchema
      if ([type].flat().includes('number')) assert.match(place, FRACTIONS, name)
    }
})

openapi('the document of the Firecrawl API lists the tag of each operation, and the statuses that its clients tell apart', () => {
  const document = createDocument('firecrawl', { productName: 'Seine', version: '1', baseUrl: 'http://127.0.0.1:3000' })
  const used = new Set(operationsOf(document).map(({ operation }) => operation.tags[0]))
  assert.equal(new Set(document.tags.map(({ name }) => name)), used)
  for (const [path, statuses] of [
    ['/v2/scrape', ['402', '408']],
    ['/v1/crawl', ['402', '409']],
    ['/v2/batch/scrape', ['402', '409']],
    ['/v1/extract', ['402', '409']],
    ['/v2/parse', ['408']],
    ['/v2/monitor/{monitor}/run', ['402']],
  ] as const)
    for (const status of statuses) assert.ok(status in document.paths[path]!['post']!.responses, `${path} ${status}`)
  const timeout = document.components.responses['Timeout']!.description
  for (const code of ['SCRAPE_TIMEOUT', 'MAP_TIMEOUT', 'SEARCH_TIMEOUT']) assert.ok(timeout.includes(code), code)
})

openapi('examples and defaults match their schemas', () => {
  for (const [name, document] of DOCUMENTS) {
    const check = schemaChecker(document)
    let examples = 0
    const holds = (schema: JsonSchema, value: unknown, place: string) => {
      assert.equal(check(schema, value), [], `${name} ${place}`)
      examples++
    }
    for (const { place, value } of within(document)) {
      if (typeof value !== 'object' || value === null || /\/(default|examples?)(\/|$)/.test(place)) continue
      const schema = value as JsonSchema & ApiMedia
      if (schema.schema && schema.example !== undefined) holds(schema.schema, schema.example, place)
      if (/\/(properties|responses)$/.test(place) || schema.schema) continue
      const { examples: several, default: usual, ...rest } = schema
      if (Array.isArray(several)) for (const example of several) holds(rest, example, place)
      if (usual !== undefined) holds(rest, usual, place)
    }
    assert.ok(examples > 40, `${name} has ${examples}`)
    for (const { operation } of operationsOf(document))
      for (const media of mediaOf(operation)) {
        const event = media['x-event']
        if (event === undefined) continue
        const lines = String(media.example)
          .split('\n')
          .filter((line) => line.startsWith('data: '))
        assert.ok(lines.length > 0)
        for (const line of lines) holds(event, JSON.parse(line.slice(6)), operation.operationId)
      }
  }
})

const mediaOf = ({ responses }: ApiOperation): ApiMedia[] =>
  Object.values(responses).flatMap((response) => ('content' in response ? Object.values(response.content ?? {}) : []))

openapi('the server accepts the examples of the document', async () => {
  for (const { method, path, operation } of operationsOf(served.team)) {
    const body = operation.requestBody?.content['application/json']?.example
    if (body === undefined) continue
    const isScrape = operation.operationId === 'scrapePage'
    // No engine runs here, so no page arrives.
    const asked = isScrape ? { ...(body as object), timeout: 1000 } : body
    const { status, text } = await app.request(method, path, { key: owner.apiKey, body: asked })
    assert.is(status, isScrape ? 504 : 201, `${operation.operationId}: ${text}`)
  }
})

openapi('a body without a required field is refused', async () => {
  for (const { method, path, operation } of operationsOf(served.team)) {
    const required = operation.requestBody?.content['application/json']?.schema?.required
    if (required === undefined || path.includes('{')) continue
    const { status, body } = await app.request(method, path, { key: owner.apiKey, body: {} })
    assert.is(status, 400, operation.operationId)
    assert.equal(Object.keys((body as { errors: object }).errors).toSorted(), required.toSorted(), operation.operationId)
  }
})

/** Parameters of a list that choose the form of its answer. */
const NO_FILTERS = ['file_format', 'ordering', 'page', 'page_size', 'prefetched']

/** The filters that the description of a list names: "`url`, `created_at` with `__gt`" are `url`, `created_at` and `created_at__gt`. */
function filtersIn(description = ''): string[] {
  const [, sentence = ''] = /Filters: (.+?)\.(?: |$)/.exec(description) ?? []
  const words = [...sentence.matchAll(/`(\w+)`/g)].map(([, word = '']) => word)
  const last = words.findLast((word) => !word.startsWith('__')) ?? ''
  return words.map((word) => (word.startsWith('__') ? last + word : word))
}

openapi('each filter that a description names is a parameter, and each filter of a list is in its description', () => {
  const lists = operationsOf(served.all).filter(({ operation }) => operation.description?.includes('Filters: '))
  assert.ok(lists.length >= 7, `${lists.length} lists`)
  for (const { operation } of lists) {
    const described = (operation.parameters ?? []).filter(({ in: place, name }) => place === 'query' && !NO_FILTERS.includes(name))
    assert.equal(described.map(({ name }) => name).toSorted(), filtersIn(operation.description).toSorted(), operation.operationId)
  }
})

openapi('the server accepts each listed value of a filter', async () => {
  for (const { path, operation } of operationsOf(served.team))
    for (const { name, schema } of operation.parameters?.filter((parameter) => parameter.in === 'query') ?? []) {
      if (schema.enum === undefined || path.includes('{')) continue
      const status = async (value: unknown) =>
        (await app.request('GET', path, { key: owner.apiKey, query: { [name]: String(value) } })).status
      assert.is(await status('something-else'), 400, `${operation.operationId} ${name}`)
      for (const word of schema.enum) assert.is(await status(word), 200, `${operation.operationId} ${name}=${String(word)}`)
    }
})

openapi('references resolve, every component is used, and the document shows no internals', () => {
  for (const [name, document] of DOCUMENTS) {
    const used = new Set<string>()
    for (const { place, value } of within(document)) {
      const key = place.split('/').at(-1) ?? ''
      const isField = place.endsWith(`/properties/${key}`)
      if (!isField) assert.not.match(key, /^(\$schema|\$defs|\$id|~standard|_zod|def|__schema\d*)$/, `${name} ${place}`)
      if (key === '$ref') used.add(String(value))
      if (typeof value === 'string') assert.not.match(value, /zod|ZodMini|#\/\$defs|\[object Object\]|undefined/i, `${name} ${place}`)
      if (typeof value === 'number') assert.ok(Math.abs(value) < Number.MAX_SAFE_INTEGER, `${name} ${place}`)
      if (key === 'description') assert.ok(String(value).trim() !== '', `${name} ${place}`)
    }
    const there = (['schemas', 'responses'] as const).flatMap((kind) =>
      Object.keys(document.components[kind]).map((component) => `#/components/${kind}/${component}`),
    )
    for (const reference of used) assert.ok(there.includes(reference), `${name}: ${reference} leads nowhere`)
    for (const component of there) assert.ok(used.has(component), `${name}: ${component} is not used`)
  }
})

openapi('the check finds each deviation of an answer: a missing or renamed field, another type, status or media type', async () => {
  const { body: crawl } = await app.call(createCrawl, { as: owner, body: { url: 'http://127.0.0.1:8080/' } })
  const answers: [endpoint: EndpointSpec, answer: Record<string, unknown>][] = [
    [getProfile, (await app.call(getProfile, { as: owner })).body],
    [getCrawl, (await app.call(getCrawl, { as: owner, params: { id: crawl.uuid } })).body],
    [listApiKeys, (await app.call(listApiKeys, { as: owner })).body],
  ]
  for (const [{ method, path }, answer] of answers) {
    const json = (value: unknown, status = 200) =>
      undescribed(method, path, { status, type: 'application/json', text: JSON.stringify(value) })
    assert.equal(json(answer), [], path)
    for (const field of Object.keys(answer)) {
      // Other backends do not have them, so nothing requires them.
      if (field === 'is_provider_only' || field === 'language') continue
      const { [field]: value, ...others } = answer
      assert.ok(json(others).length > 0, `${path} without ${field}`)
      assert.ok(json({ ...others, [`${field}_`]: value }).length > 0, `${path} with ${field} renamed`)
      assert.ok(json({ ...answer, [field]: { strange: true } }).length > 0, `${path} with another ${field}`)
    }
    assert.ok(json(answer, 201).length > 0, 'another status')
    assert.ok(json({ detail: 'no' }, 404).length > 0, 'an error of another shape')
    assert.ok(undescribed(method, path, { status: 200, type: 'text/plain', text: JSON.stringify(answer) }).length > 0, 'another type')
    assert.ok(undescribed(method, path, { status: 200, type: undefined, text: '' }).length > 0, 'nothing')
    assert.ok(undescribed('PUT', path, { status: 200, type: 'application/json', text: '{}' }).length > 0, 'a method that is not there')
  }
})

openapi('the check knows answers of the Firecrawl API', () => {
  const path = firecrawlApi.describedPath('GET', '/v2/crawl/01a21df6-9893-7431-9f76-88834ce632d0?skip=2')
  assert.is(path, '/v2/crawl/{job}')
  const json = (value: object, status = 200) =>
    firecrawlApi.undescribed('GET', path!, { status, type: 'application/json', text: JSON.stringify(value) })
  assert.equal(json({ success: false, error: 'Job not found.' }, 404), [])
  assert.ok(json({ code: 404, message: 'Not found.' }, 404).length > 0, 'an error of our own API')
  assert.ok(json({ success: true }).length > 0, 'a status without its fields')
})

openapi('tests of the API fail if an answer is not described', async () => {
  const elsewhere = { ...listCrawls, path: listCrawls.path.replace(/\/$/, '') } as EndpointSpec
  try {
    await app.call(elsewhere, { as: owner })
    assert.unreachable('it passed')
  } catch (fault) {
    assert.match(String(fault), /answered what its description has not: GET \S+ is not described/)
  }
})

openapi('C5: the document is also a web page that needs no script and no other host', async () => {
  for (const path of ['/api/schema/redoc/', '/api/schema/redoc', '/api/schema/swagger-ui/']) {
    const { status, headers, text } = await app.request('GET', path)
    assert.equal([status, headers['content-type']], [200, 'text/html'], path)
    const style = /<style>([^]*?)<\/style>/.exec(text)?.[1] ?? ''
    const digest = createHash('sha256').update(style).digest('base64')
    assert.is(
      headers['content-security-policy'],
      `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    assert.not.match(text, /<(?:script|link|img|iframe|object|form|base)\b|\son\w+=|\sstyle=|url\(|@import|undefined|\[object/i)
    for (const { method, path: each, operation } of operationsOf(served.all)) {
      assert.ok(text.includes(`<span class="method">${method}</span> ${each}<`), `${method} ${each}`)
      assert.ok(text.includes(`id="${operation.operationId.toLowerCase()}"`), operation.operationId)
    }
    const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
    assert.is(new Set(ids).size, ids.length, 'each id once')
    for (const [, target] of text.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.includes(target), `#${target} leads nowhere`)
  }
})

openapi('C5: texts of the document cannot become markup of the page', () => {
  const page = referencePage({ ...served.all, info: { title: '<b>"T"</b>', version: '1', description: '`<i>` **<u>x</u>**' } })
  assert.not.match(page, /<[biu]>/)
  assert.match(page, /&lt;b&gt;&quot;T&quot;/)
})

openapi.run()
