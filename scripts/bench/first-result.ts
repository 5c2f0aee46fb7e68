/**
 * Measures how long a person waits for the first page: from POST to the result event of a one-page crawl, minus the bare fetch of that
 * page.
 */
import { median, startProduct, startSite } from './processes.ts'
import type { Product } from './processes.ts'
import { startCrawl } from './crawl.ts'

const TIMES = 50

export async function firstResultBench() {
  const site = await startSite({ pages: 200 }, 1)
  const product = await startProduct(site.port, null)
  try {
    const urls = (await site.manifest()).slice(0, TIMES + 3)
    const extra: number[] = []
    const bare: number[] = []
    for (const url of urls) {
      const asked = performance.now()
      await (await fetch(url)).text()
      bare.push(performance.now() - asked)
      extra.push((await timeToResult(product, url)) - bare.at(-1)!)
    }
    // The first few start the engine's process, which a person meets once.
    console.log(
      `first result of a one-page crawl, median of ${TIMES}: ${median(extra.slice(3)).toFixed(1)} ms more than the bare fetch (${median(bare.slice(3)).toFixed(1)} ms); the very first ${extra[0]!.toFixed(0)} ms more`,
    )
  } finally {
    await product.stop()
    await site.stop()
  }
}

async function timeToResult(product: Product, url: string): Promise<number> {
  const started = performance.now()
  const id = await startCrawl(product, url, 1)
  const stream = await fetch(`${product.base}/api/v1/core/crawl-requests/${id}/status/`, { headers: { 'x-api-key': product.key } })
  let text = ''
  let at = Number.NaN
  for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (Number.isNaN(at) && text.includes('"type":"result"')) at = performance.now() - started
  }
  if (Number.isNaN(at)) throw new Error(`no result of ${url}: ${text.slice(0, 300)}`)
  return at
}
