/** The samples that the dashboard shows, run against the server by the tools that they are written for. */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { codeSample } from '#web/runs/shared/code-samples.ts'
import type { SampleKind, SampleLanguage } from '#web/runs/shared/code-samples.ts'
import { crawlSample } from '#web/runs/crawl/crawl-sample.ts'
import { SEARCH_SAMPLE } from '#web/runs/search/search-sample.ts'
import { SITEMAP_SAMPLE } from '#web/runs/sitemap/sitemap-sample.ts'
import { startApp } from '#tests/support/app.ts'
import { someHits, startSearchStubs } from '#tests/support/stubs/search-stubs.ts'
import { startSmallSite } from '#tests/support/sites/small-site.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const stubs = await startSearchStubs({ hits: someHits(4) })
const app = await startApp({ engine: true, config: { searxngUrl: stubs.url } })
const { apiKey } = await app.signIn()
const baseUrl = await app.listen()
const site = await startSmallSite()
const directory = temporaryFolder('seine-samples-')

const samples = suite('code samples that run')

const PROGRAMS: Record<Exclude<SampleLanguage, 'go'>, { file: string; command: string }> = {
  curl: { file: 'sample.sh', command: 'sh' },
  python: { file: 'sample.py', command: 'python3' },
  node: { file: 'sample.mjs', command: process.execPath },
}

/** Whether the tool of a language is installed. */
const isThere = (command: string) => spawnSync(command, ['--version']).error === undefined

async function run(language: keyof typeof PROGRAMS, kind: SampleKind, body: unknown): Promise<string | null> {
  const { file, command } = PROGRAMS[language]
  // Neither tool is part of the product. On a machine that lacks one, only the other languages are tested.
  if (!isThere(command) || (language === 'curl' && !isThere('curl'))) return null
  writeFileSync(join(directory, file), codeSample(language, { baseUrl, apiKey, body, kind }).code)
  const child = spawn(command, [file], { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] })
  const said: Record<'stdout' | 'stderr', string> = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  assert.is(code, 0, `${language}: ${said.stderr}`)
  return said.stdout
}

const CRAWL = { url: site.url, options: { spider_options: { max_depth: 2, page_limit: 50 }, page_options: {}, plugin_options: {} } }
const SEARCH = {
  query: `it's "white tea" $(id) \\ \`x\``,
  search_options: { language: null, country: null, time_range: 'any', search_type: 'web', depth: 'basic' },
  result_limit: 3,
}
const SITEMAP = { url: site.url, options: { ignore_sitemap_xml: true, search: null } }

for (const language of ['curl', 'python', 'node'] as const) {
  samples(`S-WRK-01 ${language}: a crawl is started, followed, and its pages are printed`, async () => {
    const text = await run(language, crawlSample({ batch: false }), CRAWL)
    if (text === null) return
    assert.match(text, /finished/)
    assert.match(text, /Steeping guide/)
    assert.ok(text.includes(`${site.url}guide/11`))
    if (language === 'curl') assert.is(readFileSync(join(directory, 'results.zip')).subarray(0, 2).toString(), 'PK')
  })

  samples(`S-WRK-02 ${language}: a search is sent, and its results are printed`, async () => {
    const text = await run(language, SEARCH_SAMPLE, SEARCH)
    if (text === null) return
    assert.match(text, /finished/)
    assert.match(text, /Hit number 2/)
    assert.not.match(text, /Hit number 3/, 'no more than were asked for')
    assert.is(stubs.asked.at(-1)?.parameters['q'], SEARCH.query, 'whatever was typed arrives as it was typed')
    if (language !== 'curl') return
    const saved = JSON.parse(readFileSync(join(directory, 'search.json'), 'utf8')) as { result: { url: string }[] }
    assert.is(saved.result.length, 3)
  })

  samples(`S-WRK-03 ${language}: a sitemap is created, and its URLs are printed`, async () => {
    const text = await run(language, SITEMAP_SAMPLE, SITEMAP)
    if (text === null) return
    assert.match(text, /finished/)
    assert.ok(text.includes(`${site.url}guide/11`))
    if (language === 'curl') assert.match(readFileSync(join(directory, 'sitemap.xml'), 'utf8'), /^<\?xml[^]*<urlset/)
  })
}

samples.run()
