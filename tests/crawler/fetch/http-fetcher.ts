import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readRetryAfter } from '#backend/crawler/fetch/answer-headers.ts'
import { createCookieJar } from '#backend/crawler/fetch/cookie-jar.ts'
import { createEgress } from '#backend/crawler/fetch/egress.ts'
import type { ExchangeLimits } from '#backend/crawler/fetch/exchange.ts'
import type { FetchFailure, FetchOutcome, FetchRequest, Fetched, Redirected } from '#backend/crawler/fetch/fetcher.ts'
import { httpFetcher } from '#backend/crawler/fetch/http-fetcher.ts'

const http = suite('the HTTP fetcher')

type Site = {
  url: (path: string) => string
  requests: IncomingMessage[]
  fetch: (path: string, changes?: Partial<FetchRequest>) => Promise<FetchOutcome>
}

/** A small site on loopback and a fetcher that may reach it and nothing else. */
async function withSite(
  listener: RequestListener,
  test: (site: Site) => Promise<void>,
  limits: Partial<ExchangeLimits> = {},
): Promise<void> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    await withFetcher(
      `127.0.0.1:${port}`,
      (fetch) =>
        test({
          url: (path) => `http://127.0.0.1:${port}${path}`,
          requests,
          fetch: (path, changes) => fetch(`http://127.0.0.1:${port}${path}`, changes),
        }),
      limits,
    )
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

async function withFetcher(
  allow: string,
  test: (fetch: (url: string, changes?: Partial<FetchRequest>) => Promise<FetchOutcome>) => Promise<void>,
  limits: Partial<ExchangeLimits> = {},
): Promise<void> {
  const egress = createEgress({ allow, connectTimeoutMs: 500, resolver: null, userAgent: 'SeineBot/0.1 (+http://example.com)' })
  const fetcher = httpFetcher({ egress, limits })
  const { signal } = new AbortController()
  try {
    await test((url, changes) => fetcher.fetch({ url, headers: {}, timeoutMs: 5000, maxBytes: 100_000, signal, ...changes }))
  } finally {
    await fetcher.close()
    await egress.close()
  }
}

const fetched = (outcome: FetchOutcome): Fetched => {
  assert.is(outcome.kind, 'fetched', JSON.stringify(outcome))
  return outcome as Fetched
}
const failed = (outcome: FetchOutcome): FetchFailure => {
  assert.is(outcome.kind, 'failure', JSON.stringify({ ...outcome, body: undefined }))
  return outcome as FetchFailure
}
const text = (outcome: FetchOutcome): string => Buffer.from(fetched(outcome).body).toString()
const html = (response: ServerResponse, body: string): void => {
  response.writeHead(200, { 'content-type': 'text/html' })
  response.end(body)
}
const go = (response: ServerResponse, location: string, headers: Record<string, string | string[]> = {}): void => {
  response.writeHead(302, { location, ...headers })
  response.end('moved')
}

http('a fetch returns a page with its headers', () =>
  withSite(
    (_request, response) => {
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-encoding': 'GZIP',
        'cache-control': 'max-age=5',
        'retry-after': '7',
      })
      response.end('body')
    },
    async ({ fetch, requests, url }) => {
      const page = fetched(await fetch('/a?b=c'))
      assert.is(page.url, url('/a?b=c'))
      assert.is(page.status, 200)
      assert.equal(page.headers, {
        contentType: 'text/html; charset=utf-8',
        contentEncoding: 'gzip',
        cacheControl: 'max-age=5',
        retryAfterMs: 7000,
      })
      assert.is(text(page), 'body')
      assert.equal(page.hops, [])
      assert.not.ok(page.truncated)
      assert.ok(page.tookMs >= page.firstByteMs)
      assert.is(requests[0]!.url, '/a?b=c')
      assert.is(requests[0]!.method, 'GET')
      assert.is(requests[0]!.headers['user-agent'], 'SeineBot/0.1 (+http://example.com)')
      assert.is(requests[0]!.headers['accept-encoding'], 'gzip, deflate, br')
      assert.match(String(requests[0]!.headers.accept), /^text\/html/)
    },
  ),
)

http('of several media types the last one counts that can be read', async () => {
  for (const [types, expected] of [
    [['text/plain', 'text/html; charset=utf-8'], 'text/html; charset=utf-8'],
    [['text/html; charset=koi8-r', 'text/html'], 'text/html; charset=koi8-r'],
    [['text/html', '*/*', 'html'], 'text/html'],
    [['html', 'text/html'], 'text/html'],
    [['text/plain, text/html; charset=utf-8'], 'text/html; charset=utf-8'],
    [['text/html; title="a, b/c", */*'], 'text/html; title="a, b/c"'],
  ] as const)
    await withTcp(
      (socket) =>
        socket.once('data', () =>
          socket.end(`HTTP/1.1 200 OK\r\n${types.map((type) => `Content-Type: ${type}\r\n`).join('')}Content-Length: 2\r\n\r\nok`),
        ),
      (url) =>
        withFetcher(`127.0.0.1:${new URL(url).port}`, async (fetch) => assert.is(fetched(await fetch(url)).headers.contentType, expected)),
    )
})

http('the body of a page can be transferred to another thread', () =>
  withSite(
    (_request, response) => html(response, 'x'.repeat(50_000)),
    async ({ fetch }) => {
      const { body } = fetched(await fetch('/'))
      assert.is(body.byteLength, 50_000)
      assert.is(body.buffer.byteLength, 50_000, 'an ArrayBuffer of its own')
      structuredClone(body, { transfer: [body.buffer] })
      assert.is(body.byteLength, 0)
    },
  ),
)

http('an answer with any status is returned', () =>
  withSite(
    (request, response) => {
      response.writeHead(Number(request.url!.slice(1)))
      response.end()
    },
    async ({ fetch }) => {
      for (const status of [204, 304, 300, 404, 429, 500, 503]) assert.is(fetched(await fetch(`/${status}`)).status, status)
    },
  ),
)

http('a fetch sends the headers of a page’s options, except those of the connection', () =>
  withSite(
    (_request, response) => html(response, ''),
    async ({ fetch, requests, url }) => {
      await fetch('/', {
        headers: {
          'X-Own': 'a',
          Accept: 'text/plain',
          Host: 'evil.test',
          Connection: 'close',
          'Content-Length': '5',
          'Accept-Encoding': 'zstd',
        },
      })
      const { headers } = requests[0]!
      assert.is(headers['x-own'], 'a')
      assert.is(headers.accept, 'text/plain')
      assert.is(headers.host, new URL(url('/')).host)
      assert.is(headers['accept-encoding'], 'gzip, deflate, br')
      assert.is(headers['content-length'], undefined)
    },
  ),
)

http('a header with a line break is refused, not sent', () =>
  withSite(
    (_request, response) => html(response, ''),
    async ({ fetch, requests }) => {
      assert.is(failed(await fetch('/', { headers: { 'x-a': 'b\r\nx-c: d' } })).reason, 'protocol')
      assert.is(requests.length, 0)
    },
  ),
)

http('redirects inside a host are followed, and beforeHop is called before each hop', () =>
  withSite(
    (request, response) => (request.url === '/end/' ? html(response, 'there') : go(response, request.url === '/a' ? 'b?x#frag' : 'end/./')),
    async ({ fetch, url }) => {
      const asked: string[] = []
      const page = fetched(await fetch('/a', { beforeHop: async (hop) => (asked.push(hop), 'go') }))
      assert.is(text(page), 'there')
      assert.is(page.url, url('/end/'))
      assert.equal(page.hops, [url('/a'), url('/b?x')])
      assert.equal(asked, [url('/b?x'), url('/end/')])
    },
  ),
)

http('a hop that beforeHop refuses is not followed', () =>
  withSite(
    (_request, response) => go(response, '/secret'),
    async ({ fetch, requests }) => {
      assert.is(failed(await fetch('/a', { beforeHop: async () => 'robots' })).reason, 'robots')
      assert.is(requests.length, 1)
    },
  ),
)

http('a redirect to another host is returned and not followed', () =>
  withSite(
    (_request, response) => go(response, 'HTTPS://Example.com:443/x/../y?utm_source=z#f'),
    async ({ fetch, url }) => {
      const outcome = await fetch('/a', { headers: { Authorization: 'secret' } })
      assert.is(outcome.kind, 'redirected')
      if (outcome.kind !== 'redirected') return
      assert.is(outcome.to, 'https://example.com/y')
      assert.is(outcome.status, 302)
      assert.equal(outcome.hops, [url('/a')])
    },
  ),
)

http('a redirect whose body does not end is followed within two seconds', () =>
  withSite(
    (request, response) => {
      if (request.url === '/b') return html(response, 'there')
      response.writeHead(302, { location: '/b', 'content-length': '50' })
      response.write('moved')
    },
    async ({ fetch }) => assert.is(text(await fetch('/a', { timeoutMs: 2000 })), 'there'),
  ),
)

http('another port of the same host is another host', async () => {
  await withSite(
    (_request, response) => html(response, 'other'),
    (other) =>
      withSite(
        (_request, response) => go(response, other.url('/x')),
        async ({ fetch }) => {
          assert.is((await fetch('/')).kind, 'redirected')
          assert.is(other.requests.length, 0)
        },
      ),
  )
})

const REDIRECTS: [location: string, reason: string, why: string][] = [
  ['/loop', 'redirect_loop', 'to itself'],
  ['javascript:alert(1)', 'bad_redirect', 'to a javascript: URL'],
  ['file:///etc/passwd', 'bad_redirect', 'to a file: URL'],
  ['http://[::1', 'bad_redirect', 'to an invalid URL'],
]
for (const [location, reason, why] of REDIRECTS) {
  http(`a redirect ${why} is ${reason}`, () =>
    withSite(
      (_request, response) => go(response, location),
      async ({ fetch, requests }) => {
        const outcome = failed(await fetch('/loop'))
        assert.is(outcome.reason, reason)
        assert.is(outcome.status, 302)
        assert.is(requests.length, 1)
      },
    ),
  )
}

http('ten redirects are followed, and an eleventh is one too many', () =>
  withSite(
    (request, response) => {
      const left = Number(request.url!.slice(1))
      if (left === 0) html(response, 'there')
      else go(response, `/${left - 1}`)
    },
    async ({ fetch, requests }) => {
      assert.is(text(await fetch('/10')), 'there')
      requests.length = 0
      assert.is(failed(await fetch('/11')).reason, 'redirect_limit')
      assert.is(requests.length, 11)
    },
  ),
)

http('other 3xx statuses and redirects without a Location are plain answers', () =>
  withSite(
    (request, response) => {
      response.writeHead(Number(request.url!.slice(1)), request.url === '/304' ? { location: '/x' } : {})
      response.end()
    },
    async ({ fetch, requests }) => {
      for (const status of [302, 304]) assert.is(fetched(await fetch(`/${status}`)).status, status)
      assert.is(requests.length, 2)
    },
  ),
)

http('cookies are kept for the hops of one fetch, and then forgotten', () =>
  withSite(
    (request, response) => {
      if (/wall=1/.test(request.headers.cookie ?? '')) html(response, `in with ${request.headers.cookie}`)
      else go(response, request.url!, { 'set-cookie': ['wall=1; Path=/', 'deep=2; Path=/other', '=3', 'gone=4; Max-Age=0'] })
    },
    async ({ fetch, requests }) => {
      assert.is(text(await fetch('/', { headers: { cookie: 'own=0' } })), 'in with own=0; wall=1; 3')
      requests.length = 0
      await fetch('/')
      assert.is(requests[0]!.headers.cookie, undefined)
    },
  ),
)

http('a site deletes a cookie by Max-Age or by a date that has passed, and Max-Age counts first', () =>
  withSite(
    (request, response) => {
      const [past, future] = ['Thu, 01-Jan-1970 00:00:00 GMT', 'Thu, 01 Jan 2099 00:00:00 GMT']
      if (request.url === '/')
        go(response, '/b', { 'set-cookie': ['a=1', 'b=2', 'c=3', `d=4; Expires=${future}`, 'e=6; Max-Age=0; Max-Age=9'] })
      else if (request.url === '/b')
        go(response, '/c', { 'set-cookie': [`a=; Expires=${past}`, 'b=; Max-Age=00', `c=5; Max-Age=9; Expires=${past}`] })
      else html(response, request.headers.cookie ?? '')
    },
    async ({ fetch }) => assert.is(text(await fetch('/')), 'd=4; e=6; c=5'),
  ),
)

http('a redirect to another host has a trail, with which the cookies return to their own hosts', () =>
  withSite(
    (request, response) => {
      const { cookie = '' } = request.headers
      if (request.url === '/set')
        go(response, 'http://127.0.0.1:1/', { 'set-cookie': ['own=1', 'far=2; Domain=example.com', 'sub=3; Domain=.127.0.0.1'] })
      else html(response, cookie)
    },
    async ({ fetch }) => {
      const away = await fetch('/set')
      assert.is(away.kind, 'redirected')
      const { trail } = away as Redirected
      assert.is(trail?.cookieFor('http://127.0.0.1:1/'), 'own=1; sub=3')
      assert.is(trail?.cookieFor('http://127.0.0.2:1/'), '')
      for (const time of ['first', 'second']) assert.is(text(await fetch('/page', { trail })), 'own=1; sub=3', `${time} fetch`)
    },
  ),
)

const DOMAINS: [setCookie: string, url: string, isSent: boolean][] = [
  ['a=1', 'https://www.example.com/', true],
  ['a=1', 'https://sso.example.com/', false],
  ['a=1; Domain=example.com', 'https://sso.example.com/', true],
  ['a=1; Domain=.Example.com', 'https://example.com/', true],
  ['a=1; Domain=example.com', 'https://badexample.com/', false],
  ['a=1; Domain=sso.example.com', 'https://sso.example.com/', false],
  ['a=1; Domain=com', 'https://example.com/', false],
  ['a=1; Secure', 'http://www.example.com/', false],
  ['a=1', 'http://www.example.com:8080/', true],
]
for (const [setCookie, url, isSent] of DOMAINS)
  http(`a cookie "${setCookie}" of https://www.example.com is ${isSent ? '' : 'not '}sent to ${url}`, () => {
    const jar = createCookieJar()
    jar.keep(setCookie, 'https://www.example.com/x')
    assert.is(jar.header(url), isSent ? 'a=1' : '')
  })

http('a cookie may have no name, and bytes beyond ASCII, which go back as they came (RFC 6265bis, 5.6)', () =>
  withTcp(
    (socket) =>
      socket.once('data', (request) => {
        const cookie = /^cookie: (.*?)\r$/im.exec(request.toString('latin1'))?.[1]
        const set = ['token', '=other', 'city=Zl\u00c3\u00adn', '=', 'bad=a\x01b'].map((pair) => `Set-Cookie: ${pair}; Path=/\r\n`).join('')
        const head = cookie === undefined ? `302 Found\r\nLocation: /\r\n${set}` : '200 OK\r\n'
        const body = cookie ?? ''
        socket.end(Buffer.from(`HTTP/1.1 ${head}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`, 'latin1'))
      }),
    (url) =>
      withFetcher(`127.0.0.1:${new URL(url).port}`, async (fetch) => {
        assert.is(text(await fetch(url)), 'other; city=Zlín; bad=a b')
      }),
  ),
)

http('a cookie for a domain that many owners share is not kept', () => {
  const jar = createCookieJar()
  jar.keep('a=1; Domain=co.uk', 'https://one.co.uk/')
  jar.keep('b=1; Domain=github.io', 'https://one.github.io/')
  jar.keep('c=1; Domain=corp.internal', 'https://one.corp.internal/')
  jar.keep('d=1; Domain=github.io', 'https://github.io/')
  assert.equal(
    ['https://two.co.uk/', 'https://two.github.io/', 'https://two.corp.internal/', 'https://github.io/'].map((url) => jar.header(url)),
    ['', '', 'c=1', 'd=1'],
  )
})

http('a site cannot fill the memory with cookies: of many long ones, the last are kept', () => {
  const jar = createCookieJar()
  for (let no = 0; no < 50; no += 1) jar.keep(`n${no}=1; Path=/${no}; Comment=${'x'.repeat(4000)}`, 'https://example.com/')
  const kept = Array.from({ length: 50 }, (_, no) => jar.header(`https://example.com/${no}`)).filter((cookie) => cookie !== '')
  assert.equal(kept, ['n46=1', 'n47=1', 'n48=1', 'n49=1'])
})

http('a cookie of a longer path goes first', () =>
  withSite(
    (request, response) => {
      if (request.url === '/') go(response, '/x/y', { 'set-cookie': ['a=root; Path=/', 'a=deep; Path=/x', 'a=other; Path=/xy'] })
      else html(response, request.headers.cookie ?? '')
    },
    async ({ fetch }) => assert.is(text(await fetch('/')), 'a=deep; a=root'),
  ),
)

http('bytes of a Location that are not UTF-8 go back as they came', () =>
  withTcp(
    (socket) =>
      socket.once('data', (request) =>
        socket.end(
          request.includes('GET /caf%E9 ')
            ? OK
            : Buffer.from('HTTP/1.1 302 Found\r\nLocation: /caf\xe9\r\nContent-Length: 0\r\nConnection: close\r\n\r\n', 'latin1'),
        ),
      ),
    (url) =>
      withFetcher(`127.0.0.1:${new URL(url).port}`, async (fetch) => {
        assert.is(fetched(await fetch(url)).url, new URL('/caf%E9', url).href)
      }),
  ),
)

http('204 and 304 end with their head, also when they declare a length', () =>
  withTcp(
    (socket) => socket.once('data', () => socket.end('HTTP/1.1 304 Not Modified\r\nContent-Length: 5000\r\nETag: "a"\r\n\r\n')),
    (url) =>
      withFetcher(`127.0.0.1:${new URL(url).port}`, async (fetch) => {
        const { body, headers, status, truncated } = fetched(await fetch(url))
        assert.equal([status, headers.etag, body.length, truncated], [304, '"a"', 0, false])
      }),
  ),
)

http('a redirect that repeats although its cookies are sent back is a loop', () =>
  withSite(
    (_request, response) => go(response, '/', { 'set-cookie': 'a=1' }),
    async ({ fetch, requests }) => {
      assert.is(failed(await fetch('/')).reason, 'redirect_loop')
      assert.is(requests.length, 2)
    },
  ),
)

http('a body that declares too large a size is refused without being read', () =>
  withSite(
    (_request, response) => {
      response.writeHead(200, { 'content-length': 100_001 })
      response.write('x')
    },
    async ({ fetch }) => assert.is(failed(await fetch('/')).reason, 'too_large'),
  ),
)

const endless: RequestListener = (_request, response) => {
  response.writeHead(200)
  const more = (): void => {
    while (!response.destroyed && response.write('x'.repeat(10_000)));
  }
  response.on('drain', more)
  more()
}
http('reading stops at the limit', () =>
  withSite(endless, async ({ fetch }) => {
    assert.is(failed(await fetch('/')).reason, 'too_large')
    const cut = fetched(await fetch('/', { overflow: 'cut' }))
    assert.is(cut.body.length, 100_000)
    assert.ok(cut.truncated)
  }),
)

http('a body of exactly the limit is accepted', () =>
  withSite(
    (request, response) => {
      if (request.url === '/chunked') response.write('x')
      else response.setHeader('content-length', 100_000)
      response.end('x'.repeat(request.url === '/chunked' ? 99_999 : 100_000))
    },
    async ({ fetch }) => {
      assert.is(fetched(await fetch('/')).body.length, 100_000)
      assert.is(fetched(await fetch('/chunked')).body.length, 100_000)
    },
  ),
)

http('reading stops when the body is not wanted', () =>
  withSite(
    (request, response) => {
      response.setHeader('content-type', 'audio/mpeg')
      endless(request, response)
    },
    async ({ fetch }) => {
      const left = fetched(await fetch('/', { skipBody: (type) => type === 'audio/mpeg' }))
      assert.is(left.body.length, 0)
      assert.ok(left.truncated)
    },
  ),
)

const SLOW: [why: string, listener: RequestListener, changes: Partial<FetchRequest>, limits: Partial<ExchangeLimits>][] = [
  ['a server that sends no response head', () => {}, {}, { firstByteMs: 100 }],
  ['a server that stops in the middle of the body', (_request, response) => void response.write('x'), {}, { idleMs: 100 }],
  ['a fetch that exceeds its total timeout', () => {}, { timeoutMs: 100 }, {}],
  [
    'a server that sends the body too slowly',
    (_request, response) => {
      const timer = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(timer))
    },
    {},
    { slowMs: 200 },
  ],
]
for (const [why, listener, changes, limits] of SLOW) {
  http(`a fetch is given up after ${why}`, () =>
    withSite(listener, async ({ fetch }) => assert.is(failed(await fetch('/', changes)).reason, 'timeout'), limits),
  )
}

http('a canceled fetch ends, whether it is in progress or has not begun', () =>
  withSite(
    () => {},
    async ({ fetch, requests }) => {
      const abort = new AbortController()
      const pending = fetch('/', { signal: abort.signal })
      abort.abort()
      assert.is(failed(await pending).reason, 'canceled')
      const before = requests.length
      assert.is(failed(await fetch('/', { signal: abort.signal })).reason, 'canceled')
      assert.is(requests.length, before)
    },
  ),
)

http('closing the fetcher ends the fetches in progress', async () => {
  const server = createServer(() => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const egress = createEgress({ allow: `127.0.0.1:${port}`, resolver: null, userAgent: 'x' })
  const fetcher = httpFetcher({ egress })
  const request: FetchRequest = {
    url: `http://127.0.0.1:${port}/`,
    headers: {},
    timeoutMs: 5000,
    maxBytes: 1,
    signal: new AbortController().signal,
  }
  const pending = fetcher.fetch(request)
  await new Promise((resolve) => server.once('request', resolve))
  await fetcher.close()
  assert.is(failed(await pending).reason, 'canceled')
  assert.is(failed(await fetcher.fetch(request)).reason, 'canceled')
  await egress.close()
  server.closeAllConnections()
  server.close()
})

/** A raw TCP server: its behaviour for each connection, by number. */
async function withTcp(
  onConnection: (socket: Socket, number: number) => void,
  test: (url: string, connections: () => number) => Promise<void>,
): Promise<void> {
  let count = 0
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    count += 1
    sockets.add(socket)
    socket.on('error', () => {})
    onConnection(socket, count)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    await test(`http://127.0.0.1:${port}/`, () => count)
  } finally {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

for (const [how, end] of [
  ['closed', (socket: Socket) => socket.end()],
  ['reset', (socket: Socket) => socket.resetAndDestroy()],
] as const) {
  http(`a request is retried when its kept-alive connection is ${how} as the request arrives`, () =>
    withTcp(
      (socket, number) => {
        let requests = 0
        socket.on('data', () => {
          requests += 1
          if (number === 1 && requests === 2) end(socket)
          else socket.write(OK)
        })
      },
      (url, connections) =>
        withFetcher(`127.0.0.1:${new URL(url).port}`, async (fetch) => {
          assert.is(text(await fetch(url)), 'ok')
          assert.is(text(await fetch(url)), 'ok')
          assert.is(connections(), 2)
        }),
    ),
  )
}

http('a new connection that is cut is a reset, and the fetcher does not retry it', () =>
  withTcp(
    (socket) => socket.once('data', () => socket.destroy()),
    (url, connections) =>
      withFetcher(`127.0.0.1:${new URL(url).port}`, async (fetch) => {
        assert.is(failed(await fetch(url)).reason, 'reset')
        assert.is(connections(), 1)
      }),
  ),
)

const BROKEN: [why: string, bytes: string, reason: string][] = [
  ['a response that is not HTTP', '<html>hello</html>', 'protocol'],
  ['a body shorter than declared', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort', 'reset|protocol'],
  [
    'a response with two different Content-Length headers',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
    'protocol',
  ],
  ['a header that is too large', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`, 'protocol'],
  ['more than 500 header lines', `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(501)}Content-Length: 0\r\n\r\n`, 'protocol'],
  ['a 101 response that was not requested', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', 'protocol'],
]
for (const [why, bytes, reason] of BROKEN) {
  http(`${why} is ${reason}`, () =>
    withTcp(
      (socket) => socket.once('data', () => socket.end(bytes)),
      (url) =>
        withFetcher(`127.0.0.1:${new URL(url).port}`, async (fetch) =>
          assert.match(failed(await fetch(url)).reason, new RegExp(`^(${reason})$`)),
        ),
    ),
  )
}

http('two different Location headers are refused', () =>
  withTcp(
    (socket) => socket.once('data', () => socket.end('HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n')),
    (url, connections) =>
      withFetcher(`127.0.0.1:${new URL(url).port}`, async (fetch) => {
        assert.is(failed(await fetch(url)).reason, 'bad_redirect')
        assert.is(connections(), 1)
      }),
  ),
)

http('a forbidden address gets no connection', () =>
  withTcp(
    (socket) => socket.end(OK),
    (url, connections) =>
      withFetcher('', async (fetch) => {
        assert.is(failed(await fetch(url)).reason, 'refused_address')
        assert.is(failed(await fetch(url.replace('127.0.0.1', 'localhost'))).reason, 'refused_address')
        assert.is(failed(await fetch('ftp://127.0.0.1/')).reason, 'protocol')
        assert.is(connections(), 0)
      }),
  ),
)

http('a closed port is a failed connection', () =>
  withTcp(
    () => {},
    async (url) => {
      // taken from a server that is gone by then
      const { port } = new URL(url)
      await withFetcher(`127.0.0.1:1-65535`, async (fetch) => {
        const free = createTcpServer()
        await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve))
        const closed = (free.address() as AddressInfo).port
        await new Promise((resolve) => free.close(resolve))
        assert.not.equal(String(closed), port)
        assert.is(failed(await fetch(`http://127.0.0.1:${closed}/`)).reason, 'connect')
      })
    },
  ),
)

http('Retry-After is read as seconds or as a date', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  const cases: [string, number | null][] = [
    ['120', 120_000],
    [' 0 ', 0],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Thursday, 01-Jan-26 00:00:30 GMT', 30_000],
    ['Thu Jan  1 00:00:30 2026', 30_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['-5', null],
    ['soon', null],
    ['1e9', null],
    ['', null],
    ['1.5', null],
    ['999999999999999999999', Number.MAX_SAFE_INTEGER],
  ]
  for (const [value, expected] of cases) assert.is(readRetryAfter(value, now), expected, value)
})

http('a date in Retry-After is read by the clock of the server, which may be wrong', () => {
  const now = Date.parse('2026-01-01T12:00:00Z')
  const date = (time: string) => `Thu, 01 Jan 2026 ${time} GMT`
  const cases: [retryAfter: string, sentAt: string | null, expected: number, why: string][] = [
    [date('12:00:30'), date('12:00:00'), 30_000, 'a right clock'],
    [date('13:00:30'), date('13:00:00'), 30_000, 'a clock that is an hour fast'],
    [date('11:00:30'), date('11:00:00'), 30_000, 'a clock that is an hour slow'],
    [date('12:00:30'), date('11:00:00'), 30_000, 'an answer from a cache'],
    [date('11:00:00'), date('12:00:00'), 0, 'a date before the answer'],
    [date('12:00:30'), 'yesterday', 30_000, 'a date that is none'],
    [date('12:00:30'), null, 30_000, 'no date'],
    ['30', date('13:00:00'), 30_000, 'seconds'],
  ]
  for (const [retryAfter, sentAt, expected, why] of cases) assert.is(readRetryAfter(retryAfter, now, sentAt), expected, why)
  return withSite(
    (_request, response) => {
      const at = Date.now() + 3_600_000
      response.writeHead(503, { date: new Date(at).toUTCString(), 'retry-after': new Date(at + 30_000).toUTCString() })
      response.end()
    },
    async ({ fetch }) => assert.is(fetched(await fetch('/')).headers.retryAfterMs, 30_000),
  )
})

http.run()
