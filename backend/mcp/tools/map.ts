/** The tool that returns the URLs of a site: creates a sitemap and waits for it. */
import * as z from 'zod/mini'
import { createSitemap } from '#contract/sitemaps.ts'
import { isTerminal } from '#contract/runs.ts'
import { AppError } from '#backend/errors.ts'
import type { EventBus } from '#backend/platform/events/event-bus.ts'
import { awaitRun } from '#backend/runs/await-run.ts'
import type { Runs } from '#backend/runs/runs.ts'
import type { SitemapUrls } from '#backend/sitemaps/sitemap-urls.ts'
import type { StartSitemap } from '#backend/sitemaps/start-sitemap.ts'
import { counted } from '../counted.ts'
import { checked, defineTool, text } from '../tool.ts'
import { webUrl } from '../web-url.ts'
import { pageUrl } from './scrape.ts'

const WAIT_MS = 50_000

export type MapToolNeeds = { bus: EventBus; runs: Runs; startSitemap: StartSitemap['startSitemap']; urls: SitemapUrls }

export const mapTool = ({ bus, runs, startSitemap, urls }: MapToolNeeds) =>
  defineTool({
    name: 'map',
    title: 'List the URLs of a website',
    description:
      'Lists the URLs of a site from its sitemap files, or by following links if it has none. It does not read the pages. Use it to find the right page before scrape, or the right paths before crawl.',
    annotations: { readOnlyHint: true, openWorldHint: true },
    input: z.strictObject({
      url: pageUrl,
      search: z.optional(z.string().check(z.maxLength(255))).check(z.describe('Return only URLs whose path contains one of these words')),
      include_subdomains: z._default(z.boolean(), false),
      limit: z._default(z.int().check(z.minimum(1), z.maximum(5000)), 200).check(z.describe('Maximum number of URLs to return')),
    }),
    output: z.object({
      urls: z.array(z.string()),
      is_complete: z.boolean().check(z.describe('False if the site has more URLs or time ran out')),
    }),
    async call({ include_subdomains, limit, search, url }, { actor, progress, signal }) {
      const body = checked(createSitemap.body, { url: webUrl(url), options: { include_subdomains, search } })
      const run = await startSitemap(actor.teamId, body)
      let seen = 0
      progress(0, null, `Looking for the URLs of ${run.label}`)
      const ended = await awaitRun({ bus, runs }, 'sitemap', run, AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]), ({ kept }) => {
        if (kept > seen) progress((seen = kept), null, `${counted(kept, 'URL')} found`)
        return kept > limit
      })
      if (!isTerminal(ended.status)) await runs.stop(actor.teamId, 'sitemap', run.id)
      if (ended.status === 'failed' && ended.kept === 0)
        throw new AppError('page_unreadable', { fields: { url: [ended.reason ?? 'nothing answered'] } })
      const found: string[] = []
      let hasMore = !isTerminal(ended.status)
      for await (const some of urls.read(run.no)) {
        found.push(...some.slice(0, limit - found.length).map(({ url: one }) => one))
        hasMore ||= found.length >= limit && ended.kept > limit
        if (found.length >= limit) break
      }
      const note = hasMore
        ? `These are the first ${found.length} URLs; the site has more. Narrow them down with search.`
        : `${counted(found.length, 'URL')}.`
      return { content: [text([note, '', ...found].join('\n'))], structured: { urls: found, is_complete: !hasMore } }
    },
  })
