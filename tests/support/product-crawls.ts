/** Crawls of a running product, started over HTTP like a user's. */
import { login } from '#contract/accounts.ts'
import type { CrawlRequest, CrawlResult, UrlOutcome } from '#contract/crawls.ts'
import { createCrawl, followCrawl, getCrawl, listOutcomes, listResults } from '#contract/crawls.ts'
import { fillPath } from '#contract/endpoint.ts'
import { OWNER } from './product.ts'
import { until } from './until.ts'

const MOST_MS = 150_000

/** Signs in as the owner of an installed product. */
export async function crawlsOf({ url }: { url: string }) {
  let token = ''
  token = (await call<{ access: string }>('POST', login.path, OWNER)).access
  return { start, refused, ended, outcomes, results, feed }

  /** @param options  of the crawl, as its body has them */
  async function start(site: string, options: { spider_options?: object; page_options?: object } = {}): Promise<string> {
    return (
      await call<CrawlRequest>('POST', createCrawl.path, { url: site, options: { spider_options: {}, page_options: {}, ...options } })
    ).uuid
  }

  /** Starts a crawl that must be refused; returns the error. */
  async function refused(
    site: string,
    options: { spider_options?: object; page_options?: object },
  ): Promise<{ status: number; body: unknown }> {
    const answer = await ask('POST', createCrawl.path, { url: site, options: { spider_options: {}, page_options: {}, ...options } })
    return { status: answer.status, body: await answer.json() }
  }

  /** Waits for the end of the crawl; throws after two and a half minutes. */
  async function ended(id: string): Promise<CrawlRequest> {
    let crawl!: CrawlRequest
    await until(async () => {
      crawl = await call<CrawlRequest>('GET', fillPath(getCrawl.path, { id }))
      return ['finished', 'failed', 'canceled'].includes(crawl.status)
    }, MOST_MS)
    return crawl
  }

  /** The first hundred. */
  async function outcomes(id: string): Promise<UrlOutcome[]> {
    return (await call<{ results: UrlOutcome[] }>('GET', `${fillPath(listOutcomes.path, { id })}?page_size=100`)).results
  }

  /** The first hundred, with their documents. */
  async function results(id: string): Promise<CrawlResult[]> {
    return (await call<{ results: CrawlResult[] }>('GET', `${fillPath(listResults.path, { id })}?prefetched=true&page_size=100`)).results
  }

  /** The whole status stream of an ended crawl, as one text. */
  async function feed(id: string): Promise<string> {
    return (await ask('GET', fillPath(followCrawl.path, { id }))).text()
  }

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await ask(method, path, body)
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as T
  }

  function ask(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }
}
