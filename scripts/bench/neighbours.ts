/**
 * Measures how fast one team's ordinary crawl is alone, beside an ordinary crawl of another team, and beside the most expensive crawls of
 * another team. The crawler is fair if the last two are equal: the goal is a ratio of 0.8 or more.
 *
 * Each speed is measured in a product of its own. A crawl that does not end in time counts with its pages so far.
 *
 * Every round measures each speed once; a ratio compares two speeds of one round, and the median of the ratios is judged. Pages per second
 * of the product's processor time are printed as well: other load on the machine slows a crawl down, but hardly changes its cost.
 */
import { costOf, freePort, firstLine, median, startNode, startProduct, startSite } from './processes.ts'
import type { Product, Site } from './processes.ts'
import { startCrawl } from './crawl.ts'

const GOAL = 0.8
const PAGES = 600
const KB = 25
const FIFTY = 50
const NEIGHBOUR_PAGES = 3000
/** Longest time of one measured crawl, and of the wait for its neighbour. */
const MOST_MS = 10_000
const STRIDE_MS = 5000
/** No round begins that would end later, judged by the previous one. */
const ALL_MS = 165_000
const ALONE = 'nobody'
const ORDINARY = 'an ordinary crawl'

/** Pages per second, and per second of the product's processor time. */
type Speed = { perSecond: number; perCpuSecond: number }
type Caller = Pick<Product, 'call'>
/** The URLs that the neighbour crawls, by name. */
type Neighbours = Record<string, string[]>

/**
 * @param rounds  most rounds; fewer when the time is up
 * @param only    words from the names of neighbours to measure; empty: all
 */
export async function neighboursBench({ rounds, only }: { rounds: number; only: string[] }) {
  const from = performance.now()
  const site = await startSite({ pages: PAGES, kb: KB }, 1)
  // Separate hosts and addresses, because host limits between teams are not measured here. Pages are generated on request.
  const others = await startSite({ pages: NEIGHBOUR_PAGES, kb: KB, hosts: FIFTY + 1, 'cache-mb': 1 }, 1)
  const heavyPort = await freePort()
  const heavy = startNode('scripts/bench/heavy-site.ts', [String(heavyPort)], { core: 1 })
  try {
    await firstLine(heavy, (line) => line.includes('"ready"'))
    const ordinary = Array.from({ length: FIFTY }, (_, n) => `http://127.0.0.${n + 2}:${others.port}/`)
    const worst: Neighbours = {
      'pages with 200,000 links': [`http://127.0.0.2:${heavyPort}/links-200000/`],
      'pages with 1,000 links': [`http://127.0.0.2:${heavyPort}/links-1000/`],
      'markup that is slow to parse': [`http://127.0.0.2:${heavyPort}/slow/`],
      'now and then a slow page': [`http://127.0.0.2:${heavyPort}/mixed/`],
      [`${FIFTY} crawls at once`]: ordinary,
    }
    const chosen = Object.entries(worst).filter(([name]) => only.length === 0 || only.some((word) => name.includes(word)))
    const neighbours: Neighbours = { [ALONE]: [], [ORDINARY]: ordinary.slice(0, 1), ...Object.fromEntries(chosen) }
    const taken: Record<string, Speed>[] = []
    for (let longest = 0; taken.length < rounds && performance.now() - from + longest < ALL_MS;) {
      const roundFrom = performance.now()
      const round: Record<string, Speed> = {}
      for (const [name, urls] of Object.entries(neighbours)) {
        const speed = await speedBeside(site, urls)
        round[name] = speed
        console.log(`  round ${taken.length + 1}, beside ${name}: ${said(speed)}`)
      }
      taken.push(round)
      longest = Math.max(longest, performance.now() - roundFrom)
    }
    print(taken, Object.keys(neighbours))
  } finally {
    await Promise.all([site.stop(), others.stop(), heavy.stop()])
  }
}

const said = ({ perCpuSecond, perSecond }: Speed) => `${perSecond.toFixed(0)} pages/s, ${perCpuSecond.toFixed(0)} pages/CPU s`

function print(rounds: Record<string, Speed>[], names: string[]) {
  console.log(`crawl of ${PAGES} pages of ${KB} KB, medians of ${rounds.length} rounds`)
  for (const name of names) {
    const medianOf = (value: (round: Record<string, Speed>) => number) => median(rounds.map(value))
    const speed = {
      perSecond: medianOf((round) => round[name]!.perSecond),
      perCpuSecond: medianOf((round) => round[name]!.perCpuSecond),
    }
    const base = name === ORDINARY ? ALONE : ORDINARY
    const ratio = medianOf((round) => round[name]!.perSecond / round[base]!.perSecond)
    const cpuRatio = medianOf((round) => round[name]!.perCpuSecond / round[base]!.perCpuSecond)
    const isJudged = name !== ALONE && name !== ORDINARY
    const compared = name === ALONE ? '' : `; ${ratio.toFixed(2)} of beside ${base}, ${cpuRatio.toFixed(2)} for the same processor time`
    console.log(
      `${isJudged && ratio < GOAL ? '!' : ' '} beside ${name}: ${said(speed)}${compared}${isJudged ? `; at least ${GOAL} wanted` : ''}`,
    )
  }
}

/** The speed of an ordinary crawl while another team crawls all of `urls`. */
async function speedBeside(site: Site, urls: string[]): Promise<Speed> {
  const product = await startProduct(site.port, 0, { EGRESS_ALLOW: '127.0.0.0/8' })
  try {
    const other = await product.otherTeam('Neighbour')
    // One page first, so that the engine's process and threads exist before the clock starts.
    await keptOf(product, [await startCrawl(product, site.url, 1)], 1)
    const theirs: string[] = []
    for (const url of urls) theirs.push(await startCrawl(other, url, NEIGHBOUR_PAGES))
    // Wait until the neighbour is at full speed: one page of each crawl is kept, unless they are too many or too heavy for that.
    await keptOf(other, theirs, theirs.length, STRIDE_MS)
    const from = performance.now()
    const { cpuSeconds: cpuFrom } = costOf(product.child)
    const { kept, isOver } = await keptOf(product, [await startCrawl(product, site.url, PAGES * 2)], PAGES)
    const seconds = (performance.now() - from) / 1000
    const cpuSeconds = costOf(product.child).cpuSeconds - cpuFrom
    if (isOver && kept !== PAGES) throw new Error(`${kept} of ${PAGES} pages were kept`)
    if (theirs.length > 0 && (await keptOf(other, theirs, 0, 0)).isOver)
      throw new Error('the neighbour ended before the crawl that was measured')
    return { perSecond: kept / seconds, perCpuSecond: kept / cpuSeconds }
  } finally {
    await product.stop()
  }
}

/** Waits until the jobs have kept so many pages in total, or have all ended, at most `mostMs`. */
async function keptOf({ call }: Caller, ids: string[], wanted: number, mostMs = MOST_MS): Promise<{ kept: number; isOver: boolean }> {
  const until = performance.now() + mostMs
  for (;;) {
    let kept = 0
    let running = 0
    for (const id of ids) {
      const job = await call<{ status: string; number_of_documents: number }>('GET', `/api/v1/core/crawl-requests/${id}/`)
      if (job.status === 'failed' || job.status === 'canceled') throw new Error(`a crawl ended ${job.status}`)
      kept += job.number_of_documents
      if (job.status !== 'finished') running += 1
    }
    if (running === 0 || kept >= wanted || performance.now() > until) return { kept, isOver: running === 0 }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
