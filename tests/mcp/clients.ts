/** The SDK's own clients, of both generations, over HTTP and through the stdio bridge. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { startFirecrawl } from '#tests/support/firecrawl.ts'
import { suite } from '#tests/support/suite.ts'
import { toolFile } from '../../scripts/tools.ts'

const clients = suite('clients of the MCP endpoint')
const f = await startFirecrawl()
const endpoint = new URL(`${f.product.url}/mcp`)
const requestInit = { headers: { authorization: `Bearer ${f.key}` } }
const bridge = fileURLToPath(new URL('../../scripts/mcp-stdio.mjs', import.meta.url))
const environment = { PATH: process.env['PATH'] ?? '', SEINE_URL: f.product.url, SEINE_API_KEY: f.key }

type Asking = {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(asked: { name: string; arguments: Record<string, unknown> }, ...more: never[]): Promise<unknown>
  readResource(asked: { uri: string }): Promise<{ contents: unknown[] }>
  close(): Promise<void>
}

/** What an agent does: looks at the tools, reads a page, reads it again as a resource. */
async function journey(client: Asking, path: string) {
  const { tools } = await client.listTools()
  assert.ok(tools.some(({ name }) => name === 'scrape'))
  const result = (await client.callTool({ name: 'scrape', arguments: { url: f.site.url(path) } })) as {
    structuredContent: { result: string; markdown: string }
  }
  // The client has checked it against the schema of the tool.
  assert.match(result.structuredContent.markdown, /^# /)
  const { contents } = await client.readResource({ uri: result.structuredContent.result })
  assert.equal(contents, [{ uri: result.structuredContent.result, mimeType: 'text/markdown', text: result.structuredContent.markdown }])
  await client.close()
}

clients('the TypeScript SDK of the current protocol revision works', async () => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit }))
  assert.is(client.getNegotiatedProtocolVersion(), '2026-07-28')
  await journey(client as unknown as Asking, '/boats')
})

clients('the TypeScript SDK works with the handshake of older revisions', async () => {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit }))
  await journey(client as unknown as Asking, '/boats')
})

clients('the previous TypeScript SDK works, with progress', async () => {
  const client = new OlderClient({ name: 'test', version: '1' })
  await client.connect(new OlderTransport(endpoint, { requestInit }) as Parameters<typeof client.connect>[0])
  const told: number[] = []
  const onprogress = ({ progress }: { progress: number }) => void told.push(progress)
  await client.callTool({ name: 'crawl', arguments: { url: f.site.url('/many/'), limit: 10, wait_seconds: 40 } }, undefined, { onprogress })
  assert.ok(told.length > 0)
  await journey(client as unknown as Asking, '/blog/one')
})

clients('the stdio bridge works for agents that start a program', async () => {
  for (const options of [{}, { versionNegotiation: { mode: 'auto' as const } }]) {
    const client = new Client({ name: 'test', version: '1' }, options)
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [bridge], env: environment }))
    const told: number[] = []
    const onprogress = ({ progress }: { progress: number }) => void told.push(progress)
    await client.callTool({ name: 'crawl', arguments: { url: f.site.url('/many/'), limit: 10, wait_seconds: 40 } }, { onprogress })
    assert.ok(told.length > 0)
    await journey(client as unknown as Asking, '/boats')
  }
})

const inspector = toolFile('@modelcontextprotocol/inspector', 'clients/launcher/build/index.js')
if (inspector === null) console.error('The MCP Inspector is left out: npm run tools -- @modelcontextprotocol/inspector')
const inspecting = inspector === null ? clients.skip : clients

inspecting('the inspector, over HTTP and through the bridge', async () => {
  const overHttp = [endpoint.href, '--transport', 'http', '--header', `Authorization: Bearer ${f.key}`]
  const throughBridge = [process.execPath, bridge, '-e', `SEINE_URL=${f.product.url}`, '-e', `SEINE_API_KEY=${f.key}`]
  for (const server of [overHttp, throughBridge]) {
    const inspect = async (...asked: string[]) => {
      const { stdout } = await promisify(execFile)(process.execPath, [inspector!, '--cli', ...server, ...asked])
      return JSON.parse(stdout) as { tools?: { name: string }[]; structuredContent?: { markdown: string } }
    }
    const { tools } = await inspect('--method', 'tools/list')
    assert.ok(tools!.some(({ name }) => name === 'scrape'))
    const args = ['--tool-name', 'scrape', '--tool-arg', `url=${f.site.url('/boats')}`]
    assert.match((await inspect('--method', 'tools/call', ...args)).structuredContent!.markdown, /^# /)
  }
})

clients('the bridge reports errors on stderr', async () => {
  const cases: [environment: Record<string, string>, input: string, words: RegExp, code: number][] = [
    [{ SEINE_API_KEY: '' }, '', /SEINE_API_KEY is not set/, 1],
    [{ SEINE_URL: 'nowhere' }, '', /SEINE_URL is not a URL/, 1],
    [{ SEINE_URL: 'http://127.0.0.1:1' }, '{"jsonrpc":"2.0","id":1,"method":"ping"}\n', /cannot be reached/, 0],
    [{ SEINE_API_KEY: 'sn-wrong' }, '{"jsonrpc":"2.0","id":1,"method":"ping"}\n', /Unknown API key/, 0],
  ]
  for (const [changed, input, words, code] of cases) {
    const child = spawn(process.execPath, [bridge], { env: { ...environment, ...changed } })
    const said: string[] = []
    const answered = Promise.withResolvers<void>()
    child.stderr.on('data', (text: Buffer) => said.push(text.toString()))
    child.stdout.on('data', () => answered.resolve())
    child.stdin.on('error', () => undefined)
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    if (input !== '') {
      child.stdin.write(input)
      await answered.promise
    }
    child.stdin.end()
    assert.is(await ended, code)
    assert.match(said.join(''), words)
  }
})

clients.run()
