/** Runs every example of the getting-started pages against the product, with its URL, its key and a test site in place of the printed ones. */
import { spawnSync } from 'node:child_process'
import * as assert from 'uvu/assert'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { examplesOf, runExample } from '#tests/support/documented.ts'
import type { Example } from '#tests/support/documented.ts'
import { startFirecrawl } from '#tests/support/firecrawl.ts'
import { suite } from '#tests/support/suite.ts'

const docs = suite('the documented ways in')
const f = await startFirecrawl()
docs.after(() => f.close())
const replaced = {
  'https://seine.example.org': f.product.url,
  'https://example.org/docs/': f.site.url('/'),
  'https://example.org/': f.site.url('/boats'),
  'sn-…': f.key,
  '@mendable/firecrawl-js': 'firecrawl-newest',
}

const hasPython = spawnSync('python3', ['--version']).error === undefined

/** What each example prints, in the order of the page. */
const PAGES: Record<string, RegExp[]> = {
  'docs/agents.md': [/"type":"http"/, /^Boats \d+\n$/, /"isError"|"structuredContent"/, /"SEINE_API_KEY"/],
  'docs/crawl-a-site.md': [/^finished drained [1-9]\d*\n[^]*\/boats \d+\n/, /^finished drained [1-9]\d*\n[^]*\/boats \d+\n/],
  'docs/scrape.md': [/"markdown": ?"# Boats/, /^Boats \d+\n$/, /^(?:hit|miss|confirmed) \d+ \d+\n$/, /^data: \{[\s\S]*"finished"/m],
  'docs/from-firecrawl.md': [/^$/, /"success":true/],
}

for (const [path, printed] of Object.entries(PAGES)) {
  const examples = examplesOf(path)
  docs(`${path}: each of its ${examples.length} examples runs`, async () => {
    assert.is(examples.length, printed.length)
    for (const [at, example] of examples.entries())
      // Python is no part of the product: on a machine without it, the other examples are run.
      if (example.language !== 'python' || hasPython)
        assert.match(await runExample(example, replaced), printed[at]!, `line ${example.line}`)
  })
}

docs('README.md: the first call of a program returns the Markdown of a page', async () => {
  const call = examplesOf('README.md').find(({ code }) => code.startsWith('curl')) as Example
  const printed = await runExample(call, { ...replaced, 'http://127.0.0.1:3000': f.product.url, YOUR_KEY: f.key })
  assert.match((JSON.parse(printed) as { result: { markdown: string } }).result.markdown, /^# Boats/)
})

docs('docs/schedules.md: its call repeats a crawl', async () => {
  const headers = { 'x-api-key': f.key, 'content-type': 'application/json' }
  const body = JSON.stringify({ url: f.site.url('/boats') })
  const crawl = (await (await fetch(`${f.product.url}/api/v1/core/crawl-requests/`, { method: 'POST', headers, body })).json()) as {
    uuid: string
  }
  const call = examplesOf('docs/schedules.md').find(({ code }) => code.startsWith('curl')) as Example
  const printed = await runExample(call, { ...replaced, 'UUID-OF-A-CRAWL': crawl.uuid })
  assert.is((JSON.parse(printed) as { name: string }).name, 'Prices')
})

docs('the documented MCP configuration starts a server that answers', async () => {
  const example = examplesOf('docs/agents.md').findLast(({ language }) => language === 'json') as Example
  const { mcpServers } = JSON.parse(await runExample(example, replaced)) as {
    mcpServers: { seine: { command: string; args: string[]; env: Record<string, string> } }
  }
  const { args, env } = mcpServers.seine
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: { PATH: process.env['PATH'] ?? '', ...env } }))
  const { tools } = await client.listTools()
  assert.ok(tools.some(({ name }) => name === 'scrape'))
  await client.close()
})

docs.run()
