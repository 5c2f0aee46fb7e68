/** Does the speed hold when a crawl knows many URLs? The same pages, with few and with many links between them. */
import { median, startProduct, startSite } from './processes.ts'
import { crawlWhole } from './crawl.ts'

const ROUNDS = 3

export async function knownBench() {
  const few: number[] = []
  const many: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    few.push(await speed(2000))
    many.push(await speed(50_000))
  }
  console.log(
    `speed at 50,000 known URLs: ${(median(many) / median(few)).toFixed(3)} of that at 2,000 (${median(many).toFixed(0)} and ${median(few).toFixed(0)} pages/s, 6 KB pages)`,
  )
}

async function speed(pages: number): Promise<number> {
  const site = await startSite({ pages, kb: 6 }, 1)
  const product = await startProduct(site.port, 0, { CRAWL_MAX_JOB_SECONDS: '3600' })
  try {
    const { seconds } = await crawlWhole(product, site, pages)
    return pages / seconds
  } finally {
    await product.stop()
    await site.stop()
  }
}
