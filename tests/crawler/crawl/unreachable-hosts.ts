/** Unreachable hosts: the reason is reported, at once if it is permanent, and the feed says what the crawl waits for. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createEgress } from '#backend/crawler/fetch/egress.ts'
import { robotsFetch } from '#backend/crawler/robots/fetch-robots.ts'
import { httpFetcher } from '#backend/crawler/fetch/http-fetcher.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import { startSite } from '#tests/support/sites/site.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const unreachable = suite('unreachable hosts')

const engine = startEngineHarness()
const folder = temporaryFolder('seine-tls-')
const servers: Server[] = []
const sockets = new Set<Socket>()

unreachable.after(async () => {
  await engine.close()
  for (const socket of sockets) socket.destroy()
  for (const server of servers) server.close()
})

async function listening(server: Server): Promise<number> {
  servers.push(server)
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return (server.address() as AddressInfo).port
}

/** A TLS server whose certificate is its own authority. */
async function tlsServer(): Promise<number> {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const make = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -keyout ${key} -out ${cert}`
  execFileSync('openssl', make.split(' '), { stdio: 'ignore' })
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => socket.end())
  return listening(server.on('tlsClientError', () => undefined))
}

async function crawled(url: string, maxMs: number) {
  const from = performance.now()
  const run = await engine.crawl(url)
  const { status } = await engine.ended(run, maxMs)
  const tookMs = performance.now() - from
  const [row] = engine.rows<{ outcome: string; detail: string }>('SELECT outcome, detail FROM run_url WHERE run_no = ?', run)
  assert.equal(engine.faults(run), [])
  return { ...row, status, feed: feedOf(run), tookMs }
}

function feedOf(run: number): string[] {
  const rows = engine.rows<{ messages: string }>('SELECT messages FROM run_feed WHERE run_no = ? ORDER BY first_seq', run)
  return rows.flatMap(({ messages }) => (JSON.parse(messages) as { message: string }[]).map(({ message }) => message))
}

unreachable('H5: a URL whose TLS handshake is refused ends at once, with that reason', async () => {
  const self = await tlsServer()
  const { detail, feed, outcome, status } = await crawled(`https://127.0.0.1:${self}/`, 10_000)
  assert.equal([status, outcome, detail], ['failed', 'tls', 'self-signed certificate'])
  assert.ok(
    feed.some((line) => line.endsWith('no secure connection (self-signed certificate)')),
    feed.join('\n'),
  )
})

unreachable('H5: plain HTTP on a TLS port and an interrupted handshake are TLS failures', async () => {
  const plain = await listening(createServer((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')))
  const spoken = await crawled(`https://127.0.0.1:${plain}/`, 10_000)
  assert.equal([spoken.outcome, spoken.detail], ['tls', 'no TLS on this port'])
  const cut = await listening(createServer((socket) => void socket.once('data', () => socket.resetAndDestroy())))
  const reset = await crawled(`https://127.0.0.1:${cut}/`, 10_000)
  assert.equal([reset.outcome, reset.detail], ['tls', 'connection reset in the handshake'])
})

unreachable('H5: a URL at a port where nothing listens ends as refused, after one retry', async () => {
  const closed = createServer()
  const port = await listening(closed)
  await new Promise((resolve) => closed.close(resolve))
  const { detail, feed, outcome, status } = await crawled(`http://127.0.0.1:${port}/`, 10_000)
  assert.equal([status, outcome, detail], ['failed', 'connect', 'refused'])
  assert.ok(
    feed.some((line) => line.endsWith('no connection (refused)')),
    feed.join('\n'),
  )
})

unreachable('a host that refuses connections ends the crawl, however long the pause between its requests is', async () => {
  const closed = createServer()
  const port = await listening(closed)
  await new Promise((resolve) => closed.close(resolve))
  const from = Date.now()
  // A fast clock, so that the pauses do not take their time.
  const slow = startEngineHarness({ settings: { hostDelayMs: 1500 }, now: () => from + (Date.now() - from) * 20 })
  try {
    const run = await slow.crawl(`http://127.0.0.1:${port}/`)
    assert.is((await slow.ended(run, 10_000)).status, 'failed')
    const rows = slow.rows<{ outcome: string; detail: string }>('SELECT outcome, detail FROM run_url WHERE run_no = ?', run)
    assert.equal(rows, [{ outcome: 'connect', detail: 'refused' }])
  } finally {
    await slow.close()
  }
})

unreachable('H5: a host that does not answer robots.txt is reported as silent, and a robots.txt that stops midway is not', async () => {
  const silent = await listening(createServer(() => undefined))
  const stopping = await listening(createServer((socket) => void socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\nUser-'))))
  const egress = createEgress({ allow: '127.0.0.1', resolver: null, userAgent: 'x' })
  const fetcher = httpFetcher({ egress })
  const ask = robotsFetch({ fetcher, timeoutMs: 300 })
  try {
    const nothing = await ask(`http://127.0.0.1:${silent}/robots.txt`)
    assert.equal([nothing.kind === 'failure' && nothing.reason, nothing.kind === 'failure' && nothing.isSilent], ['timeout', true])
    const some = await ask(`http://127.0.0.1:${stopping}/robots.txt`)
    assert.equal([some.kind === 'failure' && some.reason, some.kind === 'failure' && some.isSilent], ['timeout', false])
  } finally {
    await fetcher.close()
    await egress.close()
  }
})

unreachable('H5, O14: while robots.txt cannot be fetched the feed says so, why, and until when', async () => {
  const site = await startSite({ '/robots.txt': { status: 503, body: 'later' }, '/': { body: '<p>hello' } })
  try {
    const run = await engine.crawl(site.url('/'))
    await engine.until(() => feedOf(run).some((line) => line.includes('robots.txt')), 'a line about robots.txt')
    const line = feedOf(run).find((each) => each.includes('robots.txt'))!
    assert.match(
      line,
      /^The robots\.txt of http:\/\/\S+ cannot be fetched \(HTTP 503\): its pages wait until \d\d:\d\d:\d\d UTC, when it is fetched again$/,
    )
  } finally {
    await site.close()
  }
})

unreachable.run()
