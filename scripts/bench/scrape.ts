/** Measures the duration of a scrape, minus the bare fetch of that page: one after another, and many at once. */
import { median, startProduct, startSite } from './processes.ts'
import type { Product } from './processes.ts'

const TIMES = 200
const AT_ONCE = 50
/** The first few start the engine's process and compile code. */
const WARM_UP = 5

export async function scrapeBench() {
  const site = await startSite({ pages: 600 }, 1)
  const product = await startProduct(site.port, null)
  try {
    const urls = await site.manifest()
    for (const [way, scrape] of [
      ['scrape and wait', timeToScrape],
      ['through MCP', timeThroughMcp],
    ] as const)
      // Each page is scraped once: a second answer could be 304 without a body.
      await measure(way, urls.splice(0, TIMES + WARM_UP + AT_ONCE), (url) => scrape(product, url))
  } finally {
    await product.stop()
    await site.stop()
  }
}

async function measure(way: string, urls: string[], scrape: (url: string) => Promise<number>) {
  const bare: number[] = []
  const extra: number[] = []
  for (const url of urls.slice(0, TIMES + WARM_UP)) {
    const asked = performance.now()
    await (await fetch(url)).text()
    bare.push(performance.now() - asked)
    extra.push((await scrape(url)) - bare.at(-1)!)
  }
  console.log(
    `${way}, median of ${TIMES}: ${median(extra.slice(WARM_UP)).toFixed(1)} ms more than the bare fetch (${median(bare.slice(WARM_UP)).toFixed(1)} ms); the very first ${extra[0]!.toFixed(0)} ms more`,
  )
  const together = await Promise.all(urls.slice(TIMES + WARM_UP).map(scrape))
  const sorted = together.toSorted((a, b) => a - b)
  console.log(
    `${AT_ONCE} at once: median ${median(together).toFixed(0)} ms, p99 ${sorted[Math.ceil(sorted.length * 0.99) - 1]!.toFixed(0)} ms`,
  )
}

/** Milliseconds until the page arrives. Throws when the answer is an error or has no text. */
async function timeToScrape(product: Product, url: string): Promise<number> {
  const asked = performance.now()
  const reply = await fetch(`${product.base}/api/v1/core/scrape/`, {
    method: 'POST',
    headers: { 'x-api-key': product.key, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  })
  const { result } = (await reply.json()) as { result?: { markdown?: string } }
  if (!result?.markdown) throw new Error(`${url} was answered ${reply.status} without text`)
  return performance.now() - asked
}

/** The same through an MCP tool, in the newest revision of the protocol, which needs no handshake. */
async function timeThroughMcp(product: Product, url: string): Promise<number> {
  const asked = performance.now()
  const version = '2026-07-28'
  const reply = await fetch(`${product.base}/mcp`, {
    method: 'POST',
    headers: {
      'x-api-key': product.key,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': 'scrape',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'scrape',
        arguments: { url, max_age: 0 },
        _meta: { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {} },
      },
    }),
  })
  const { result } = (await reply.json()) as { result?: { structuredContent?: { markdown?: string } } }
  if (!result?.structuredContent?.markdown) throw new Error(`${url} was answered ${reply.status} without text`)
  return performance.now() - asked
}
