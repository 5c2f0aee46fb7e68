/**
 * The official conformance suite, unmodified. Most of its scenarios call tools that a server must have for it: those run against the product's
 * protocol code with such tools, the others against the product itself, through a proxy that adds the API key, which the suite cannot send.
 */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { startFirecrawl } from '#tests/support/firecrawl.ts'
import { startFixtures } from '#tests/support/mcp-fixtures.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const conformance = suite('the official conformance suite of the Model Context Protocol')
const fixtures = await startFixtures()
const f = await startFirecrawl()
const proxy = createServer((from, to) => {
  const { hostname, port } = new URL(f.product.url)
  const { headers, method, url: path } = from
  const call = request({ hostname, port, path, method, headers: { ...headers, 'x-api-key': f.key } }, (reply) => {
    to.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(to)
  })
  call.on('error', () => to.destroy())
  to.on('close', () => call.destroy())
  from.pipe(call)
})
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
const product = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`
conformance.after(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await fixtures.close()
})

/**
 * What is no part of this server: it asks its clients for nothing, has neither prompts nor completions nor a log for them, nor the optional
 * tasks, and no tool whose arguments are repeated in headers.
 */
const NOT_OFFERED =
  /^(?:prompts-|tasks-|http-custom-header-|completion-|input-required-result-|elicitation-|logging-|tools-call-(?:logging|sampling|elicitation|with-logging)|resources-(?:un)?subscribe)/
/** Checks of other scenarios that need such features. */
const UNTESTABLE = new Set([
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
  'sep-2549-prompts-list-caching-hints',
])

for (const [where, url, revision, least] of [
  ['with its own tools', fixtures.url, '2026-07-28', 15],
  ['with its own tools', fixtures.url, '2025-11-25', 15],
] as const)
  conformance(`${where}: every scenario passes that ${revision} requires and that concerns tools and resources`, async () => {
    const scenarios = await run(url, ['--requirements', revision])
    const mine = [...scenarios].filter(([name]) => !NOT_OFFERED.test(name))
    assert.equal(failuresOf(mine), [])
    assert.ok(mine.length >= least, `${mine.length} scenarios ran: ${mine.map(([name]) => name).join(', ')}`)
  })

for (const [revision, scenarios] of [
  [
    '2026-07-28',
    [
      'server-stateless',
      'tools-list',
      'resources-list',
      'caching',
      'dns-rebinding-protection',
      'sep-2164-resource-not-found',
      'server-sse-multiple-streams',
      'http-header-validation',
    ],
  ],
  [
    '2025-11-25',
    [
      'server-initialize',
      'ping',
      'tools-list',
      'resources-list',
      'dns-rebinding-protection',
      'server-sse-multiple-streams',
      'server-session-lifecycle',
    ],
  ],
] as const)
  conformance(`the product itself passes what ${revision} requires of every server`, async () => {
    for (const scenario of scenarios) {
      const checks = await run(product, ['--scenario', scenario, '--spec-version', revision])
      assert.is(checks.size, 1, scenario)
      assert.equal(failuresOf([...checks]), [])
    }
  })

type Check = { id: string; status: string; errorMessage?: string }

const failuresOf = (scenarios: readonly (readonly [string, readonly Check[]])[]) =>
  scenarios.flatMap(([name, checks]) =>
    checks.flatMap(({ errorMessage, id, status }) =>
      status === 'FAILURE' && !UNTESTABLE.has(id) ? [`${name}: ${id}: ${errorMessage}`] : [],
    ),
  )

/** Runs the suite; gives the checks of each scenario. */
async function run(url: string, wanted: string[]): Promise<Map<string, Check[]>> {
  const folder = temporaryFolder('seine-conformance-')
  const program = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url))
  await new Promise<void>((resolve) => {
    // It ends with 1 when a check has failed, which is judged here.
    execFile(process.execPath, [program, 'server', '--url', url, ...wanted, '--output-dir', folder], { maxBuffer: 64 * 1024 * 1024 }, () =>
      resolve(),
    )
  })
  return new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('checks.json'))
      .map((file) => [nameOf(file), JSON.parse(readFileSync(join(folder, file), 'utf8')) as Check[]]),
  )
}

/** `server-tools-list-2026-07-28T…/checks.json` to `tools-list`. */
const nameOf = (file: string) =>
  (file.split('/').at(-2) ?? '').replace(/^server-(?=.*-\d{4}-\d\d-\d\dT)/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '')

conformance.run()
