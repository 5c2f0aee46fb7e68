/** The most expensive messages to the MCP server: see `worst-requests.ts`. */
import { MAX_OWN_QUERY } from '#contract/own-pages.ts'
import { MAX_QUERY } from '#contract/searches.ts'
import { MAX_URL_LENGTH } from '#contract/sizes.ts'
import type { Asked, Context } from './worst-requests.ts'

const longUrl = 'http://127.0.0.1:9/'.padEnd(MAX_URL_LENGTH, 'x')
const words = (length: number) => 'word '.repeat(Math.floor(length / 5))
/** Two lists of them are almost as large as all options together may be. */
const patterns = Array.from({ length: 30 }, (_, n) => `${'*a'.repeat(500)}${n}`)

const message = (method: string, params: object): Asked => ({ body: { jsonrpc: '2.0', id: 1, method, params } })
const tool = (name: string, args: object) => message('tools/call', { name, arguments: args })

export function worstOfMcp({ bigCrawl, heavyCrawl, heavyPage, page }: Context): Asked[] {
  const pages = [`seine://pages/${heavyCrawl}/${heavyPage}`, `seine://pages/${bigCrawl}/${page}`]
  return [
    message('tools/list', {}),
    message('resources/list', {}),
    ...pages.map((uri) => message('resources/read', { uri })),
    message('resources/read', { uri: `seine://crawls/${bigCrawl}` }),
    ...pages.map((result) => tool('read_result', { result, max_chars: 100_000 })),
    tool('read_result', { result: pages[0], offset: 4_000_000 }),
    tool('crawl_status', { crawl_id: bigCrawl, limit: 200, offset: 29_800 }),
    tool('crawl', { url: longUrl, limit: 1, include_paths: patterns, exclude_paths: patterns }),
    tool('map', { url: longUrl, search: words(255), limit: 5000 }),
    tool('scrape', { url: longUrl, timeout_seconds: 5, max_age: 1_000_000 }),
    tool('extract', { url: longUrl, timeout_seconds: 5, prompt: words(8000) }),
    tool('search_web', { query: words(MAX_QUERY), limit: 20 }),
    tool('search_pages', { query: 'a* b* c* d* -e "f g"', limit: 50, offset: 1000 }),
    tool('search_pages', { query: words(MAX_OWN_QUERY), limit: 50 }),
  ]
}
