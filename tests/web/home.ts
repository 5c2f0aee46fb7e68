import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { foundText, newestJobs } from '#web/runs/logs/jobs.ts'
import type { Job } from '#web/runs/logs/jobs.ts'
import { mcpApplications, mcpConnection, serverName } from '#web/home/mcp-applications.ts'
import { resources } from '#web/home/resource-links.ts'
import { welcomeLine } from '#web/home/welcome-line.ts'
import { keyHref, keyPlace } from '#web/team/teams/key-place.ts'
import { maskedKey } from '#web/team/teams/masked-key.ts'

const welcome = suite('the sentence under the welcome')

const NOTHING = 'Crawl websites, search them, and read their pages as clean text.'
const SENTENCES: readonly [running: number, yesterday: number | null, expected: string][] = [
  [0, null, NOTHING],
  [0, 0, NOTHING],
  [1, null, 'One job is running.'],
  [3, 0, '3 jobs are running.'],
  [0, 1, 'One new page yesterday.'],
  [0, 1204, '1,204 new pages yesterday.'],
  [2, 312, '2 jobs are running; 312 new pages yesterday.'],
]
for (const [running, yesterday, expected] of SENTENCES)
  welcome(`the sentence is right for ${running} running and ${yesterday} yesterday`, () =>
    assert.is(welcomeLine(running, yesterday), expected),
  )

const links = suite('links to help')

const names = (places: readonly { name: string }[]) => places.map(({ name }) => name)

links('entries without a URL are omitted', () => {
  const { cards, quick } = resources({ guideUrl: '', repository: '', supportEmail: '' })
  assert.equal(names(cards), ['reference'])
  assert.equal(quick, [])
})

links('all entries with a URL are listed', () => {
  const { cards, quick } = resources({ guideUrl: 'https://guide.example/', repository: 'owner/net', supportEmail: 'help@net.example' })
  assert.equal(names(cards), ['reference', 'guides', 'examples', 'discussions', 'bugs'])
  assert.equal(names(quick), ['documentation', 'repository', 'support'])
  const hrefs = Object.fromEntries([...cards, ...quick].map(({ name, href }) => [name, href]))
  assert.is(hrefs['reference'], '/dashboard/api-reference')
  assert.is(hrefs['bugs'], 'https://github.com/owner/net/issues')
  assert.is(hrefs['support'], 'mailto:help@net.example')
  assert.equal(names(cards.filter(({ external }) => !external)), ['reference'])
})

const mcp = suite('MCP configuration of applications')

const STREAMS: readonly [server: string, key: string, expected: string][] = [
  ['/mcp/sse', 'k', 'https://net.example/mcp/sse?apikey=k'],
  ['https://mcp.example/sse', 'k', 'https://mcp.example/sse?apikey=k'],
  ['https://mcp.example/sse?v=2', 'k', 'https://mcp.example/sse?v=2&apikey=k'],
]
for (const [server, key, expected] of STREAMS)
  mcp(`the URL of the event stream of ${server} is right`, () =>
    assert.equal(mcpConnection(server, 'https://net.example', key), { type: 'sse', url: expected }),
  )

mcp('the product name becomes a name without spaces', () => {
  assert.equal(['Seine', 'Blue Net', ' Größe! ', '網'].map(serverName), ['seine', 'blue-net', 'gr-e', 'seine'])
})

const URL_OF = 'https://mcp.example/sse?apikey=sei-1&v=ü'

mcp('each of six applications has its configuration format', () => {
  const all = mcpApplications('net', { type: 'sse', url: URL_OF })
  assert.equal(
    all.map(({ name }) => name),
    ['General', 'Windsurf', 'Cursor', 'VS Code', 'Claude Desktop', 'Claude Code'],
  )
  for (const { name, blocks, explains, guide } of all) {
    assert.ok(blocks.length > 0 && explains.length > 0, name)
    assert.match(guide, /^https:/, name)
    for (const { code, language } of blocks) {
      assert.ok(code.includes(URL_OF), name)
      if (language === 'json') assert.ok(JSON.parse(code), name)
    }
  }
  assert.equal(
    all[0]?.blocks.map(({ label }) => label),
    ['Command configuration', 'Event stream'],
  )
  assert.equal(
    all.filter(({ add }) => add).map(({ id }) => id),
    ['cursor', 'vscode'],
  )
})

mcp('a server of Streamable HTTP takes the key in a header, which every configuration has', () => {
  const connection = mcpConnection('/mcp', 'https://net.example/base', 'sei-1')
  assert.equal(connection, { type: 'http', url: 'https://net.example/base/mcp', headers: { Authorization: 'Bearer sei-1' } })
  const all = mcpApplications('net', connection)
  for (const { add, blocks, name } of all) {
    for (const { code } of blocks) assert.ok(code.includes('https://net.example/base/mcp') && code.includes('Bearer sei-1'), name)
    assert.not.match(JSON.stringify(blocks), /apikey|sse/, name)
    if (add?.href.startsWith('vscode'))
      assert.equal(JSON.parse(decodeURIComponent(new URL(add.href).search.slice(1))), { name: 'net', ...connection })
  }
  assert.equal(
    all[0]?.blocks.map(({ label }) => label),
    ['Configuration', 'Command configuration'],
  )
  assert.is(
    all.at(-1)?.blocks[0]?.code,
    "claude mcp add --transport http net 'https://net.example/base/mcp' --header 'Authorization: Bearer sei-1'",
  )
})

mcp('the command is allowed to use plain HTTP where the server has no other: on another machine', () => {
  const allows = (url: string) =>
    mcpApplications('net', mcpConnection('/mcp', url, 'sei-1')).map(({ blocks }) =>
      blocks.some(({ code }) => code.includes('--allow-http')),
    )
  assert.equal(allows('http://192.168.1.7:3000'), [true, false, false, false, true, false])
  for (const url of ['https://net.example', 'http://127.0.0.1:3000', 'http://localhost:3000']) assert.not(allows(url).includes(true), url)
})

mcp('a link that adds the server contains the configuration in the application’s encoding', () => {
  const [cursor, vscode] = mcpApplications('net', { type: 'sse', url: URL_OF }).flatMap(({ add }) => (add ? [new URL(add.href)] : []))
  const encoded = cursor?.searchParams.get('config') ?? ''
  assert.equal(JSON.parse(Buffer.from(encoded, 'base64').toString()), { url: URL_OF })
  assert.is(cursor?.searchParams.get('name'), 'net')
  assert.equal(JSON.parse(decodeURIComponent(vscode?.search.slice(1) ?? '')), { name: 'net', type: 'sse', url: URL_OF })
})

mcp('a shell reads the URL as one word', () => {
  const code = mcpApplications('net', { type: 'sse', url: "https://a.example/?x='&y=1" }).at(-1)?.blocks[0]?.code
  assert.is(code, String.raw`claude mcp add --transport sse net 'https://a.example/?x='\''&y=1'`)
})

const keys = suite('the place of a key')

const PLACES: readonly [index: number, href: string][] = [
  [0, '/dashboard/api-keys?key=k'],
  [9, '/dashboard/api-keys?key=k'],
  [10, '/dashboard/api-keys?page=2&key=k'],
  [25, '/dashboard/api-keys?page=3&key=k'],
]
for (const [index, href] of PLACES)
  keys(`key number ${index} of the list has its page in the link`, () => {
    assert.is(keyHref('k', index), href)
    assert.equal(keyPlace(href.slice(href.indexOf('?'))), { page: Math.floor(index / 10) + 1, keyId: 'k' })
  })

keys('a URL without a page means the first page', () => {
  assert.equal(keyPlace(''), { page: 1, keyId: null })
  assert.equal(keyPlace('?page=-3'), { page: 1, keyId: null })
})

const MASKS: readonly [key: string, first: number, last: number, expected: string][] = [
  ['sei-abcdefghijklmnop', 4, 5, 'sei-••••••••lmnop'],
  ['sei-abcdefghijklmnop', 8, 8, 'sei-abcd••••••••ijklmnop'],
  ['short', 4, 5, '•'.repeat(16)],
]
for (const [key, first, last, expected] of MASKS) keys(`${key} is shown masked`, () => assert.is(maskedKey(key, first, last), expected))

const jobs = suite('jobs of every kind')

const job = (id: string, createdAt: string): Job => ({
  id,
  kind: 'crawl',
  name: id,
  href: '',
  status: 'finished',
  createdAt,
  found: 0,
  most: null,
})

jobs('jobs of several lists are merged, newest first', () => {
  const lists = [[job('b', '2026-03-04T09:00:02.000001Z'), job('d', '2026-03-04T09:00:00Z')], [job('c', '2026-03-04T09:00:01Z')], []]
  assert.equal(
    newestJobs([...lists, [job('a', '2026-03-05T00:00:00Z')]], 3).map(({ id }) => id),
    ['a', 'b', 'c'],
  )
})

const FOUND: readonly [Pick<Job, 'found' | 'kind' | 'status'>, string][] = [
  [{ kind: 'crawl', status: 'new', found: 0 }, 'Waiting to begin'],
  [{ kind: 'crawl', status: 'running', found: 1 }, '1 page so far'],
  [{ kind: 'crawl', status: 'canceling', found: 1204 }, '1,204 pages so far'],
  [{ kind: 'search', status: 'finished', found: 10 }, '10 results'],
  [{ kind: 'sitemap', status: 'failed', found: 0 }, '0 URLs'],
]
for (const [given, expected] of FOUND) jobs(expected, () => assert.is(foundText(given), expected))

for (const one of [welcome, links, mcp, keys, jobs]) one.run()
