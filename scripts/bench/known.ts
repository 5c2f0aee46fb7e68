/** Measures whether the speed holds when a crawl knows many URLs: the same pages, with few and with many links. */
import { median, startProduct, startSite } from './processes.ts'
import { crawlWhole } from './crawl.ts'

const FEW = 2000

/**
 * @param pages   of the large crawl: 50,000 take a minute or more per round
 * @param rounds  each has a large crawl between two small ones, so that other load on the machine affects both
 */
export async function knownBench({ pages, rounds }: { pages: number; rounds: number }) {
  const few = [await speed(FEW)]
  const many: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    many.push(await speed(pages))
    few.push(await speed(FEW))
    console.log(
      `  round ${round}: ${many.at(-1)!.toFixed(0)} pages/s, ${few
        .slice(-2)
        .map((each) => each.toFixed(0))
        .join(' and ')} with few`,
    )
  }
  console.log(
    `speed at ${pages} known URLs: ${(median(many) / median(few)).toFixed(3)} of that at ${FEW} (${median(many).toFixed(0)} and ${median(few).toFixed(0)} pages/s, 6 KB pages)`,
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
