/** Measures a whole crawl with full work: main content, Markdown, links, durable storage. */
import { costOf, firstLine, median, percentile, startNode, startProduct, startSite } from './processes.ts'
import type { Product, Site } from './processes.ts'

const PROBE_MS = 50
const WIDTH = 32

type CrawlFigures = { pages: number; seconds: number; cpuSeconds: number; peakMiB: number; bytes: number; probes: number[] }

export async function crawlBench({ pages, kb, rounds }: { pages: number; kb: number; rounds: number }) {
  const site = await startSite({ pages, kb }, 1)
  const figures: CrawlFigures[] = []
  const ratios = { bare: [] as number[], work: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    const bare = await bareLoop(site, 'unpack')
    const work = await bareLoop(site, 'work')
    const product = await startProduct(site.port, 0)
    try {
      await warmUp(product, site)
      const crawl = await crawlWhole(product, site, pages)
      figures.push(crawl)
      const speed = crawl.pages / crawl.seconds
      ratios.bare.push(speed / bare)
      ratios.work.push(speed / work)
      console.log(`  round ${round + 1}: ${describe(crawl)}; bare loop ${bare.toFixed(0)} pages/s, with the same work ${work.toFixed(0)}`)
    } finally {
      await product.stop()
    }
  }
  await site.stop()
  const of = (pick: (crawl: CrawlFigures) => number) => median(figures.map(pick))
  console.log(`crawl of ${pages} pages of ${kb} KB, median of ${rounds}:`)
  console.log(`  ${of((c) => c.pages / c.seconds).toFixed(0)} pages/s, ${of((c) => c.bytes / c.seconds / 1e6).toFixed(1)} MB/s of pages`)
  console.log(
    `  ${of((c) => (c.cpuSeconds / c.pages) * 1000).toFixed(2)} CPU seconds per 1,000 pages, ${of((c) => c.peakMiB).toFixed(0)} MiB at most`,
  )
  console.log(
    `  ${median(ratios.work).toFixed(2)} of a bare loop that does the same work for each page and stores nothing, ${median(ratios.bare).toFixed(2)} of one that only fetches`,
  )
  console.log(
    `  /health/live meanwhile: median ${of((c) => median(c.probes)).toFixed(1)} ms, p99 ${of((c) => percentile(c.probes, 0.99)).toFixed(1)} ms`,
  )
}

const describe = (crawl: CrawlFigures) =>
  `${(crawl.pages / crawl.seconds).toFixed(0)} pages/s, ${((crawl.cpuSeconds / crawl.pages) * 1000).toFixed(2)} CPU s per 1,000, ${crawl.peakMiB.toFixed(0)} MiB, p99 ${percentile(crawl.probes, 0.99).toFixed(0)} ms`

/** Pages a second. */
async function bareLoop(site: Site, task: 'unpack' | 'work'): Promise<number> {
  const running = startNode('scripts/bench/bare-loop.ts', [site.url, String(WIDTH), task], { core: 0 })
  const { pages, seconds } = JSON.parse(await firstLine(running, (line) => line.startsWith('{'))) as { pages: number; seconds: number }
  return pages / seconds
}

/** Crawls one page first, so that the engine's process and threads exist before the clock starts. */
export async function warmUp(product: Product, site: Site) {
  await waitFor(product, await startCrawl(product, site.url, 1))
  await site.reset()
}

/** Crawls the site completely, and requests `/health/live` every 50 ms meanwhile. */
export async function crawlWhole(product: Product, site: Site, pages: number): Promise<CrawlFigures> {
  const before = costOf(product.child)
  const probes: number[] = []
  let peakMiB = before.mebibytes
  const probe = setInterval(() => {
    const asked = performance.now()
    void fetch(`${product.base}/health/live`).then(async (answer) => {
      await answer.text()
      probes.push(performance.now() - asked)
    })
  }, PROBE_MS)
  const look = setInterval(() => {
    peakMiB = Math.max(peakMiB, costOf(product.child).mebibytes)
  }, 500)
  const started = performance.now()
  const id = await startCrawl(product, site.url, pages * 2)
  await waitFor(product, id)
  const seconds = (performance.now() - started) / 1000
  clearInterval(probe)
  clearInterval(look)
  const { identity_bytes: bytes = 0 } = await site.stats()
  const { number_of_documents: kept } = await product.call<{ number_of_documents: number }>('GET', `/api/v1/core/crawl-requests/${id}/`)
  if (kept !== pages) throw new Error(`${kept} of ${pages} pages were kept`)
  return { pages: kept, seconds, cpuSeconds: costOf(product.child).cpuSeconds - before.cpuSeconds, peakMiB, bytes, probes }
}

export async function startCrawl({ call }: Pick<Product, 'call'>, url: string, limit: number): Promise<string> {
  const options = {
    spider_options: { max_depth: limit === 1 ? 0 : 100, page_limit: limit, concurrent_requests: WIDTH },
    page_options: { ignore_rendering: true },
  }
  return (await call<{ uuid: string }>('POST', '/api/v1/core/crawl-requests/', { url, options })).uuid
}

/** Polls ten times a second until the run has finished; throws when it ends otherwise. */
export async function waitFor(product: Product, id: string): Promise<void> {
  for (;;) {
    const job = await product.call<{ status: string }>('GET', `/api/v1/core/crawl-requests/${id}/`)
    if (job.status === 'finished') return
    if (job.status === 'failed' || job.status === 'canceled') throw new Error(`the crawl ended ${job.status}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
