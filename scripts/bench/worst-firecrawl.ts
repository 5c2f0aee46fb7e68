/** The most expensive requests of each endpoint of the Firecrawl API, by the endpoint's name there: see `worst-requests.ts`. */
import { MAX_EXTRACT_URLS } from '#contract/firecrawl/shapes.ts'
import { MAX_BATCH_URLS, MAX_URL_LENGTH } from '#contract/sizes.ts'
import type { Asked, Context } from './worst-requests.ts'

const VERSIONS = ['v1', 'v2'] as const

const MANY_PATTERNS = Array.from({ length: 50 }, (_, n) => `shelf-.*${n}`)

export const WORST_OF_FIRECRAWL: Record<string, (context: Context) => Asked[]> = {
  ...both('activeCrawls ongoingCrawls concurrency queue credits tokens creditHistory tokenHistory', () => [{}]),
  ...both('scrape', () => [{ body: { url: longUrl(0), excludeTags: heavySelectors(), timeout: 1000 } }]),
  ...both('crawl', () => [{ body: { url: longUrl(0), includePaths: MANY_PATTERNS, scrapeOptions: { excludeTags: heavySelectors() } } }]),
  ...both('batch', () => [{ body: { urls: manyUrls(), excludeTags: heavySelectors() } }]),
  ...both('map', () => [{ body: { url: longUrl(0), limit: 5000, timeout: 1000 } }]),
  ...both('search', () => [{ body: { query: 'word '.repeat(50), limit: 20, timeout: 1000 } }]),
  ...both('extract', () => [{ body: { urls: manyUrls(MAX_EXTRACT_URLS), prompt: 'word '.repeat(1000) } }]),
  ...both('previewCrawl', () => [{ body: { url: longUrl(0), prompt: 'word '.repeat(1000) } }]),
  ...both('readScrape extractStatus', ({ heavyCrawl: job }) => [{ params: { job } }]),
  ...both('crawlStatus batchStatus', ({ bigCrawl, heavyCrawl }) => [
    { params: { job: heavyCrawl } },
    { params: { job: bigCrawl }, query: { skip: 29_900 } },
  ]),
  ...both('crawlErrors crawlErrorsByDelete batchErrors batchErrorsByDelete', ({ bigCrawl: job }) => [{ params: { job } }]),
  // Measured without a job, because later measurements need the data.
  ...both('cancelCrawl cancelBatch', ({ nowhere: job }) => [{ params: { job } }]),
  'v2.parse': () => [],
  'v2.createMonitor': () => [
    {
      body: { name: 'm', schedule: { cron: '0 0 29 2 +1', timezone: 'America/New_York' }, targets: [{ type: 'scrape', urls: manyUrls() }] },
    },
    {
      body: {
        name: 'm',
        schedule: { text: 'hourly' },
        targets: [{ type: 'crawl', url: longUrl(0), crawlOptions: { includePaths: MANY_PATTERNS } }],
      },
    },
  ],
  'v2.listMonitors': () => [{ query: { limit: 100 } }],
  'v2.getMonitor': ({ monitor }) => [{ params: { monitor } }],
  'v2.changeMonitor': ({ monitor }) => [{ params: { monitor }, body: { name: 'm', schedule: { cron: '0 0 29 2 +1' } } }],
  'v2.deleteMonitor': ({ nowhere: monitor }) => [{ params: { monitor } }],
  'v2.runMonitor': ({ monitor }) => [{ params: { monitor } }],
  'v2.listChecks': ({ monitor }) => [{ params: { monitor }, query: { limit: 100 } }],
  'v2.getCheck': ({ bigCrawl, heavyCrawl, monitor }) => [
    { params: { monitor, check: heavyCrawl } },
    { params: { monitor, check: heavyCrawl }, query: { status: 'changed', skip: 50 } },
    { params: { monitor, check: heavyCrawl }, query: { skip: 20_000 } },
    { params: { monitor, check: bigCrawl }, query: { skip: 29_000 } },
  ],
}

function both(names: string, asked: (context: Context) => Asked[]) {
  return Object.fromEntries(names.split(' ').flatMap((name) => VERSIONS.map((version) => [`${version}.${name}`, asked])))
}

const longUrl = (n: number) => `http://127.0.0.1:9/${n}/`.padEnd(MAX_URL_LENGTH, 'x')

const manyUrls = (length = MAX_BATCH_URLS) => Array.from({ length }, (_, n) => `http://127.0.0.1:9/${n}/${'x'.repeat(150)}`)

const heavySelectors = () => Array.from({ length: 50 }, (_, n) => `${'.a'.repeat(450)}${n}`)
