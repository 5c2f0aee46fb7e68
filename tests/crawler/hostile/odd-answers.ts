/** Answers that servers give against the standards, byte by byte, all as pages of one site: which are stored, and how the others end. */
import { createServer } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { documentJson } from '#backend/crawler/page/page-body.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import { keptDocuments } from '#tests/support/engine/kept-documents.ts'
import { serve } from '#tests/support/stubs/serve.ts'
import { suite } from '#tests/support/suite.ts'

const odd = suite('answers against the standards')

const PAGE =
  '<!doctype html><html lang="en"><title>Tea</title><body><p>WHOLE PAGE about tea, with enough words for a page of its own.</body></html>\n'
const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n'
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const chunked = (body: string, head = OK) => `${head}Transfer-Encoding: chunked\r\n\r\n${body}`
const packed = (encoding: string, body: Buffer) => Buffer.concat([Buffer.from(`${OK}Content-Encoding: ${encoding}\r\n\r\n`), body])
const head = (lines: string) => `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${lines}\r\n${PAGE}`
const junk = Buffer.from('\n<!-- 0.2 s -->')

/** How the URL ends; `kept` also means that the text of the page is whole. */
const ANSWERS: [what: string, answer: string | Buffer, outcome: string][] = [
  ['early hints and a continue', `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${OK}\r\n${PAGE}`, 'kept'],
  ['a thousand interim responses', `${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(1000)}${OK}\r\n${PAGE}`, 'kept'],
  ['a list of equal lengths', `${OK}Content-Length: ${PAGE.length}, ${PAGE.length}\r\n\r\n${PAGE}`, 'kept'],
  ['a length that is too large', `${OK}Content-Length: ${PAGE.length + 99}\r\n\r\n${PAGE}`, 'kept'],
  ['a length that is no number', head('Content-Length: none\r\n'), 'protocol'],
  ['chunks with leading zeros', chunked(`0000${chunk(PAGE)}0000\r\n\r\n`), 'kept'],
  ['no line behind the last chunk', chunked(`${chunk(PAGE)}0\r\n`), 'kept'],
  ['no last chunk', chunked(chunk(PAGE)), 'kept'],
  ['chunk lines that end in LF alone', chunked(`${chunk(PAGE)}0\r\n\r\n`).replaceAll('\r\n', '\n'), 'protocol'],
  ['chunked in capitals', chunked(`${chunk(PAGE)}0\r\n\r\n`).replace('chunked', 'CHUNKED'), 'kept'],
  ['chunked twice', chunked(`${chunk(PAGE)}0\r\n\r\n`, `${OK}Transfer-Encoding: chunked\r\n`), 'kept'],
  ['chunked in HTTP/1.0', chunked(`${chunk(PAGE)}0\r\n\r\n`, OK.replace('1.1', '1.0')), 'kept'],
  ['a coding that was not asked for', `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 'protocol'],
  ['HTTP/2.0 in the status line', `${OK.replace('1.1', '2.0')}\r\n${PAGE}`, 'kept'],
  ['a reason in UTF-8', `${OK.replace('OK', 'Gl\u00fcck \u2713')}\r\n${PAGE}`, 'kept'],
  ['line ends of two kinds', `HTTP/1.1 200 OK\nContent-Type: text/html\r\nX-A: b\n\r\n${PAGE}`, 'kept'],
  ['blank lines before the head', `\r\n\r\n${OK}\r\n${PAGE}`, 'kept'],
  ['a notice of PHP in the head', head('PHP Notice: Undefined index in /x.php on line 3\r\n'), 'kept'],
  ['a first header that is folded', `HTTP/1.1 200 OK\r\n X-A: b\r\nContent-Type: text/html\r\n\r\n${PAGE}`, 'kept'],
  ['an offer of HTTP/2', head('Upgrade: h2,h2c\r\nConnection: Upgrade, close\r\n'), 'kept'],
  ['450 cookies', head('Set-Cookie: a=b\r\n'.repeat(450)), 'kept'],
  ['a header of 50 KB', head(`Content-Security-Policy: ${'a'.repeat(50_000)}\r\n`), 'kept'],
  ['a header of 1 MB', head(`Content-Security-Policy: ${'a'.repeat(1_000_000)}\r\n`), 'protocol'],
  ['no headers', `HTTP/1.1 200 OK\r\n\r\n${PAGE}`, 'kept'],
  ['two media types', head('Content-Type: text/html; charset=utf-8\r\n'), 'kept'],
  ['a media type without a slash', `HTTP/1.1 200 OK\r\nContent-Type: html\r\n\r\n${PAGE}`, 'kept'],
  ['an unknown media type', `HTTP/1.1 200 OK\r\nContent-Type: unknown/unknown\r\n\r\n${PAGE}`, 'kept'],
  ['an attachment', head('Content-Disposition: attachment; filename=x.html\r\n'), 'kept'],
  ['201', `${OK.replace('200 OK', '201 Created')}Location: /elsewhere\r\n\r\n${PAGE}`, 'kept'],
  ['203', `${OK.replace('200 OK', '203 Non-Authoritative Information')}\r\n${PAGE}`, 'kept'],
  ['204 with a body', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello', 'status'],
  ['205', 'HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n', 'status'],
  ['300 with a Location', 'HTTP/1.1 300 Multiple Choices\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n', 'status'],
  ['gzip in capitals', packed('GZIP', gzipSync(PAGE)), 'kept'],
  ['gzip and nothing', packed('gzip, identity', gzipSync(PAGE)), 'kept'],
  ['gzip with zeros behind it', packed('gzip', Buffer.concat([gzipSync(PAGE), Buffer.alloc(512)])), 'kept'],
  ['brotli with text behind it', packed('br', Buffer.concat([brotliCompressSync(PAGE), junk])), 'kept'],
  ['deflate with text behind it', packed('deflate', Buffer.concat([deflateSync(PAGE), junk])), 'kept'],
  ['brotli that is cut', packed('br', brotliCompressSync(PAGE).subarray(0, -9)), 'bad_encoding'],
  ['gzip that is called brotli', packed('br', gzipSync(PAGE)), 'bad_encoding'],
  ['two byte order marks', Buffer.concat([Buffer.from(`${OK}\r\n`), Buffer.from(`\ufeff\ufeff${PAGE}`)]), 'kept'],
  ['UTF-16 with a header', Buffer.concat([Buffer.from(`${OK.replace('utf-8', 'utf-16le')}\r\n`), Buffer.from(PAGE, 'utf16le')]), 'kept'],
  ['a charset of no meaning', `${OK.replace('utf-8', 'none')}\r\n${PAGE}`, 'kept'],
  ['two charsets in one header', `${OK.replace('utf-8', '"utf8"; charset=utf-16')}\r\n${PAGE}`, 'kept'],
]

/** Names without digits: pages of one pattern with the same text are a crawler trap. */
const paths = ANSWERS.map((_, no) => `/${String.fromCharCode(97 + (no % 26)).repeat(1 + no / 26)}`)
const server = createServer((socket) => {
  socket.on('error', () => undefined)
  socket.on('data', (request) => {
    const path = / (\S+) HTTP/.exec(request.toString('latin1'))?.[1] ?? ''
    const answer = ANSWERS[paths.indexOf(path)]?.[1]
    if (answer !== undefined) socket.end(answer)
    else if (path === '/') socket.end(`${OK}\r\n${paths.map((link) => `<a href="${link}">${link}</a>`).join(' ')}`)
    else socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
  })
})
const { url } = await serve(server)
const engine = startEngineHarness({ settings: { hostConcurrency: 4 } })
const run = await engine.crawl(`${url}/`, { spider: { max_depth: 1, page_limit: 200 }, page: { only_main_content: false } })
const ended = engine.ended(run)
ended.catch(() => undefined)

odd.after(() => engine.close())

for (const [no, [what, , outcome]] of ANSWERS.entries())
  odd(`${what}: ${outcome}`, async () => {
    assert.is((await ended).status, 'finished')
    const found = engine.rows<{ outcome: string; tries: number }>(
      'SELECT outcome, tries FROM run_url WHERE run_no = ? AND url = ?',
      run,
      url + paths[no]!,
    )
    assert.equal(found, [{ outcome, tries: 1 }])
    const page = keptDocuments(engine, run).find((kept) => kept.url === url + paths[no]!)
    assert.is(page !== undefined && documentJson(page.document).includes('WHOLE PAGE about tea'), outcome === 'kept')
  })

odd.run()
