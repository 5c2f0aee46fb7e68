/** Plugins beside the formats: their results are stored, and their errors affect nothing else. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readDocument, unpackBody } from '#backend/crawler/page/page-body.ts'
import type { PageRules, ParseReply, ParsedPage } from '#backend/crawler/page/page-rules.ts'
import { createPageParser } from '#backend/crawler/page/parse-page.ts'
import { createParsePool } from '#backend/crawler/page/parse-pool.ts'
import { activePlugins } from '#backend/crawler/plugins/active-plugins.ts'
import type { Plugin, PluginPage } from '#backend/crawler/plugins/plugin.ts'
import { givenOptions, pluginsSchema } from '#backend/crawler/plugins/plugin-schema.ts'
import { createPluginRunner } from '#backend/crawler/plugins/run-plugins.ts'
import { growWholeTree } from '#backend/crawler/plugins/whole-tree.ts'
import { pageOf } from '#tests/support/sites/site.ts'

const plugin = (key: string, extract: Plugin['extract'], more: Partial<Plugin> = {}): Plugin => ({
  key,
  title: key,
  description: key,
  options: {},
  extract,
  ...more,
})
const active = (...keys: string[]) => keys.map((key) => ({ key, values: { is_active: true } }))
const jobOf = (text: string, more: object = {}) => ({
  id: 1,
  rules: 'run',
  body: new Uint8Array(Buffer.from(text)),
  contentEncoding: '',
  contentType: 'text/html; charset=utf-8',
  status: 200,
  url: 'http://a.test/',
  ...more,
})
const rulesOf = (keys: string[]): PageRules => ({
  name: 'run',
  extraction: { includeHtml: false, onlyMainContent: true, includeTags: [], excludeTags: [] },
  scope: { allowedDomains: [], includePaths: [], excludePaths: [], seedHosts: ['a.test'] },
  includeLinks: false,
  salt: Buffer.alloc(16),
  maxBytes: 32 * 1024 * 1024,
  plugins: active(...keys),
})

// oxlint-disable-next-line typescript/no-explicit-any
function documentOf(reply: ParseReply): any {
  assert.is(reply.kind, 'page')
  return readDocument(unpackBody(reply as ParsedPage))
}
const faultsOf = (reply: ParseReply) => (reply.kind === 'page' ? reply.pluginFaults : undefined)

/** A page read with these plugins, all of them active. */
async function read(plugins: Plugin[], html = pageOf('a page')) {
  const keys = plugins.map(({ key }) => key)
  return createPageParser(rulesOf(keys), createPluginRunner(active(...keys), plugins))(jobOf(html))
}

const choosing = suite('plugins that a crawl asks for')
for (const [options, keys, why] of [
  [{ a: { is_active: true }, b: { is_active: true, x: 1 } }, ['a', 'b'], 'the active ones'],
  [{ a: { is_active: false }, b: {}, c: { is_active: 'true' }, d: { is_active: 1 } }, [], 'nothing but true is active'],
  [{ a: null, b: 'text', c: [true], d: 7 }, [], 'values that are no forms'],
  [undefined, [], 'a crawl from before there were plugins'],
] as const)
  choosing(why, () =>
    assert.equal(
      activePlugins(options).map(({ key }) => key),
      keys,
    ),
  )
choosing('no plugin runs if none is installed', () => {
  assert.is(createPluginRunner(active('elsewhere'), []), null)
  assert.is(createPluginRunner([], [plugin('a', () => 1)]), null)
})
choosing('a plugin gets its options with defaults, and no unknown options', () => {
  const options = {
    a: { type: 'string', default: 'x' },
    b: { type: 'boolean', default: true },
    c: { type: 'object', properties: { d: { type: 'integer', default: 3 }, e: { type: 'string' } } },
    f: { type: 'string' },
  } as const
  assert.equal(givenOptions(options, { is_active: true, b: false, a: '', c: { e: 'y', z: 1 }, z: 1 }), {
    a: 'x',
    b: false,
    c: { d: 3, e: 'y' },
  })
})
choosing('the schema of each plugin has is_active first, as the only required option', () => {
  const needy = plugin('needy', () => 1, { options: { model: { type: 'string' } }, required: ['model'] })
  const document = pluginsSchema([needy])
  assert.is(document.$schema, 'http://json-schema.org/draft-07/schema#')
  const schema = document.properties['needy']!
  assert.equal(Object.keys(schema.properties), ['is_active', 'model'])
  assert.equal([schema.required, schema.dependentRequired], [['is_active'], { is_active: ['model'] }])
  assert.equal(pluginsSchema([]).properties, {})
})

const running = suite('plugins that read a page')
running('the extraction of a single plugin is stored unchanged beside the rest of the result', async () => {
  const reply = await read([plugin('a', ({ title, url }) => ({ title, url }))])
  const { extraction, ...rest } = documentOf(reply)
  assert.equal(extraction, { title: 'a page', url: 'http://a.test/' })
  assert.equal(rest, documentOf(await createPageParser(rulesOf([]))(jobOf(pageOf('a page')))))
  assert.is(faultsOf(reply), undefined)
})
running('several plugins give an object with their keys, whichever of them extract something', async () => {
  const silent = plugin('b', () => undefined)
  assert.equal(documentOf(await read([plugin('a', () => [1]), silent])).extraction, { a: [1] })
  assert.not('extraction' in documentOf(await read([silent])))
})
running('a plugin may return a promise', async () => {
  assert.is(documentOf(await read([plugin('a', async () => 7)])).extraction, 7)
})
running('a plugin gets the text, the tree and the URLs of the page; other documents have no tree', async () => {
  const seen: unknown[] = []
  const look = plugin('a', (page: PluginPage) => {
    seen.push([
      page.html()?.includes('<script>x</script>'),
      page.tree() === page.tree(),
      page.resolve('b'),
      page.resolve('javascript:1'),
      page.status,
    ])
    return null
  })
  const reply = await read([look], '<base href="/in/"><script>x</script><p>Words</p>')
  assert.is(documentOf(reply).extraction, null)
  assert.equal(seen, [[true, true, 'http://a.test/in/b', null, 200]])
  const run = createPluginRunner(active('a'), [plugin('a', (page) => [page.html(), page.tree(), page.mediaType])])
  const json = await createPageParser(rulesOf(['a']), run)(jobOf('{}', { contentType: 'application/json' }))
  assert.equal(documentOf(json).extraction, [null, null, 'application/json'])
})

const ring: Record<string, unknown> = {}
ring['self'] = ring
let deep: unknown[] = []
for (let depth = 0; depth < 100_000; depth++) deep = [deep]
for (const [extract, detail, why] of [
  [
    () => {
      throw new Error('no such field')
    },
    /no such field/,
    'throws',
  ],
  [
    async () => {
      throw new Error('later')
    },
    /later/,
    'rejects',
  ],
  [() => ring, /circular/, 'gives a ring'],
  [() => deep, /stack/, 'gives what is too deep'],
  [() => 7n, /BigInt/, 'gives what JSON cannot say'],
  [() => 'x'.repeat(3 * 1024 * 1024), /2 MiB/, 'gives too much'],
] as const)
  running(`a plugin that ${why} loses only its own extraction, and is reported`, async () => {
    const reply = await read([plugin('bad', extract), plugin('good', () => 1)])
    const { extraction, markdown } = documentOf(reply)
    assert.equal(extraction, { good: 1 })
    assert.match(markdown, 'a page')
    assert.equal(
      faultsOf(reply)!.map(({ plugin: key }) => key),
      ['bad'],
    )
    assert.match(faultsOf(reply)![0]!.detail, detail)
  })

const threads = suite('plugins in the parser threads')
const fixture = (name: string) => new URL(`../fixtures/${name}`, import.meta.url)
for (const [key, why] of [
  ['endless', 'never ends'],
  ['never', 'waits for ever'],
  ['greedy', 'takes all memory'],
] as const)
  threads(`a page survives a plugin that ${why}; other plugins and pages are served`, async () => {
    const pool = createParsePool({ threads: 1, heapMiB: 64, deadlineMs: 1500, plugins: fixture('plugins.ts') })
    pool.define(rulesOf([key, 'title']))
    pool.define({ ...rulesOf([]), name: 'plain' })
    const parse = (text: string, rules = 'run') => pool.parse({ ...jobOf(text, { rules }), share: 'team' })
    const [hurt, plain] = await Promise.all([parse(pageOf('hurt')), parse(pageOf('plain'), 'plain')])
    assert.equal(documentOf(hurt).extraction, { title: 'hurt' })
    assert.equal(faultsOf(hurt), [{ plugin: key, detail: 'it took too much time or memory' }])
    assert.not('extraction' in documentOf(plain))
    await pool.close()
  })

const tree = suite('the whole tree of a document')
tree('the tree contains scripts and metadata, but no contents of templates, and its depth is limited', () => {
  const names = (html: string) => [...growWholeTree(html).elements()].map(({ name }) => name)
  assert.equal(names('<head><meta><script>a<b</script></head><template><p>x</template><p>y'), [
    '#root',
    'head',
    'meta',
    'script',
    'template',
    'p',
  ])
  const root = growWholeTree('<b>'.repeat(20_000) + 'x')
  let depth = 0
  const walk = (element: typeof root, at: number): void => {
    depth = Math.max(depth, at)
    for (const child of element.children) if (typeof child !== 'string') walk(child, at + 1)
  }
  walk(root, 0)
  assert.ok(depth <= 512, `${depth}`)
  assert.is([...root.elements()].length, 20_001)
})

for (const one of [choosing, running, threads, tree]) one.run()
