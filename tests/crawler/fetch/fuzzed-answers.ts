/**
 * Answers from a grammar that goes wrong everywhere: heads, framing, lengths, encodings, trailers, early ends. For any of them, a fetch
 * ends once, within its bounds, and holds nothing of another answer. Generated from a seed, which a failure names.
 */
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { deflateSync, gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createByteBudget } from '#backend/crawler/engine/byte-budget.ts'
import { decodeBody } from '#backend/crawler/fetch/decode-body.ts'
import { createEgress } from '#backend/crawler/fetch/egress.ts'
import type { FetchOutcome } from '#backend/crawler/fetch/fetcher.ts'
import { httpFetcher } from '#backend/crawler/fetch/http-fetcher.ts'
import { randomOf } from '#tests/support/random.ts'

const fuzz = suite('broken answers')

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_122)
const ANSWERS = Number(process.env['FUZZ_ANSWERS'] ?? 600)
const AT_ONCE = 16
const MAX_BYTES = 64 * 1024
/** Longest duration of a fetch: its timeout, a tick, and the delay of a busy machine. */
const MOST_MS = 8000

type Step = Buffer | 'pause' | 'reset' | 'hold' | 'end'

/** One answer as steps on the socket. Most are nearly valid: pure nonsense tests little. */
function answerFor(no: number): Step[] {
  const dice = randomOf(SEED + no * 7919)
  const chance = (share: number) => dice() < share
  const one = <T>(...list: T[]): T => list[Math.floor(dice() * list.length)]!
  const whole = (most: number) => Math.floor(dice() * most)
  const mark = `<p>TOKEN-${no}-END ${'x'.repeat(chance(0.1) ? whole(100_000) : whole(3000))}</p>`
  const encoding = one('', '', '', 'gzip', 'deflate', 'br', 'x-nothing', 'gzip, gzip')
  const encoded = encoding === 'gzip' ? gzipSync(mark) : encoding === 'deflate' ? deflateSync(mark) : Buffer.from(mark)
  const body = chance(0.1) ? encoded.subarray(0, whole(encoded.length)) : encoded
  const eol = chance(0.1) ? '\n' : '\r\n'
  const lines: string[] = []
  const add = (line: string) => lines.splice(whole(lines.length + 1), 0, line)
  const framing = one('length', 'length', 'chunked', 'chunked', 'close', 'both', 'none')
  if (framing === 'length' || framing === 'both')
    add(
      `Content-Length: ${chance(0.85) ? body.length : one<string | number>(body.length + 1, body.length - 1, -1, '1e3', '0x10', '', '99999999999999999999', '5, 5')}`,
    )
  if (framing === 'chunked' || framing === 'both')
    add(
      `Transfer-Encoding: ${chance(0.85) ? one('chunked', 'Chunked', ' chunked ') : one('chunkedchunked', 'chunked, gzip', 'gzip, chunked', 'identity', 'x', '')}`,
    )
  if (encoding !== '') add(`Content-Encoding: ${encoding}`)
  if (chance(0.8)) add(`Content-Type: ${one('text/html', 'text/html; charset=utf-8', '', ';;;', 'a'.repeat(whole(5000)))}`)
  if (chance(0.3)) add(`Connection: ${one('close', 'keep-alive', 'upgrade', ', ,')}`)
  if (chance(0.1))
    add(one('no colon', ': empty', 'X Y: z', `X: a\0b`, ' folded', 'X-Long: ' + 'v'.repeat(whole(80_000)), 'X:\x01', 'Ünï: x'))
  if (chance(0.05)) for (let i = 0; i < whole(3000); i += 1) lines.push(`X-${i}: v`)
  if (chance(0.05)) add('Content-Length: 3')
  const status = chance(0.85)
    ? one(
        'HTTP/1.1 200 OK',
        'HTTP/1.1 200 OK',
        'HTTP/1.1 404 No',
        'HTTP/1.0 200 OK',
        'HTTP/1.1 206 Part',
        'HTTP/1.1 200',
        'HTTP/1.1 204 None',
        'HTTP/1.1 302 Found',
      )
    : one(
        'RTSP/1.0 200 OK',
        'HTTP/2.0 200 OK',
        'HTTP/1.1 20 X',
        'HTTP/1.1 2000 X',
        'HTTP/1.1  200 OK',
        'ICY 200 OK',
        '',
        'HTTP/1.1 999 X',
        'HTTP/1.1 101 Up',
        'garbage',
        '\0\x01',
      )
  const before = chance(0.1) ? one('\r\n', '\n\n', 'HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\n', ' ') : ''
  const head = Buffer.from(`${before}${[status, ...lines].join(eol)}${eol}${eol}`, 'latin1')
  const parts: Buffer[] = [head]
  if (framing === 'chunked' || framing === 'both') parts.push(...chunks(body))
  else parts.push(body)
  if (chance(0.1)) parts.push(Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nFOREIGN-${no}-X`))
  let bytes = Buffer.concat(parts)
  if (chance(0.15)) bytes = bytes.subarray(0, whole(bytes.length + 1))
  if (chance(0.05) && bytes.length > 0) bytes[whole(bytes.length)] = whole(256)
  const steps: Step[] = []
  if (chance(0.4)) {
    for (let at = 0; at < bytes.length;) {
      const size = 1 + whole(chance(0.3) ? 8 : bytes.length)
      steps.push(bytes.subarray(at, at + size))
      if (steps.length < 30) steps.push('pause')
      else {
        steps.push(bytes.subarray(at + size))
        break
      }
      at += size
    }
  } else steps.push(bytes)
  steps.push(one('end', 'end', 'end', 'reset', chance(0.2) ? 'hold' : 'end'))
  return steps

  function* chunks(data: Buffer): Generator<Buffer> {
    for (let at = 0; at < data.length;) {
      const size = 1 + whole(chance(0.5) ? 20 : data.length)
      const piece = data.subarray(at, at + size)
      at += size
      const said = chance(0.97)
        ? piece.length.toString(16)
        : one('', 'z', '-1', 'FFFFFFFFFFFFFFFF', `0${piece.length.toString(16)}`, `${piece.length.toString(16)} `, 'fffffff')
      const extension = chance(0.1) ? one(';a=b', ';', ';a="b;c"', ' ;x', `;${'e'.repeat(whole(30_000))}`) : ''
      yield Buffer.concat([
        Buffer.from(`${said}${extension}${chance(0.98) ? '\r\n' : '\n'}`),
        piece,
        Buffer.from(chance(0.98) ? '\r\n' : one('', '\n', 'x\r\n')),
      ])
    }
    if (chance(0.95))
      yield Buffer.from(`0\r\n${chance(0.1) ? 'X-Trailer: t\r\nLocation: http://127.0.0.1:1/\r\n' : ''}${chance(0.95) ? '\r\n' : ''}`)
  }
}

/** The steps of the answers that were given, on their sockets. */
async function play(socket: Socket, steps: Step[]): Promise<void> {
  for (const step of steps) {
    if (socket.destroyed) return
    if (step === 'pause') await new Promise((resolve) => setImmediate(resolve))
    else if (step === 'reset') socket.resetAndDestroy()
    else if (step === 'end') socket.end()
    else if (step !== 'hold') socket.write(step)
  }
}

const sockets = new Set<Socket>()
const server = createServer((socket) => {
  sockets.add(socket)
  socket.on('error', () => undefined)
  socket.setNoDelay(true)
  socket.on('data', (request) => {
    const no = / \/(\d+)/.exec(request.toString('latin1'))?.[1]
    if (no !== undefined) void play(socket, answerFor(Number(no)))
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const egress = createEgress({ allow: '127.0.0.1', resolver: null, userAgent: 'SeineBot/0.1' })
const memory = createByteBudget({ most: 64 * 1024 * 1024, reserve: 0, shares: () => 1 })
const fetcher = httpFetcher({ egress, memory, limits: { firstByteMs: 2000, idleMs: 500, slowMs: 1000 } })
const { signal } = new AbortController()

fuzz.after(async () => {
  await fetcher.close()
  await egress.close()
  for (const socket of sockets) socket.destroy()
  server.close()
})

/** Reasons that a broken answer may end with; others would be wrong. */
const REASONS = new Set(['timeout', 'reset', 'too_large', 'protocol', 'bad_encoding', 'bad_redirect'])

function judge(no: number, outcome: FetchOutcome, tookMs: number) {
  const named = `answer ${no} of seed ${SEED}`
  assert.ok(tookMs < MOST_MS, `${named} took ${Math.round(tookMs)} ms`)
  if (outcome.kind === 'failure') {
    assert.ok(REASONS.has(outcome.reason), `${named}: ${outcome.reason} (${outcome.detail})`)
    assert.ok(outcome.detail !== '' && outcome.detail.length <= 300, `${named}: ${outcome.detail}`)
    return
  }
  assert.is(outcome.kind, 'fetched', named)
  if (outcome.kind !== 'fetched') return
  assert.ok(outcome.body.length <= MAX_BYTES, `${named}: ${outcome.body.length} bytes`)
  const decoded = decodeBody(outcome.body, outcome.headers.contentEncoding, MAX_BYTES)
  if ('failure' in decoded) return
  const text = Buffer.from(decoded.bytes).toString('latin1')
  for (const [, other] of text.matchAll(/TOKEN-(\d+)-END/g)) assert.is(Number(other), no, `${named} has bytes of answer ${other}`)
  for (const [, other] of text.matchAll(/FOREIGN-(\d+)-X/g))
    assert.is(Number(other), no, `${named} has what came unasked after answer ${other}`)
}

fuzz(`each of ${ANSWERS} answers ends once, within bounds, and has no bytes of another answer`, async () => {
  const kinds = new Map<string, number>()
  let next = 0
  const before = process.memoryUsage().rss
  const work = async () => {
    for (let no = next++; no < ANSWERS; no = next++) {
      const from = performance.now()
      let ends = 0
      const outcome = await fetcher
        .fetch({ url: `${origin}/${no}`, headers: {}, timeoutMs: 4000, maxBytes: MAX_BYTES, signal })
        .finally(() => (ends += 1))
      assert.is(ends, 1)
      judge(no, outcome, performance.now() - from)
      const kind = outcome.kind === 'failure' ? outcome.reason : outcome.kind
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  assert.is(memory.total, 0, 'nothing is held afterwards')
  assert.ok(process.memoryUsage().rss - before < 300 * 1024 * 1024, 'memory')
  if (process.env['FUZZ_ANSWERS'] !== undefined) console.log(Object.fromEntries(kinds))
  // The generator must produce answers of all kinds.
  for (const kind of ['fetched', 'protocol', 'reset', 'too_large', 'timeout'])
    assert.ok((kinds.get(kind) ?? 0) > 0, `none ended as ${kind}`)
  assert.ok(kinds.get('fetched')! > ANSWERS / 10 && kinds.get('fetched')! < ANSWERS * 0.9, `${kinds.get('fetched')} were pages`)
})

fuzz.run()
