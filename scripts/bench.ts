/**
 * `npm run bench`: how fast the whole product crawls, and what it costs. Everything is measured in one run on one machine, so that the
 * ratios can be compared where the figures cannot.
 *
 *   npm run bench                 the crawl and the first result
 *   npm run bench -- crawl        pages/s, MB/s, CPU, memory, the ratio to a bare loop; `--pages`, `--kb`, `--rounds`
 *   npm run bench -- first-result from POST to the result event of a one-page crawl, against the bare fetch
 *   npm run bench -- known        speed at 50,000 known URLs against 2,000; `--pages` for other numbers, `--rounds` for more than one
 *   npm run bench -- deletion     what a crawl keeps of its speed beside the removal of 1,000,000 URLs; `--pages` for other numbers, `--rounds`
 *   npm run bench -- lighthouse   Lighthouse on login, home, crawl and details, desktop and mobile, with a signed-in session; `--only` for some, `--out` a folder for the whole reports
 *   npm run bench -- neighbours   what a team keeps of its speed beside the worst crawls of another team; `--rounds`, within three minutes; `--only` for some
 *   npm run bench -- long         a million small pages over PostgreSQL: is it at the end as it was at a tenth? `--pages` for another number
 *   npm run bench -- page         what reading one page costs, stage by stage; `--kb`
 *   npm run bench -- scrape       a page that is scraped and waited for against the bare fetch, one after another and 50 at once
 *   npm run bench -- render       pages that a browser draws: pages/s and memory at 1, 2 and 4 at once, the ratio to a bare Playwright loop; `--pages`, `--rounds`
 *   npm run bench -- scale        1, 2 and 4 processes over PostgreSQL and 200 hosts, and one process over PostgreSQL and over SQLite; `--rounds`
 *   npm run bench -- screens      layout shifts and long tasks of a live crawl, a long list that is scrolled, a large result that is opened; `--rounds`
 *   npm run bench -- search       100,000 own pages: pages indexed a second, size, queries while a crawl writes; `--pages`
 *   npm run bench -- sitemap      20,000 and 1,000,000 URLs: URLs a second, memory of the engine; `--pages` for one size
 *   npm run bench -- requests     how long the worst request to each endpoint holds the API's event loop, over a large database; `--only` for some, `--postgres`, `--whole` to read all answers to their end
 *   npm run bench -- streams      what idle readers of a status stream cost, 500 at a time
 *
 * The product has one core, the site and this program the other.
 */
import { parseArgs } from 'node:util'
import { crawlBench } from './bench/crawl.ts'
import { deletionBench } from './bench/deletion.ts'
import { firstResultBench } from './bench/first-result.ts'
import { knownBench } from './bench/known.ts'
import { lighthouseBench } from './bench/lighthouse.ts'
import { longBench } from './bench/long.ts'
import { neighboursBench } from './bench/neighbours.ts'
import { pageBench } from './bench/page.ts'
import { renderBench } from './bench/render.ts'
import { requestsBench } from './bench/requests.ts'
import { scaleBench } from './bench/scale.ts'
import { scrapeBench } from './bench/scrape.ts'
import { screensBench } from './bench/screens.ts'
import { searchBench } from './bench/search.ts'
import { sitemapBench } from './bench/sitemap.ts'
import { streamsBench } from './bench/streams.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    out: { type: 'string' },
    pages: { type: 'string' },
    kb: { type: 'string', default: '25' },
    postgres: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    whole: { type: 'boolean', default: false },
  },
})
const rounds = (usual: number) => Number(values.rounds ?? usual)
const parts: Record<string, () => Promise<void>> = {
  crawl: () => crawlBench({ pages: Number(values.pages ?? 2000), kb: Number(values.kb), rounds: rounds(3) }),
  deletion: () => deletionBench({ urls: Number(values.pages ?? 1_000_000), rounds: rounds(3) }),
  'first-result': firstResultBench,
  lighthouse: () => lighthouseBench({ only: values.only?.split(',') ?? [], out: values.out }),
  known: () => knownBench({ pages: Number(values.pages ?? 50_000), rounds: rounds(1) }),
  neighbours: () => neighboursBench({ rounds: rounds(3), only: values.only?.split(',') ?? [] }),
  long: () => longBench({ pages: Number(values.pages ?? 1_000_000) }),
  page: () => pageBench({ kb: Number(values.kb) }),
  render: () => renderBench({ pages: Number(values.pages ?? 40), rounds: rounds(3) }),
  requests: () => requestsBench({ only: values.only?.split(',') ?? [], postgres: values.postgres, whole: values.whole }),
  scale: () => scaleBench({ rounds: rounds(3), only: values.only?.split(',') ?? [] }),
  scrape: scrapeBench,
  screens: () => screensBench({ rounds: rounds(5) }),
  search: () => searchBench({ pages: Number(values.pages ?? 100_000) }),
  sitemap: () => sitemapBench({ sizes: values.pages === undefined ? [20_000, 1_000_000] : [Number(values.pages)] }),
  streams: streamsBench,
}
const wanted = positionals.length > 0 ? positionals : ['crawl', 'first-result']
for (const name of wanted) {
  const part = parts[name]
  if (part === undefined) {
    console.error(`There is no benchmark "${name}". There are: ${Object.keys(parts).join(', ')}.`)
    process.exit(2)
  }
  await part()
}
