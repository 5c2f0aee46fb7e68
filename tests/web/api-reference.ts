/** The rules of the API reference: reading the document, describing a schema, writing a request. */
import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createDocument } from '#backend/reference/document.ts'
import type { ApiParameter, JsonSchema } from '#contract/reference.ts'
import { found, groupsOf, readDocument, successOf } from '#web/api-reference/document.ts'
import type { Call } from '#web/api-reference/document.ts'
import { exampleOf, exampleText } from '#web/api-reference/examples.ts'
import { blocksOf, piecesOf, sectionsOf } from '#web/api-reference/prose-blocks.ts'
import { bodyFault, curlOf, missingOf, requestOf } from '#web/api-reference/request.ts'
import { alternativeName, choicesOf, defaultText, fieldsOf, limitTexts, typeText } from '#web/api-reference/schema-texts.ts'
import { fileName, sendRequest } from '#web/api-reference/send-request.ts'
import type { Answered } from '#web/api-reference/send-request.ts'
import { streamOf } from '#tests/support/browser/page.ts'

const BASE = 'https://seine.example'
const TEAM = createDocument('team', { productName: 'Seine', version: '1.0.0', baseUrl: BASE })
const GROUPS = groupsOf(TEAM)
const CALLS = GROUPS.flatMap(({ calls }) => calls)

const callOf = (id: string): Call => {
  const call = CALLS.find((one) => one.id === id)
  assert.ok(call, id)
  return call
}

const rules = suite('rules of the API reference')

rules('other documents are reported as not OpenAPI; missing parts are empty', () => {
  for (const answer of [undefined, null, '', 'text', 7, [], {}, { openapi: '3.1.1' }, { paths: {} }]) assert.is(readDocument(answer), null)
  const bare = readDocument({ openapi: '3.0.0', paths: { '/a/': { get: { operationId: 'a', tags: ['A'], summary: 'A', responses: {} } } } })
  assert.is(bare?.info.description, '')
  assert.equal(bare && groupsOf(bare).map(({ tag, calls }) => [tag, calls.length]), [['A', 1]], 'a tag without words of its own')
})

rules('every operation is in one group, the groups in the order of the document', () => {
  assert.is(CALLS.length, Object.values(TEAM.paths).flatMap((item) => Object.keys(item)).length)
  assert.is(new Set(CALLS.map(({ id }) => id)).size, CALLS.length)
  assert.equal(
    GROUPS.slice(0, 4).map(({ tag }) => tag),
    ['Crawl Requests', 'Crawl Results', 'Search Requests', 'Sitemap Requests'],
  )
  assert.equal(
    GROUPS[0]?.calls.slice(0, 3).map(({ method, path }) => `${method} ${path}`),
    ['POST /api/v1/core/crawl-requests/', 'GET /api/v1/core/crawl-requests/', 'DELETE /api/v1/core/crawl-requests/'],
  )
})

rules('a search finds operations by name, path, method, parameter and field; each word of the query must be found', () => {
  const ids = (query: string) => found(GROUPS, query).flatMap(({ calls }) => calls.map(({ id }) => id))
  assert.is(ids('').length, CALLS.length)
  assert.equal(ids('created_at__gte').includes('listCrawls'), true)
  assert.equal(ids('delete crawl'), ['deleteCrawls', 'stopCrawl', 'deletePreset', 'createSchedule', 'deleteSchedule'])
  assert.ok(ids('IDEMPOTENCY').includes('createCrawl'))
  assert.ok(ids('only_main_content').includes('createCrawl'))
  assert.equal(ids('nothing-of-this-kind'), [])
  for (const { id, operation } of CALLS) assert.ok(ids(operation.summary).includes(id), operation.summary)
})

const TYPES: [JsonSchema, string][] = [
  [{ type: 'string' }, 'string'],
  [{ type: ['string', 'null'] }, 'string or null'],
  [{ type: 'array', items: { type: 'integer' } }, 'list of integer'],
  [{ type: ['array', 'null'], items: { $ref: '#/components/schemas/SearchItem' } }, 'list of SearchItem or null'],
  [{ $ref: '#/components/schemas/CrawlRequest' }, 'CrawlRequest'],
  [{ anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/ResultDocument' }] }, 'string or ResultDocument'],
  [{ type: 'object', additionalProperties: { type: 'string' } }, 'map of string'],
  [{ type: 'object', additionalProperties: {} }, 'map of anything'],
  [{ type: 'object', properties: {} }, 'object'],
  [{ const: 'last' }, '"last"'],
  [{ enum: ['a', 'b'] }, 'string'],
  [{}, 'anything'],
]
for (const [schema, text] of TYPES) rules(`${JSON.stringify(schema)} reads "${text}"`, () => assert.is(typeText(schema), text))

const LIMITS: [JsonSchema, string[]][] = [
  [{ minimum: 1, maximum: 20 }, ['1 to 20']],
  [{ minimum: 0 }, ['at least 0']],
  [{ maxLength: 2048, minLength: 1 }, ['at most 2,048 characters']],
  [{ minLength: 8, maxLength: 64 }, ['8 to 64 characters']],
  [{ minItems: 1, maxItems: 1000 }, ['1 to 1,000 entries']],
  [{ format: 'uuid' }, ['uuid']],
  [{ format: 'uri' }, []],
  [{ pattern: '^a$' }, ['matches ^a$']],
  [{}, []],
]
for (const [schema, texts] of LIMITS)
  rules(`the limits of ${JSON.stringify(schema)} are shown`, () => assert.equal(limitTexts(schema), texts))

rules('defaults are written as they are sent; an empty object is omitted', () => {
  assert.is(defaultText({ default: true }), 'true')
  assert.is(defaultText({ default: 'json' }), '"json"')
  assert.is(defaultText({ default: null }), 'null')
  for (const schema of [{}, { default: {} }, { default: [] }]) assert.is(defaultText(schema), undefined)
})

rules('fields are found through references, lists, choices and "this or null"', () => {
  const names = (schema: JsonSchema) => fieldsOf(TEAM, schema).map(({ name }) => name)
  const item = { $ref: '#/components/schemas/SearchItem' }
  assert.ok(names(item).includes('url'))
  assert.equal(names({ type: 'array', items: item }), names(item))
  assert.equal(names({ anyOf: [item, { type: 'null' }] }), names(item))
  assert.equal(names({ anyOf: [item, { $ref: '#/components/schemas/CrawlRequest' }] }), [], 'two shapes are not mixed into one')
  assert.equal(names({ type: 'string' }), [])
  const withWord = { ...TEAM, components: { ...TEAM.components, schemas: { Word: { type: 'string', enum: ['new', 'old'] } } } }
  assert.equal(choicesOf(withWord, { $ref: '#/components/schemas/Word' }), ['new', 'old'])
  assert.equal(choicesOf(withWord, { type: 'array', items: { $ref: '#/components/schemas/Word' } }), ['new', 'old'])
  assert.equal(choicesOf(withWord, { type: 'string' }), [])
  const body = callOf('createCrawl').operation.requestBody?.content['application/json']?.schema ?? {}
  assert.equal(
    fieldsOf(TEAM, body).map(({ name, required }) => [name, required]),
    [
      ['url', true],
      ['options', false],
      ['preset', false],
    ],
  )
})

rules('kinds of events are distinguished by their type', () => {
  const kinds = TEAM.components.schemas['CrawlEvent']?.oneOf ?? []
  assert.equal(kinds.map(alternativeName), ['state', 'result', 'feed'])
  assert.is(alternativeName({}, 1), 'Alternative 2')
  assert.is(alternativeName({ $ref: '#/components/schemas/Error' }, 0), 'Error')
})

rules('every answer and body has an example that is JSON, also of recursive shapes', () => {
  for (const { operation } of CALLS) {
    const { type, media } = successOf(TEAM, operation)
    const text = exampleText(TEAM, media, type)
    if (type === 'application/json') assert.not.throws(() => JSON.parse(text), operation.operationId)
    const body = operation.requestBody?.content['application/json']
    if (body) assert.is(bodyFault(exampleText(TEAM, body)), undefined)
  }
  const ring = {
    ...TEAM,
    components: { ...TEAM.components, schemas: { Ring: { type: 'object', properties: { next: { $ref: '#/x/Ring' } } } } },
  }
  assert.ok(JSON.stringify(exampleOf(ring, { $ref: '#/x/Ring' })).length < 200)
})

rules('a request has the filled-in values, encoded for their place, and no empty values', () => {
  const list = requestOf(
    callOf('listCrawls'),
    { values: { 'query status': 'running', 'query url__contains': 'a b&c', 'query page': ' ' }, body: '' },
    `${BASE}/`,
  )
  assert.equal(list, {
    method: 'GET',
    url: `${BASE}/api/v1/core/crawl-requests/?status=running&url__contains=a+b%26c`,
    headers: {},
    body: undefined,
  })
  const one = callOf('getCrawl')
  assert.ok(requestOf(one, { values: {}, body: '' }, BASE).url.endsWith('/crawl-requests/{id}/'), 'what is missing is seen')
  assert.ok(requestOf(one, { values: { 'path id': "a/../$&'?" }, body: '' }, BASE).url.endsWith("/crawl-requests/a%2F..%2F%24%26'%3F/"))
  const create = requestOf(callOf('createCrawl'), { values: { 'header Idempotency-Key': 'k 1' }, body: '{"url":"x"}' }, BASE)
  assert.equal(create.headers, { 'Idempotency-Key': 'k 1', 'Content-Type': 'application/json' })
  assert.is(create.body, '{"url":"x"}')
  assert.is(requestOf(one, { values: {}, body: '{"a":1}' }, BASE).body, undefined, 'a call without a body sends none')
})

rules('required values that are empty are named, and invalid JSON is reported', () => {
  const names = (values: Record<string, string>) =>
    missingOf(callOf('getResult'), { values, body: '' }).map(({ name }: ApiParameter) => name)
  assert.equal(names({}), ['id', 'resultId'])
  assert.equal(names({ 'path id': 'x', 'path resultId': '  ' }), ['resultId'])
  assert.is(bodyFault(''), undefined)
  assert.is(bodyFault('{"a": 1}'), undefined)
  assert.match(bodyFault('{"a": }') ?? '', /^This is not JSON: /)
})

rules('a shell reads the command line as the request that would be sent, whatever was typed', () => {
  const hostile = `it's "here" $(id) \`id\` \\ \n %s`
  const text = curlOf({ method: 'POST', url: `${BASE}/x/?q=${hostile}`, headers: { 'X-Note': hostile }, body: hostile }, hostile)
  const { stdout } = spawnSync('sh', ['-c', text.replace(/^curl/, String.raw`printf '%s\0'`)], { encoding: 'utf8' })
  assert.equal(stdout.split('\0').slice(0, -1), [
    '-X',
    'POST',
    `${BASE}/x/?q=${hostile}`,
    '-H',
    `X-API-Key: ${hostile}`,
    '-H',
    `X-Note: ${hostile}`,
    '--data-binary',
    hostile,
  ])
  const get = { method: 'GET', url: BASE, headers: {}, body: undefined }
  assert.is(curlOf(get, 'K'), `curl '${BASE}' \\\n  -H 'X-API-Key: K'`)
  assert.match(curlOf(get, 'K', 'text/event-stream'), /^curl -N /)
  assert.match(curlOf(get, 'K', 'application/zip'), /^curl -OJ /)
})

rules('texts have sections, lists, code and bold words; an unpaired mark is plain text', () => {
  const sections = sectionsOf(TEAM.info.description)
  assert.equal(sections.map(({ id }) => id).slice(0, 2), ['introduction', 'authentication'])
  assert.ok(sections.every(({ blocks }) => blocks.length > 0))
  assert.equal(blocksOf('One\nline\n\n- a\n- `b` c'), [
    { kind: 'paragraph', pieces: [{ kind: 'text', text: 'One\nline' }] },
    {
      kind: 'list',
      entries: [
        [{ kind: 'text', text: 'a' }],
        [
          { kind: 'code', text: 'b' },
          { kind: 'text', text: ' c' },
        ],
      ],
    },
  ])
  assert.equal(piecesOf('a **b** `c`'), [
    { kind: 'text', text: 'a ' },
    { kind: 'bold', text: 'b' },
    { kind: 'text', text: ' ' },
    { kind: 'code', text: 'c' },
  ])
  assert.is(
    piecesOf('2 * 3 ` 4 <b>')
      .map(({ text }) => text)
      .join(''),
    '2 * 3 ` 4 <b>',
  )
})

rules('a file is named by the server, or else by its URL', () => {
  assert.is(fileName('attachment; filename="crawl-results-1.zip"', BASE), 'crawl-results-1.zip')
  assert.is(fileName('attachment; filename=a.zip', BASE), 'a.zip')
  assert.is(fileName(null, `${BASE}/api/v1/x/download/?a=b`), 'download')
  assert.is(fileName(null, BASE), 'answer')
})

rules('an answer that ends within a character shows that something is missing', async () => {
  const { fetch } = globalThis
  const body = Uint8Array.from(Buffer.from('tea ☕').subarray(0, -1))
  globalThis.fetch = () => Promise.resolve(new Response(streamOf([body]), { headers: { 'content-type': 'text/plain' } }))
  let last: Answered | undefined
  try {
    await sendRequest(
      { method: 'GET', url: BASE, headers: {}, body: undefined },
      'key',
      new AbortController().signal,
      (answer) => (last = answer),
    )
  } finally {
    globalThis.fetch = fetch
  }
  assert.equal(last?.body, { kind: 'text', text: 'tea \uFFFD', isCut: false })
})

rules.run()
