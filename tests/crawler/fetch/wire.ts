/** Answers as bytes: what counts against the limit of a fetch, and how non-standard heads are read. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { createEgress } from '#backend/crawler/fetch/egress.ts'
import { robotsFetch } from '#backend/crawler/robots/fetch-robots.ts'
import type { FetchOutcome, FetchRequest } from '#backend/crawler/fetch/fetcher.ts'
import { httpFetcher } from '#backend/crawler/fetch/http-fetcher.ts'
import { createOperatorClient } from '#backend/crawler/fetch/operator-client.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const wire = suite('bytes of an answer as they arrive')

const MIB = 1024 * 1024
const MAX_BYTES = 256 * 1024
/** Most bytes in the kernel's buffers when a connection is cut, on both sides of loopback. */
const IN_FLIGHT = 12 * MIB
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`

/** Sends a start, then the same bytes for ever, as fast as the client reads. */
const endless =
  (begin: string, piece: string) =>
  (socket: Socket): void => {
    const many = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)))
    socket.write(begin)
    const more = () => {
      while (!socket.destroyed && socket.bytesWritten < 200 * MIB && socket.write(many));
    }
    socket.on('drain', more)
    more()
  }
const says =
  (...parts: (string | Buffer)[]) =>
  (socket: Socket): void => {
    for (const part of parts) socket.write(part)
    socket.end()
  }

let answer: (socket: Socket, path: string) => void = () => undefined
const sockets = new Set<Socket>()
const onConnection = (socket: Socket): void => {
  sockets.add(socket)
  socket.on('error', () => undefined)
  socket.on('data', (request) => answer(socket, / (\S+) HTTP/.exec(request.toString('latin1'))?.[1] ?? ''))
}
const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return (server.address() as AddressInfo).port
}
const folder = temporaryFolder('seine-wire-')
const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
execFileSync(
  'openssl',
  `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -keyout ${keyFile} -out ${certFile}`.split(
    ' ',
  ),
  { stdio: 'ignore' },
)
const cert = readFileSync(certFile, 'utf8')
const plain = createServer(onConnection)
const secured = createTlsServer({ key: readFileSync(keyFile), cert }, onConnection).on('tlsClientError', () => undefined)
const port = await listening(plain)
const tlsPort = await listening(secured)
const origin = `http://127.0.0.1:${port}`

const egress = createEgress({ allow: '127.0.0.1', authorities: [cert], resolver: null, userAgent: 'SeineBot/0.1' })
const fetcher = httpFetcher({ egress, limits: { firstByteMs: 8000, idleMs: 3000, slowMs: 1500 } })
const { signal } = new AbortController()

wire.after(async () => {
  await fetcher.close()
  await egress.close()
  for (const socket of sockets) socket.destroy()
  plain.close()
  secured.close()
})

function fetch(url: string, changes: Partial<FetchRequest> = {}): Promise<FetchOutcome> {
  return fetcher.fetch({ url, headers: {}, timeoutMs: 10_000, maxBytes: MAX_BYTES, signal, ...changes })
}
const shown = (outcome: FetchOutcome): string =>
  outcome.kind === 'failure'
    ? `${outcome.reason}: ${outcome.detail}`
    : outcome.kind === 'fetched'
      ? `${outcome.status} ${Buffer.from(outcome.body).toString('latin1').slice(0, 80)}`
      : outcome.to
/** Splits the head between every two of its characters. */
const inTwoPieces = (first: string, second: string) => (socket: Socket) => {
  socket.setNoDelay(true)
  socket.write(first)
  setImmediate(() => setImmediate(() => socket.end(second)))
}
async function expectPageInTwoPieces(head: string) {
  for (let cut = 1; cut < head.length; cut += 1) {
    answer = inTwoPieces(head.slice(0, cut), `${head.slice(cut)}hello`)
    assert.is(shown(await fetch(`${origin}/cut-${cut}`)), '200 hello')
  }
}

async function expectPage(title: string, reply: typeof answer, body = 'hello') {
  answer = reply
  assert.is(shown(await fetch(`${origin}/${title}`)), `200 ${body}`)
}
async function expectFailure(reply: typeof answer, pattern: RegExp) {
  answer = reply
  assert.match(shown(await fetch(`${origin}/`)), pattern)
}

const ENDLESS_PARTS: Record<string, (socket: Socket) => void> = {
  'a chunk extension without end': endless(`${CHUNKED}5;a=`, 'x'),
  'CRLF before the status line': endless('', '\r\n'),
  'LF before the status line': endless('', '\n'),
  'a chunk size of endless zeros': endless(CHUNKED, '0'),
  'endless interim responses': endless('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n'),
  'an interim response with an endless head': endless('HTTP/1.1 103 Early Hints\r\n', 'X-A: b\r\n'),
  'an interim response with an endless status line': endless('HTTP/1.1 102 ', 'x'),
  'endless 100 Continue responses': endless('', 'HTTP/1.1 100 Continue\r\n\r\n'),
  'chunks of one byte': endless(CHUNKED, '1\r\na\r\n'),
  'chunks of one byte with extensions': endless(CHUNKED, `1;${'e'.repeat(1000)}=f\r\na\r\n`),
  'trailers without end': endless(`${CHUNKED}0\r\n`, 'X-T: v\r\n'),
  'one trailer line without end': endless(`${CHUNKED}0\r\nX-T: `, 'v'),
}

for (const [what, reply] of Object.entries(ENDLESS_PARTS)) {
  wire(`H3: the limit of the page includes ${what}`, async () => {
    for (const url of [`${origin}/a`, `https://127.0.0.1:${tlsPort}/a`]) {
      sockets.clear()
      answer = reply
      const outcome = await fetch(url)
      assert.is(outcome.kind, 'failure')
      // The parser has bounds of its own for lines of a head and for sizes; both are an end.
      assert.match(shown(outcome), /^(too_large: |protocol: )/)
      for (const socket of sockets) {
        socket.destroy()
        assert.ok(socket.bytesWritten < IN_FLIGHT, `${socket.bytesWritten} bytes were taken`)
      }
    }
  })
}

wire('H3: hops of one fetch share the limit', async () => {
  const interim = `HTTP/1.1 103 Early Hints\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`
  answer = (socket, path) => socket.write(`${interim.repeat(3)}HTTP/1.1 302 Found\r\nLocation: ${path}a\r\nContent-Length: 0\r\n\r\n`)
  assert.match(shown(await fetch(`${origin}/`)), /^too_large: /)
})

wire('H3: the largest page still fits with its head, in small pieces or in one', async () => {
  answer = says(`${HEAD}X-Long: ${'h'.repeat(30_000)}\r\nContent-Length: ${MAX_BYTES}\r\n\r\n`, Buffer.alloc(MAX_BYTES, 97))
  const whole = await fetch(`${origin}/`)
  assert.is(whole.kind === 'fetched' && whole.body.length, MAX_BYTES)
  answer = says(CHUNKED, `4000\r\n${'a'.repeat(0x4000)}\r\n`.repeat(MAX_BYTES / 0x4000), '0\r\n\r\n')
  const chunked = await fetch(`${origin}/`)
  assert.is(chunked.kind === 'fetched' && chunked.body.length, MAX_BYTES)
})

wire('H3: the beginning of a robots.txt is used even if its chunk extension never ends', async () => {
  const rules = 'User-agent: *\nDisallow: /closed/\n'
  answer = endless(`${CHUNKED}${rules.length.toString(16)}\r\n${rules}\r\n5;e=`, 'x')
  const robots = await robotsFetch({ fetcher })(`${origin}/robots.txt`)
  assert.is(robots.kind === 'answer' && robots.text, rules)
})

wire('H3: answers of the operator’s servers are limited too', async () => {
  const client = createOperatorClient({ origins: [origin], userAgent: 'x' })
  try {
    answer = endless(`${CHUNKED}5;a=`, 'x')
    const reply = await client.ask({ url: `${origin}/`, timeoutMs: 10_000, maxBytes: MAX_BYTES })
    assert.is(reply.kind === 'failure' && reply.reason, 'too_large')
  } finally {
    await client.close()
  }
})

wire('H8: an unrequested transfer coding is refused', async () => {
  for (const coding of ['chunkedchunked', 'chunked, gzip', 'gzip, chunked', 'gzip', 'xchunked', 'chunked;q=1', 'chunked, chunked'])
    await expectFailure(says(`${HEAD}Transfer-Encoding: ${coding}\r\n\r\n5\r\nhello\r\n0\r\n\r\n`), /^protocol: /)
  for (const coding of ['chunked', 'Chunked', ' chunked '])
    await expectPage('coded', says(`${HEAD}Transfer-Encoding: ${coding}\r\n\r\n5\r\nhello\r\n0\r\n\r\n`))
})

wire('H8: an answer that is not HTTP is refused, and its bytes are not stored', async () => {
  for (const begin of [
    'RTSP/1.0 200 OK',
    'ICE/1.0 200 OK',
    'ICY 200 OK',
    'SIP/2.0 200 OK',
    '<html>',
    'http/1.1 200 OK',
    'XHTTP/1.1 200 OK',
  ])
    await expectFailure(says(`${begin}\r\nContent-Length: 5\r\n\r\nhello`), /^protocol: the answer is not HTTP/)
})

wire('H8: 206 is accepted only for a range request', async () => {
  const part = says('HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-4/5000\r\nContent-Length: 5\r\n\r\nhello')
  await expectFailure(part, /^protocol: HTTP 206/)
  const asked = await fetch(`${origin}/`, { headers: { Range: 'bytes=0-4' } })
  assert.is(asked.kind === 'fetched' && asked.status, 206)
})

wire('H8: a slow decompression bomb fails because of its size, not because of its time', async () => {
  const bomb = gzipSync(Buffer.alloc(4 * MIB))
  answer = (socket) => {
    socket.write(`${HEAD}Content-Encoding: gzip\r\nContent-Length: ${bomb.length + 1000}\r\n\r\n`)
    let at = 0
    const drip = setInterval(() => {
      if (socket.destroyed) return clearInterval(drip)
      socket.write(bomb.subarray(at, at + 60))
      at += 60
    }, 50)
  }
  assert.match(shown(await fetch(`${origin}/`)), /^too_large: more than \d+ bytes after decoding/)
  answer = (socket) =>
    void socket.write(`${HEAD}Content-Encoding: gzip\r\nContent-Length: 5000\r\n\r\n${gzipSync('small').toString('latin1')}`)
  assert.match(shown(await fetch(`${origin}/`)), /^timeout: /)
})

wire('H8: header lines may end in LF alone, wherever the pieces are split', async () => {
  const head = 'HTTP/1.1 200 OK\nContent-Type: text/html\r\nX-A: b\nContent-Length: 5\n\n'
  await expectPage('whole', says(head, 'hello'))
  await expectPage('with a CR', says(head.replace(/\n\n$/, '\n\r\n'), 'hello'))
  await expectPageInTwoPieces(head)
})

wire('H8: a length that is given twice counts once, and the coding identity says nothing, wherever the pieces are split', async () => {
  const head = 'HTTP/1.1 200 OK\nContent-Length: 5\r\nTransfer-Encoding: identity\r\nContent-Type: text/html\ncontent-length: 5\n\n'
  await expectPage('whole', says(head, 'hello'))
  await expectPage('list', says('HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\nhello'))
  await expectPageInTwoPieces(head)
})

wire('header lines that break the rules are put right or left out as in browsers, wherever the pieces are split', async () => {
  for (const line of ['nonsense', 'X Y: z', ': empty', 'Ünï: x', 'X-A: a\x01b\0c', 'X-A : b', '<!-- a comment -->']) {
    const head = `HTTP/1.1 200 OK\r\n${line}\r\nContent-Length: 5\r\n${line}\r\nContent-Type: text/html\r\n\r\n`
    await expectPage(line, says(head, 'hello'))
    await expectPageInTwoPieces(head)
  }
  await expectPageInTwoPieces('HTTP/1.1 200 OK\n after the status line\nno colon\n folded\nContent-Length : 5\nContent-Type: text/html\n\n')
  const twice = says('HTTP/1.1 200 OK\r\nContent-Length : 5\r\nContent-Length\t: 6\r\n\r\nhello')
  await expectFailure(twice, /^protocol: two different values of Content-Length$/)
  const both = says('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding:\r\n chunked\r\n\r\nhello')
  await expectFailure(both, /^protocol: a Content-Length and a Transfer-Encoding together$/)
})

wire('a folded header line is one line (RFC 9112, 5.2), wherever the pieces are split', async () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length:\r\n 5\r\nContent-Type: text/html;\r\n\t charset=utf-8;\r\n  x=y\r\nETag: "a"\r\n\r\n'
  for (const text of [head, head.replaceAll('\r', '')])
    for (const at of [text.length, text.indexOf('\t charset') - 1, text.indexOf('\t charset'), text.indexOf('harset')]) {
      answer = inTwoPieces(text.slice(0, at), `${text.slice(at)}hello`)
      const outcome = await fetcher.fetch({ url: `${origin}/`, headers: {}, timeoutMs: 8000, maxBytes: MAX_BYTES, signal })
      assert.is(outcome.kind === 'fetched' && outcome.headers.contentType, 'text/html; charset=utf-8; x=y')
      assert.is(outcome.kind === 'fetched' && outcome.headers.etag, '"a"')
    }
})

wire('H8: contradictions about the end of a body are refused in plain words', async () => {
  const with5 = (line: string) => says(`HTTP/1.1 200 OK\r\nContent-Length: 5\r\n${line}\r\n\r\nhello`)
  for (const line of ['Content-Length: 6', 'Content-Length: 05', 'Content-Length: 5, 6'])
    await expectFailure(with5(line), /^protocol: two different values of Content-Length$/)
  await expectFailure(with5('Transfer-Encoding: chunked'), /^protocol: a Content-Length and a Transfer-Encoding together$/)
  for (const line of ['Content-Length: -5', 'Content-Length: 0x5', 'Content-Length: 5 5', 'Content-Length:'])
    await expectFailure(says(`HTTP/1.1 200 OK\r\n${line}\r\n\r\nhello`), /^protocol: /)
})

wire('H8: chunk framing still needs CR LF', async () => {
  await expectFailure(says(`${CHUNKED}5\nhello\n0\n\n`), /^protocol: /)
  await expectFailure(says(`${CHUNKED.replaceAll('\r', '')}5\nhello\n0\n\n`), /^protocol: /)
  await expectFailure(says('HTTP/1.1 200 OK\nContent-Length: 5\nContent-Length: 6\n\nhello'), /^protocol: /)
  await expectFailure(says('HTTP/1.1 200 OK\rContent-Length: 5\r\rhello'), /^(protocol|reset): /)
  await expectPage('chunks', says(`${CHUNKED.replaceAll('\r', '')}5\r\nhello\r\n0\r\n\r\n`))
})

wire('blanks behind a chunk size, extensions and trailers are ignored (RFC 9112, 7.1), wherever the pieces are split', async () => {
  for (const [size, trailers] of [
    ['5 \t', 'X-T: v\r\n'],
    ['5 ; a = "b;c"', ''],
    ['5;', 'no colon\r\n'],
    ['0005;a;b=c', 'Content-Length: 7\r\nTransfer-Encoding: chunked\r\n folded\r\n'],
  ]) {
    const text = `${CHUNKED}${size}\r\nhello\r\n0  \r\n${trailers}\r\n`
    await expectPage('whole', says(text))
    for (let cut = CHUNKED.length - 1; cut < text.length; cut += 1) {
      answer = inTwoPieces(text.slice(0, cut), text.slice(cut))
      assert.is(shown(await fetch(`${origin}/cut-${cut}`)), '200 hello', `${size} at ${cut}`)
    }
  }
  // What is no extension is not made one.
  for (const size of ['5 5', '5 x', ' 5', '5;a\rb', ';5', ''])
    await expectFailure(says(`${CHUNKED}${size}\r\nhello\r\n0\r\n\r\n`), /^(protocol|reset): /)
})

wire('an answer that ends too early is one that broke off, and worth another try', async () => {
  for (const text of [`${HEAD}Content-Length: 50\r\n\r\nhello`, `${CHUNKED}5\r\nhello\r\n`, `${CHUNKED}5\r\nhel`])
    await expectFailure(says(text), /^reset: the connection was closed before the end of the body$/)
  await expectFailure(says(HEAD), /^reset: the connection was closed$/)
  await expectFailure(says(`${HEAD}Content-Length: 5\r\n folded\r\n\r\nhello`), /^protocol: an invalid line in the head$/)
})

wire('a chunked body is complete with its last chunk, also if the empty line behind it never comes (RFC 9112, 8)', async () => {
  const type = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
  for (const end of ['0\r\n', '0\r\nX-T: v\r\n', '0\r\nX-T', '000;a=b\r\n']) await expectPage('closed', says(`${type}5\r\nhello\r\n${end}`))
  await expectPage('stays-open', (socket) => void socket.write(`${type}5\r\nhello\r\n0\r\n`))
  // More digits could follow.
  await expectFailure(says(`${type}5\r\nhello\r\n0`), /^reset: the connection was closed before the end of the body$/)
})

wire('a page is whole if it ends with its end tag, or its encoding with its end, whatever length is declared', async () => {
  const page = '<!doctype html><html><p>hello</p></html>\n<!-- 0.2 s -->\n'
  for (const [name, text] of [
    ['longer', `${HEAD}Content-Length: 999\r\n\r\n${page}`],
    ['no-last-chunk', `${CHUNKED}${page.length.toString(16)}\r\n${page}\r\n`],
    ['cut-behind-the-data', `${CHUNKED}${page.length.toString(16)}\r\n${page}`],
  ])
    await expectPage(name!, says(text!), page)
  const packed = gzipSync(page)
  const head = `${HEAD}Content-Encoding: gzip\r\nContent-Length: ${packed.length + page.length}\r\n\r\n`
  answer = says(head, packed)
  const outcome = await fetch(`${origin}/packed`)
  assert.equal(outcome.kind === 'fetched' && Buffer.from(outcome.body).equals(packed), true)
  // What is cut is not whole.
  await expectFailure(says(head, packed.subarray(0, -1)), /^reset: /)
  await expectFailure(says(`${HEAD}Content-Length: 999\r\n\r\n${page.slice(0, 30)}`), /^reset: /)
})

wire('an invalid status is refused in plain words', async () => {
  await expectFailure(says('HTTP/1.1 000 OK\r\nContent-Length: 5\r\n\r\nhello'), /^protocol: a status below 100$/)
  await expectFailure(says('HTTP/1.1 20 OK\r\n\r\nhello'), /^protocol: Invalid status code$/)
  await expectFailure(says('HTTP/1.1 2000 OK\r\n\r\nhello'), /^protocol: Invalid response status$/)
})

wire('nothing is kept of HTML that brings framing only, without any text', async () => {
  answer = endless(`${CHUNKED}5;a=`, 'x')
  assert.match(shown(await fetch(`${origin}/`, { overflow: 'cut_html' })), /^too_large: more than \d+ bytes on the wire/)
  answer = endless(`${CHUNKED}5\r\nhello\r\n5;a=`, 'x')
  assert.is(shown(await fetch(`${origin}/`, { overflow: 'cut_html' })), '200 hello')
})

wire('a body is not read whose coding is named in a line too long to check', async () => {
  const reply = inTwoPieces(`${HEAD}Transfer-Encoding:${' '.repeat(9000)}`, 'chunked\r\n\r\nfffffff\r\nhello')
  await expectFailure(reply, /^protocol: a Transfer-Encoding of more than 8192 bytes$/)
})

wire('a chunk larger than a page is refused at once, and a size of 2^64-1 is refused too', async () => {
  for (const [size, pattern] of [
    ['FFFFFFFFFFFFFFFF', /^protocol: an invalid chunk size/],
    ['20000000000001', /^protocol: an invalid chunk size/],
    ['fffffff', /^too_large: a chunk of 268435455 bytes declared/],
    [`0000${(MAX_BYTES + 1).toString(16)}`, /^too_large: a chunk of/],
  ] as const) {
    await expectFailure(says(`${CHUNKED}${size}\r\nhello\r\n0\r\n\r\n`), pattern)
    await expectFailure((socket) => {
      socket.setNoDelay(true)
      socket.write(`${CHUNKED}5;a=b\r\nhello\r\n`)
      setImmediate(() => setImmediate(() => socket.write(`${size}\r\nhello`)))
    }, pattern)
  }
  const rules = `${CHUNKED}fffffff\r\nUser-agent: *\n${'#'.repeat(600_000)}`
  answer = (socket) => void socket.write(rules)
  const robots = await robotsFetch({ fetcher })(`${origin}/robots.txt`)
  assert.is(robots.kind === 'answer' && robots.text, 'User-agent: *\n', 'of a robots file the whole lines at the beginning count')
})

wire('interim replies are skipped, also an unrequested 100 and replies that arrive in pieces', async () => {
  const interim = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'
  const text = `${interim}${HEAD}Content-Length: 5\r\n\r\nhello`
  await expectPage('whole', says(text))
  for (let cut = 1; cut < text.length - 6; cut += 3) {
    answer = (socket) => {
      socket.setNoDelay(true)
      socket.write(text.slice(0, cut))
      setImmediate(() => setImmediate(() => socket.end(text.slice(cut))))
    }
    assert.is(shown(await fetch(`${origin}/cut-${cut}`)), '200 hello')
  }
  for (const lines of ['Upgrade: x\r\nConnection: Upgrade\r\n', '', 'Content-Length: 5\r\n'])
    await expectFailure(says(`HTTP/1.1 101 Switching Protocols\r\n${lines}\r\n`), /^protocol: another protocol, which the request did not/)
})

wire('bytes behind an earlier answer that come late are not taken for the next one: it is requested again', async () => {
  let requests = 0
  const seen = new Set<Socket>()
  answer = (socket) => {
    requests += 1
    socket.write(seen.has(socket) ? '<!-- from the cache -->' : `${HEAD}Content-Length: 5\r\n\r\nhello`)
    seen.add(socket)
  }
  const alone = createEgress({ allow: '127.0.0.1', connectionsPerOrigin: 1, resolver: null, userAgent: 'x' })
  const ask = (path: string) =>
    httpFetcher({ egress: alone }).fetch({ url: origin + path, headers: {}, timeoutMs: 8000, maxBytes: MAX_BYTES, signal })
  try {
    for (let i = 0; i < 4; i += 1) assert.is(shown(await ask(`/late-${i}`)), '200 hello')
    assert.is(requests, 7, 'all but the first request were answered by the comment first')
    answer = says('<!-- no answer at all -->')
    assert.match(shown(await ask('/never')), /^protocol: the answer is not HTTP/)
  } finally {
    await alone.close()
  }
})

wire('a kept-alive connection counts from zero for each answer', async () => {
  answer = (socket) => void socket.write(`${HEAD}Content-Length: 200000\r\n\r\n${'a'.repeat(200_000)}`)
  sockets.clear()
  for (let i = 0; i < 6; i += 1) {
    const outcome = await fetch(`${origin}/${i}`)
    assert.is(outcome.kind === 'fetched' && outcome.body.length, 200_000)
  }
  assert.ok(sockets.size < 4, `${sockets.size} connections for six answers`)
})

wire.run()
