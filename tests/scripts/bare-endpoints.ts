import * as esbuild from 'esbuild'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { bareEndpoints } from '../../scripts/bare-endpoints.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const contract = readdirSync(new URL('../../contract', import.meta.url)).filter((name) => name.endsWith('.ts'))

const bare = suite('endpoints without shapes in the page')

async function bundled(contents: string) {
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
    plugins: [bareEndpoints()],
  })
  const text = outputFiles[0]?.text ?? ''
  const exported = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as Record<string, unknown>
  return { text, exported }
}

const isEndpoint = (value: unknown): value is EndpointSpec =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

for (const file of contract)
  bare(`${file}: every endpoint is called as the server serves it`, async () => {
    const whole = (await import(`../../contract/${file}`)) as Record<string, unknown>
    const { exported } = await bundled(`export * from './contract/${file}'`)
    assert.equal(Object.keys(exported).toSorted(), Object.keys(whole).toSorted())
    for (const [name, endpoint] of Object.entries(whole)) {
      if (!isEndpoint(endpoint)) continue
      const { answer, method, path, access, status, media, orEmpty } = endpoint
      const kept = exported[name] as EndpointSpec
      assert.equal(
        { ...kept, answer: kept.answer !== undefined },
        { answer: answer !== undefined, ...defined({ method, path, access, status, media, orEmpty }) },
        name,
      )
    }
  })

const defined = (values: Record<string, unknown>) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

bare('an endpoint has no shape in the page, and plain rules stay unchanged', async () => {
  const { text, exported } = await bundled(`
    export { createCrawl, MAX_BATCH_URLS } from './contract/crawls.ts'
    export { isTerminal, RUN_STATUSES } from './contract/runs.ts'
    export { PASSWORD_RULES } from './contract/passwords.ts'
    export { isHttpUrl } from './contract/addresses.ts'`)
  assert.not.match(text, /zod|Expected a list of items/)
  assert.is((exported['isTerminal'] as (status: string) => boolean)('failed'), true)
  assert.is((exported['isHttpUrl'] as (text: string) => boolean)('https://a.example'), true)
  assert.is(exported['MAX_BATCH_URLS'], 1000)
  assert.is((exported['PASSWORD_RULES'] as unknown[]).length, 5)
})

bare.run()
