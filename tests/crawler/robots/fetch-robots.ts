/** From the bytes of a robots file to its text: encodings, charsets, and a file that is cut. */
import { brotliCompressSync, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { FetchRequest } from '#backend/crawler/fetch/fetcher.ts'
import { Trail } from '#backend/crawler/fetch/trail.ts'
import { robotsFetch } from '#backend/crawler/robots/fetch-robots.ts'
import type { RobotsAnswer } from '#backend/crawler/robots/robots-cache.ts'
import { MAX_ROBOTS_BYTES, decodeRobots, judgeRobots, parseRobots } from '#backend/crawler/robots/robots.ts'
import { processorMs } from '#tests/support/linear.ts'

const fetching = suite('fetching a robots file')

const URL_OF_FILE = 'https://example.com/robots.txt'
const RULES = 'User-agent: *\nDisallow: /closed\n'

function answerOf(body: Uint8Array, { encoding = '', truncated = false } = {}): Promise<RobotsAnswer> {
  const headers = { contentType: 'text/plain', contentEncoding: encoding, retryAfterMs: null, cacheControl: null }
  const fetch = async () => ({
    kind: 'fetched' as const,
    url: URL_OF_FILE,
    status: 200,
    headers,
    body: new Uint8Array(body),
    truncated,
    hops: [],
    firstByteMs: 1,
    tookMs: 1,
  })
  return robotsFetch({ fetcher: { fetch, close: async () => undefined } })(URL_OF_FILE)
}

async function allowed(body: Uint8Array, path: string, more: Parameters<typeof answerOf>[1] = {}): Promise<boolean> {
  const answer = await answerOf(body, more)
  assert.is(answer.kind, 'answer')
  return judgeRobots(parseRobots((answer as { text: string }).text, 'SeineBot'), `https://example.com${path}`).allowed
}

fetching('reads every encoding that pages may have', async () => {
  for (const [encoding, body] of [
    ['', Buffer.from(RULES)],
    ['gzip', gzipSync(RULES)],
    ['deflate', deflateRawSync(RULES)],
    ['br', brotliCompressSync(RULES)],
    ['zstd', zstdCompressSync(RULES)],
    ['gzip, gzip', gzipSync(gzipSync(RULES))],
    ['utf-8', Buffer.from(RULES)],
  ] as const) {
    assert.not.ok(await allowed(body, '/closed', { encoding }), encoding)
    assert.ok(await allowed(body, '/open', { encoding }), encoding)
  }
})

fetching('says why a file cannot be read', async () => {
  const answer = await answerOf(Buffer.from(RULES), { encoding: 'gzip' })
  assert.equal(answer, { kind: 'failure', reason: 'bad_encoding', detail: 'its encoding gzip is broken or unknown' })
})

fetching('a redirect to another host takes its cookies along, for the way back', async () => {
  const trail = new Trail()
  const trails: unknown[] = []
  const fetch = async (request: FetchRequest) => {
    trails.push(request.trail)
    return { kind: 'redirected' as const, to: 'https://check.example.com/', status: 302, hops: [], tookMs: 1, trail }
  }
  await robotsFetch({ fetcher: { fetch, close: async () => undefined } })(URL_OF_FILE)
  assert.equal([trails[0], trails[1] === trail], [undefined, true])
})

fetching('reads UTF-16, which some editors store, with and without a byte order mark', async () => {
  const little = Buffer.from(`\ufeff${RULES}`, 'utf16le')
  for (const body of [little, Buffer.from(little).swap16(), little.subarray(2)]) {
    assert.not.ok(await allowed(body, '/closed'))
    assert.ok(await allowed(body, '/open'))
  }
})

fetching('letters beyond ASCII are read from UTF-16, and a first character that is broken makes no file UTF-16', async () => {
  const little = Buffer.from('\ufeffUser-agent: *\nDisallow: /größe\n', 'utf16le')
  for (const body of [little, Buffer.from(little).swap16()]) {
    assert.not.ok(await allowed(body, '/gr%C3%B6%C3%9Fe'))
    assert.ok(await allowed(body, '/gr'))
  }
  for (const start of [
    [0xff, 0x0a],
    [0xfe, 0x0a],
    [0x23, 0xff, 0x0a],
    [0x23, 0xfe, 0x0a],
  ])
    assert.not.ok(await allowed(Buffer.concat([Buffer.from(start), Buffer.from(RULES)]), '/closed'), start.join())
})

fetching('lines that are not UTF-8 match URLs with the same bytes, and the other lines are read as UTF-8', async () => {
  const closed = Buffer.from(
    'User-agent: *\n# r\xe8gles\nDisallow: /caf\xe9\nDisallow: /gr\xc3\xb6\xc3\x9fe\nAllow: /caf\xe9/men\xfc',
    'latin1',
  )
  assert.not.ok(await allowed(closed, '/caf%E9/'))
  assert.ok(await allowed(closed, '/caf%E9/men%FC'))
  assert.ok(await allowed(closed, '/caf'))
  assert.not.ok(await allowed(closed, '/gr%C3%B6%C3%9Fe'))
  const broken = Buffer.concat([Buffer.from([0xef, 0xbf]), closed])
  assert.not.ok(await allowed(broken, '/caf%E9/'), 'a byte order mark that is not whole')
  assert.not.ok(await allowed(Buffer.from('User-agent *\nDisallow /caf\xe9\n', 'latin1'), '/caf%E9'), 'lines without a colon')
})

fetching('a file of many short lines that are not UTF-8 is read in a moment', async () => {
  const file = Buffer.alloc(MAX_ROBOTS_BYTES, Buffer.from('\xe9\n', 'latin1'))
  file.write(RULES)
  const tookMs = await processorMs(() => decodeRobots(file))
  assert.ok(tookMs < 300, `it took ${tookMs} ms`)
  assert.not.ok(await allowed(file, '/closed'))
})

fetching('long comments that are not UTF-8 do not push rules beyond the limit of a file', async () => {
  const comment = Buffer.from(`# ${'\xe9'.repeat(1000)}\n`, 'latin1')
  const file = Buffer.concat([...Array<Buffer>(300).fill(comment), Buffer.from(RULES)])
  assert.not.ok(await allowed(file, '/closed'))
})

fetching('the last line of a file that is cut is no rule, since its beginning would forbid more', async () => {
  const start = `${RULES}#${'x'.repeat(MAX_ROBOTS_BYTES - RULES.length - 13)}\n`
  const cut = Buffer.from(`${start}Disallow: /private`).subarray(0, MAX_ROBOTS_BYTES)
  assert.ok(cut.toString().endsWith('\nDisallow: /'))
  assert.ok(await allowed(cut, '/open', { truncated: true }))
  assert.not.ok(await allowed(cut, '/closed', { truncated: true }))
  assert.ok(await allowed(gzipSync(`${start}Disallow: /private`), '/open', { encoding: 'gzip' }))
  assert.not.ok(await allowed(Buffer.from('User-agent: *\nDisallow: /'), '/open'), 'the end of a whole file')
})

fetching('the last rule of a compressed file that breaks off does not count: its end may be missing', async () => {
  const start = Array.from({ length: 400 }, (_, no) => `# ${no * 7919}`).join('\n')
  const file = gzipSync(`User-agent: *\nDisallow: /closed\n${start}\nDisallow: /private/area\n`)
  let cutRules = 0
  for (let end = file.length - 40; end < file.length; end += 1) {
    const answer = (await answerOf(file.subarray(0, end), { encoding: 'gzip' })) as { text: string }
    const { rules } = parseRobots(answer.text, 'SeineBot')
    if (rules.some(({ pattern }) => pattern.startsWith('/p') && pattern !== '/private/area')) cutRules += 1
    assert.not.ok(judgeRobots({ rules, crawlDelayMs: null, sitemaps: [] }, 'https://example.com/closed').allowed)
  }
  assert.is(cutRules, 0)
})

fetching.run()
