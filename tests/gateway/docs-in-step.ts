import { ERRORS } from '#backend/errors.ts'
import type { ApiResponse } from '#contract/reference.ts'
import { createDocument } from '#backend/reference/document.ts'
import { existsSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { securityDocFaults } from '../../scripts/check-security-docs.ts'
import { writtenDocs } from '../../scripts/write-docs.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** Errors whose message is another one each time. */
const VARIES = new Set([
  'body_too_large',
  'deletion_refused',
  'json_parse_error',
  'method_not_allowed',
  'page_late',
  'payment_failed',
  'plan_limit',
  'plan_refused',
  'unsupported_media_type',
])

const docs = suite('documents in step')

for (const [path, text] of Object.entries(writtenDocs())) {
  docs(`${path} matches the code (npm run docs)`, () => assert.ok(read(path) === text))
}

docs('docs/errors.md has a paragraph for every error code, with its status and its message, and for no other code', () => {
  const told = [...read('docs/errors.md').matchAll(/^## `(\w+)` · (\d+)\n\n(?:"(.+?)" )?/gm)].map(([, ...parts]) => parts.join(' '))
  const known = Object.entries(ERRORS).map(([code, { status, message }]) => `${code} ${status} ${VARIES.has(code) ? '' : message}`)
  assert.equal(told.toSorted(), known.toSorted())
})

docs('docs/self-hosting.md describes every metric, and no other', () => {
  const code = ['backend/backend-metrics.ts', 'backend/engine-metrics.ts', 'gateway/metrics.ts'].map(read).join('\n')
  const served = [...code.matchAll(/'(seine_\w+)'/g)].map(([, name = '']) => name)
  const rows = read('docs/self-hosting.md').match(/^\| `seine_.*$/gm)!
  const described = rows.flatMap((row) => [...row.matchAll(/`(seine_\w+)/g)].map(([, name = '']) => name))
  assert.equal(described.toSorted(), served.toSorted())
})

docs('docs/api.md names the same statuses and kinds of answers as the OpenAPI document, and the type and default of each flag', () => {
  const { paths } = createDocument('all', { productName: 'Seine', version: '0', baseUrl: '' })
  const text = read('docs/api.md')
  const entries = [...text.matchAll(/^### (\w+) `(.+)`$[\s\S]*?^Answers (\d+) with (.+)\.$/gm)]
  assert.is(entries.length, text.match(/^### [A-Z]+ /gm)!.length)
  for (const [, method = '', path = '', status = '', kind] of entries) {
    const answer = paths[path.replace('*', '{file}')]?.[method.toLowerCase()]?.responses[status]
    assert.ok(answer && !('$ref' in answer), `${method} ${path} does not answer ${status}`)
    const types = Object.entries((answer as ApiResponse).content ?? {})
    assert.is(kind === 'nothing', types.length === 0, `${method} ${path}`)
    if (types[0]?.[1].schema?.type === 'string' && types[0][0] === 'application/json') assert.is(kind, 'a string', path)
  }
  assert.match(text, /^\| `prefetched` \| boolean \| `false` \| /m)
})

docs('docs/api.md says what each field of a body and each option of a crawl means', () => {
  const rows = [...read('docs/api.md').matchAll(/^\| `([\w.[\]-]+)` \|.*\| (.*) \|$/gm)]
  assert.ok(rows.some(([, field]) => field === 'wait_time'))
  assert.match(read('docs/api.md'), /^\| `email` \| .* \| required \| /m)
  const silent = rows.filter(([, , meaning]) => meaning === '')
  assert.equal(
    silent.map(([row]) => row),
    [],
  )
})

docs('docs/api.md names only objects that it describes', () => {
  const text = read('docs/api.md')
  const described = new Set([...text.matchAll(/^### `(\w+)`$/gm)].map(([, name]) => name))
  const named = new Set([...text.matchAll(/\[(\w+)\]\(#\w+\)/g)].map(([, name]) => name).filter((name) => name !== 'list'))
  assert.ok(named.has('PageOptions'))
  assert.equal(
    [...named].filter((name) => !described.has(name)),
    [],
  )
})

docs('docs/crawl-a-site.md explains every outcome of a URL and every end of a crawl that the dashboard has words for', () => {
  const code = read('web/runs/crawl/outcomes.ts')
  const keysOf = (table: string) =>
    [
      ...code
        .split(`const ${table}`)[1]!
        .split('\n}')[0]!
        .matchAll(/^  (\w+):/gm),
    ].map(([, name = '']) => name)
  const text = read('docs/crawl-a-site.md')
  const explained = new Set(
    [...text.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name)),
  )
  assert.ok(keysOf('OUTCOMES').includes('host_busy'))
  assert.equal(
    [...keysOf('OUTCOMES'), ...keysOf('REASONS')].filter((name) => !explained.has(name)),
    [],
  )
})

const existing = (file: string) => (existsSync(new URL(`../${file}`, import.meta.url)) ? read(`tests/${file}`) : null)

docs('docs/security.md has a row for each of T1 to T40 and A1 to A25, and names tests that exist', () => {
  assert.equal(securityDocFaults(read('docs/security.md'), existing), [])
})

docs('the check reports a row that is missing, is there twice, has no test, or names a file or title that does not exist', () => {
  const text = read('docs/security.md')
  const faults = (changed: string) => securityDocFaults(changed, existing)
  assert.equal(faults(text.replace('`api/accounts/install.ts`', '`api/uninstall.ts`')), ['T30: there is no file tests/api/uninstall.ts'])
  assert.equal(faults(text.replace('"T30 of fifty', '"T30 of sixty')), [
    'T30: no test of tests/api/accounts/install.ts has "T30 of sixty concurrent installs exactly one creates an administrator" in its title',
  ])
  assert.equal(faults(text.replace(/^(\| A9 .*\|).*\|$/m, '$1 – |')), ['A9 names no test'])
  assert.equal(faults(text.replace(/^\| A9 .*\n/m, '')), ['A9 has no row'])
  assert.equal(faults(text.replace(/^(\| A9 .*\n)/m, '$1$1')), ['A9 has two rows'])
})

docs.run()
