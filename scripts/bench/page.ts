/**
 * The cost of reading one page in a parser thread, stage by stage, in CPU milliseconds: the minimum of many rounds, because other load only
 * adds. Relative to the decompression of the same pages, which does not depend on our code, results of different machines are comparable.
 */
import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { decodeMarkup } from '#backend/crawler/html/charset.ts'
import { keepMainContent } from '#backend/crawler/main-content/main-content.ts'
import type { PageRules } from '#backend/crawler/page/page-rules.ts'
import { parsePage } from '#backend/crawler/page/page.ts'
import { createPageParser } from '#backend/crawler/page/parse-page.ts'
import { readPage } from '#backend/crawler/page/read-page.ts'
import { startSite } from './processes.ts'

const PAGES = 400
const ROUNDS = 30
const TYPE = 'text/html; charset=utf-8'

type Sample = { url: string; packed: Uint8Array<ArrayBuffer>; bytes: Buffer }

export async function pageBench({ kb }: { kb: number }) {
  const samples = await takeSamples(kb)
  const parse = createPageParser(RULES)
  // Each stage runs with all before it, and its cost is the difference, so that it leaves as much garbage as in production.
  const stages: [string, (sample: Sample) => unknown][] = [
    ['unpack', ({ packed }) => gunzipSync(packed)],
    ['decode', ({ bytes }) => decodeMarkup(bytes, 'utf-8')],
    ['tree', ({ bytes, url }) => parsePage(decodeMarkup(bytes, 'utf-8'), url)],
    ['main content', mainContent],
    ['Markdown', ({ bytes, url }) => readPage({ bytes, contentType: TYPE, status: 200, url }, RULES.extraction)],
    [
      'all',
      ({ packed, url }) => parse({ id: 1, rules: RULES.name, body: packed, contentEncoding: 'gzip', contentType: TYPE, status: 200, url }),
    ],
  ]
  const least = stages.map(() => Infinity)
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [at, [, run]] of stages.entries()) least[at] = Math.min(least[at]!, cpuOf(() => samples.forEach(run)) / PAGES)
  const [unpack = 0, decode = 0, tree = 0, main = 0, read = 0, all = 0] = least
  const say = (name: string, ms: number) => console.log(`  ${name.padEnd(14)} ${ms.toFixed(3)} ms  ${(ms / unpack).toFixed(2)}`)
  console.log(`CPU per page of ${kb} KB, and as a multiple of unpacking it, least of ${ROUNDS} rounds over ${PAGES} pages:`)
  say('unpack', unpack)
  say('decode', decode)
  say('tree', tree - decode)
  say('main content', main - tree)
  say('Markdown', read - main)
  say('read, in all', read)
  say('links and pack', all - read - unpack)
  say('all', all)
}

function mainContent({ bytes, url }: Sample) {
  const page = parsePage(decodeMarkup(bytes, 'utf-8'), url)
  return keepMainContent(page.root, { url, title: page.title ?? '', isPosting: page.isPosting })
}

function cpuOf(run: () => void): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function takeSamples(kb: number): Promise<Sample[]> {
  const site = await startSite({ pages: PAGES, kb }, 1)
  try {
    const samples: Sample[] = []
    for (const url of await site.manifest()) {
      const { body } = await request(url, { headers: { 'accept-encoding': 'gzip' } })
      const packed = new Uint8Array(await body.arrayBuffer())
      samples.push({ url, packed, bytes: gunzipSync(packed) })
    }
    return samples
  } finally {
    await site.stop()
  }
}

/** The rules of a crawl without options. */
export const RULES: PageRules = {
  name: 'bench',
  extraction: { includeHtml: false, onlyMainContent: true, includeTags: [], excludeTags: [] },
  scope: { allowedDomains: [], includePaths: [], excludePaths: [], seedHosts: ['127.0.0.1'] },
  includeLinks: false,
  salt: new Uint8Array(16),
  maxBytes: 10_000_000,
}
