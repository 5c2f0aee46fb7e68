/** What a team's own proxy answers counts for the teams of its owner only, since it cannot be told from an answer of the site. */
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Proxy } from '#backend/crawler/fetch/proxy.ts'
import { createHosts, hostsThrough } from '#backend/crawler/frontier/hosts.ts'
import { createSqliteRunStore } from '#backend/store/sqlite/sqlite-run-store.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import { openMigrated } from '#tests/support/migrated.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { until } from '#tests/support/until.ts'

const proxied = suite('hosts behind a proxy of a team')

/** A proxy that opens no connection to the target, and answers every request itself. */
async function startLyingProxy(answer: RequestListener) {
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    answer(request, response)
  })
  server.on('connect', (_request, socket: Socket) => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    server.emit('connection', socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const proxy: Proxy = { type: 'http', host: '127.0.0.1', port, username: null, password: null, share: 'team' }
  return {
    proxy,
    asked: () => asked,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const withoutRobots =
  (page: RequestListener): RequestListener =>
  (request, response) =>
    request.url === '/robots.txt' ? response.writeHead(404).end() : page(request, response)

/** By what it does; `asked`: so many requests reach it before it has done so. */
const LIES: Record<string, { asked: number; answer: RequestListener }> = {
  'answers 503 with Retry-After': {
    asked: 2,
    answer: withoutRobots((_request, response) => response.writeHead(503, { 'retry-after': '100' }).end()),
  },
  'answers with a Crawl-delay': { asked: 1, answer: (_request, response) => response.end('User-agent: *\nCrawl-delay: 30') },
  'refuses by robots.txt': { asked: 1, answer: (_request, response) => response.end('User-agent: *\nDisallow: /') },
  'does not answer for robots.txt': { asked: 1, answer: () => undefined },
  'does not answer for pages': { asked: 2, answer: withoutRobots(() => undefined) },
}

for (const [lie, { answer, asked }] of Object.entries(LIES))
  proxied(`A21: a proxy of one team that ${lie} does not hold up the crawl of another team`, async () => {
    const site = await startSite({ '/': pageOf('home', ['/a', '/b']), '/a': pageOf('a'), '/b': pageOf('b') })
    const lying = await startLyingProxy(answer)
    const engine = startEngineHarness({
      settings: { hostConcurrency: 1 },
      proxyFor: (team) => ({ proxy: team === 'team' ? lying.proxy : null, notice: null }),
    })
    try {
      await engine.crawl([site.url('/'), site.url('/a')], { teamId: 'team' })
      await engine.until(() => lying.asked() >= asked, 'the proxy has been asked')
      const spider = { page_limit: 3, max_depth: 1 }
      const run = await engine.ended(await engine.crawl(site.url('/'), { teamId: 'other', spider }), 12_000)
      assert.equal([run.status, run.kept], ['finished', 3])
    } finally {
      await engine.close()
      await lying.close()
      await site.close()
    }
  })

// ---- the state of hosts

const KEY = 'http://a.test:80'
const proxyOf = (share: string | null): Proxy => ({ type: 'http', host: 'proxy.test', port: 80, username: null, password: null, share })

function hostsOver(connection = openMigrated(), { isShared = false } = {}) {
  const store = createSqliteRunStore({ connection, kinds: ['crawl'], owner: 'engine', now: () => 1000, newId: () => '' })
  const hosts = createHosts({
    addressOf: () => '192.0.2.1',
    store,
    limits: { concurrency: 1, delayMs: 0 },
    clock: { wall: () => 1000, steady: () => 1000 },
    random: () => 0.5,
    isShared,
    report: (message, cause) => {
      throw new Error(message, { cause })
    },
  })
  return { connection, hosts, store }
}

const WAYS = { direct: null, installation: proxyOf(null), team: proxyOf('team'), other: proxyOf('other') }
const openWays = (hosts: ReturnType<typeof createHosts>) =>
  Object.entries(WAYS).flatMap(([name, proxy]) => {
    const seen = hostsThrough(hosts, proxy)
    return seen.isOpen(seen.get(KEY), 1000) ? [name] : []
  })

async function loadedWays(connection?: Parameters<typeof hostsOver>[0]) {
  const made = hostsOver(connection)
  for (const proxy of Object.values(WAYS)) hostsThrough(made.hosts, proxy).get(KEY)
  await made.hosts.loaded()
  return made
}

proxied('a place at a host, and at its address, is taken for the team of the proxy only', async () => {
  const { hosts } = await loadedWays()
  const ofTeam = hostsThrough(hosts, WAYS.team)
  const host = ofTeam.get(KEY)
  ofTeam.start(host)
  ofTeam.end(host, { kind: 'good', firstByteMs: 1 })
  assert.equal(openWays(hosts), ['direct', 'installation', 'team', 'other'])
  ofTeam.start(host)
  assert.equal(openWays(hosts), ['direct', 'installation', 'other'])
  const namesake = ofTeam.get('http://b.test:80')
  await hosts.loaded()
  ofTeam.start(namesake)
  ofTeam.end(namesake, null)
  assert.not.ok(ofTeam.isOpen(namesake, 1000), 'another name at the same address')
})

proxied('proxies of the installation share their places and pauses with direct requests', async () => {
  const { hosts } = await loadedWays()
  const host = hostsThrough(hosts, WAYS.installation).get(KEY)
  hosts.start(host)
  hosts.end(host, { kind: 'busy', retryAfterMs: 60_000 })
  assert.equal(openWays(hosts), ['team', 'other'])
})

proxied('the pause of a team is kept over a restart, for that team', async () => {
  const { connection, hosts, store } = await loadedWays()
  const host = hostsThrough(hosts, WAYS.team).get(KEY)
  hosts.start(host)
  hosts.end(host, { kind: 'busy', retryAfterMs: 60_000 })
  await store.commit([], hosts.takeChanges())
  const { hosts: later } = await loadedWays(connection)
  assert.equal(openWays(later), ['direct', 'installation', 'other'])
})

proxied('engines that share hosts lease them for each team of a proxy', async () => {
  const { hosts } = hostsOver(undefined, { isShared: true })
  await until(() => openWays(hosts).length === 4)
  const ofTeam = hostsThrough(hosts, WAYS.team)
  ofTeam.start(ofTeam.get(KEY))
  assert.equal(openWays(hosts), ['direct', 'installation', 'other'])
  ofTeam.end(ofTeam.get(KEY), null)
  await hosts.close()
})

proxied.run()
