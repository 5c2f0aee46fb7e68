/** C4: a TypeScript client generated from the API's description compiles with typical calls, and runs. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as assert from 'uvu/assert'
import { getTeamSchema } from '#contract/reference.ts'
import type { ApiDocument, JsonSchema } from '#contract/reference.ts'
import { startApp } from '#tests/support/app.ts'
import { typescriptClient } from '#tests/support/typescript-client.ts'
import { suite } from '#tests/support/suite.ts'

const app = await startApp()
const owner = await app.signIn()
const base = await app.listen()
const document = (await app.call(getTeamSchema)).body as unknown as ApiDocument
const folder = mkdtempSync(join(tmpdir(), 'seine-client-'))
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

const client = suite('a generated client')
client.after(async () => {
  rmSync(folder, { recursive: true })
})

/** Compiler errors of a program that imports the client. */
function compile(program: string): string {
  writeFileSync(join(folder, 'client.ts'), typescriptClient(document))
  writeFileSync(join(folder, 'program.ts'), program)
  const options = ['--strict', '--exactOptionalPropertyTypes', '--target', 'es2024', '--lib', 'es2024,dom', '--types', '', '--noEmit']
  const modules = ['--module', 'nodenext', '--allowImportingTsExtensions', '--erasableSyntaxOnly']
  try {
    execFileSync(process.execPath, [tsc, ...options, ...modules, 'program.ts'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
    return ''
  } catch (fault) {
    return String((fault as { stdout?: string }).stdout)
  }
}

const HEAD = "import { createClient } from './client.ts'\nimport type * as api from './client.ts'\n"

const CALLS = `${HEAD}
export async function run(base: string, key: string) {
  const call = createClient(base, { 'X-API-Key': key })
  const url = 'http://127.0.0.1:8080/'
  const bare = await call('createCrawl', { body: { url } })
  const whole = await call('createCrawl', { body: { url, options: { spider_options: {}, page_options: {}, plugin_options: {} } } })
  const some = await call('createCrawl', { body: { url, options: { spider_options: { page_limit: 10 }, page_options: { include_links: true, extra_headers: { 'x-a': '1' } } } } })
  const batch = await call('createBatchCrawl', { body: { urls: [url], options: { page_options: { timeout: 2000 } } }, headers: { 'Idempotency-Key': 'k' } })
  const search = await call('createSearch', { body: { query: 'nets' }, query: { prefetched: true } })
  const sitemap = await call('createSitemap', { body: { url, options: { include_paths: ['/docs/*'] } } })
  const list = await call('listCrawls', { query: { page_size: 10, status: 'new' } })
  const one: api.CrawlRequest = await call('getCrawl', { path: { id: bare.uuid } })
  await call('stopCrawl', { path: { id: some.uuid } })
  const limit: number = one.options.spider_options.page_limit
  const timeout: number = some.options.page_options.timeout
  const range: string = search.search_options.time_range
  return { limit, timeout, range, same: one.uuid === bare.uuid, count: list.count, statuses: [whole.status, batch.status, sitemap.status], urls: list.results.map((crawl) => crawl.urls[0]) }
}
`

client('the client compiles and runs against the product', async () => {
  assert.is(compile(CALLS), '')
  const { run } = (await import(pathToFileURL(join(folder, 'program.ts')).href)) as { run: (base: string, key: string) => Promise<unknown> }
  assert.equal(await run(base, owner.apiKey), {
    limit: 1,
    timeout: 15_000,
    range: 'any',
    same: true,
    count: 4,
    statuses: ['new', 'new', 'new'],
    urls: Array.from({ length: 4 }, () => 'http://127.0.0.1:8080/'),
  })
})

client("the document's own examples compile", () => {
  const bodies = Object.values(document.paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId, requestBody }) => {
      const example = requestBody?.content['application/json']?.example
      return example === undefined ? [] : [`void call('${operationId}', { body: ${JSON.stringify(example)} })`]
    }),
  )
  const answers = Object.entries(document.components.schemas).flatMap(([name, { examples = [] }]) =>
    examples.map((example) => `void (${JSON.stringify(example)} satisfies api.${name})`),
  )
  assert.ok(bodies.length >= 4)
  assert.ok(answers.length >= 10)
  assert.is(compile(`${HEAD}const call = createClient('', {})\n${[...bodies, ...answers].join('\n')}`), '')
})

client('wrong calls do not compile', () => {
  const wrong = [
    "call('createCrawl', { body: {} })",
    "call('createCrawl', { body: { url: 1 } })",
    "call('createCrawl', { body: { url: '', options: { spider_options: { page_limit: '1' } } } })",
    "call('createSearch', { body: { query: '', search_options: { depth: 'deep' } } })",
    "call('getCrawl', {})",
  ]
  const complaints = compile(`${HEAD}const call = createClient('', {})\n${wrong.map((line) => `void ${line}`).join('\n')}`)
  assert.is(complaints.match(/^program\.ts\(/gm)?.length, wrong.length, complaints)
})

/** Options that older clients do not know: an answer has them only if the request had them. */
const SHOWN_ON_REQUEST = new Set(['article_text_only', 'block', 'html_in_markdown', 'keep_types', 'mobile', 'skip_types'])

client('a field with a default is optional in requests, and answers have every option', () => {
  const faults: string[] = []
  const look = (schema: JsonSchema, place: string) => {
    if (schema.$ref !== undefined) faults.push(`${place} is described by a component, which answers use too`)
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      if (field.default !== undefined && schema.required?.includes(name)) faults.push(`${place}.${name} has a default and is required`)
      look(field, `${place}.${name}`)
    }
    if (schema.items) look(schema.items, `${place}[]`)
  }
  for (const item of Object.values(document.paths))
    for (const { operationId, requestBody } of Object.values(item)) {
      const schema = requestBody?.content['application/json']?.schema
      if (schema) look(schema, operationId)
    }
  assert.equal(faults, [])
  for (const name of ['SpiderOptions', 'PageOptions', 'SitemapRequest', 'SearchRequest']) {
    const { properties = {}, required = [] } = document.components.schemas[name] ?? {}
    const always = Object.keys(properties).filter((property) => !SHOWN_ON_REQUEST.has(property))
    assert.equal(required.toSorted(), always.toSorted(), name)
  }
})

client.run()
