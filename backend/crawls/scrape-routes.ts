/** The endpoint that scrapes one page and returns it. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { scrapePage } from '#contract/scrape.ts'
import { AppError } from '#backend/errors.ts'
import { openEventStream } from '#backend/http/event-stream.ts'
import { patienceOf } from '#backend/http/patience.ts'
import { rawJson } from '#backend/http/reply.ts'
import { route } from '#backend/http/route.ts'
import { instant } from '#backend/http/instants.ts'
import { crawlSource, resultJson } from './present-crawl.ts'
import type { CrawlRouteNeeds } from './routes.ts'
import type { ScrapePage } from './scrape-page.ts'
import { forOneUrl } from './start-crawl.ts'

export function scrapeRoutes({
  attached,
  baseUrl,
  links,
  pages,
  progress,
  scrape,
  startCrawl,
}: Pick<CrawlRouteNeeds, 'attached' | 'baseUrl' | 'links' | 'pages' | 'progress' | 'startCrawl'> & {
  scrape: ScrapePage
}): FastifyPluginAsync {
  return async (app) => {
    route(app, scrapePage, async ({ actor, body, request, reply }) => {
      const { url, options, timeout, max_age: maxAge } = body
      // Refuses the call before anything is started when there are too many. A waiting caller counts like the reader of a stream: both keep
      // a connection open and read the run again and again.
      progress.enter(actor)
      if (wantsStream(request)) {
        const run = await startCrawl.startBatch(actor.teamId, { urls: [url], options }).catch((error: unknown) => {
          progress.leave(actor)
          throw forOneUrl(error)
        })
        const base = baseUrl(request)
        const source = crawlSource({ attached, baseUrl: base, links, pages, prefetched: true })
        progress.follow({
          actor,
          run,
          source,
          form: `true ${base}`,
          after: null,
          withIds: false,
          sink: await openEventStream(request, reply),
        })
        return reply
      }
      const waiting = patienceOf(reply, timeout)
      try {
        const scraped = await scrape(actor.teamId, {
          url,
          spec: startCrawl.batchSpec({ urls: [url], options }),
          hasOwnHeaders: Object.keys(options.page_options.extra_headers).length > 0,
          maxAgeMs: maxAge * 1000,
          start: (spec) => startCrawl.startBatch(actor.teamId, { urls: [url], options }, { page: spec.page }),
          signal: waiting.signal,
        })
        if (scraped === null) throw new AppError('page_late', { message: `The page was not read within ${timeout / 1000} s.` })
        const { cache, fetchedAt, page, run } = scraped
        await attached(run, [page], baseUrl(request))
        const document = await pages.document(page.no)
        const facts = `"crawl_request":"${run.id}","cache":"${cache}","fetched_at":"${instant(fetchedAt)}"`
        return rawJson(`{${facts},${resultJson(page, document.toString()).slice(1)}`)
      } catch (error) {
        throw forOneUrl(error)
      } finally {
        waiting.end()
        progress.leave(actor)
      }
    })
  }
}

function wantsStream({ headers: { accept = '' } }: FastifyRequest): boolean {
  return /(?:^|,)\s*text\/event-stream\s*(?:;|,|$)/i.test(accept)
}
