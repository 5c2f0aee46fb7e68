/** Extracts structured data from several pages with a language model, in a batch or a crawl, and merges it to one value. */
import type { ExtractBody } from '#contract/firecrawl/shapes.ts'
import type { ModelUse } from '#backend/crawler/models/model-port.ts'
import { mergeValues } from '#backend/crawler/models/merge-values.ts'
import type { Run } from '#backend/runs/run.ts'
import { badRequest, Refused } from './errors.ts'
import type { Jobs } from './jobs.ts'
import { withoutEffect } from './scrape-spec.ts'
import type { Asked, PageAsk } from './scrape-spec.ts'
import type { Statuses } from './status.ts'

/** Page limit for a site written as `https://example.org/*`, unless a limit is given. */
const SITE_PAGES = 20
const WHOLE_SITE = /\/\*$/

/** @param modelUseOf  a run's use of language models; null for none */
export function createExtract({
  jobs,
  modelUseOf,
  statuses,
}: {
  jobs: Jobs
  modelUseOf: (runNo: number) => Promise<Pick<ModelUse, 'promptTokens' | 'answerTokens'> | null>
  statuses: Statuses
}) {
  return { start, status }

  async function start(
    teamId: string,
    body: ExtractBody,
    version: Asked['version'],
    key: string | undefined,
  ): Promise<{ run: Run; invalid: string[] | null; warnings: string[] }> {
    const { ignoreInvalidURLs = true, limit, prompt, schema, systemPrompt } = body
    const urls = body.urls ?? []
    if (urls.length === 0)
      throw badRequest(prompt ? 'This server does not search for pages: name them in urls.' : 'urls or prompt is required.')
    const page: PageAsk = {
      ...body.scrapeOptions,
      // Only the data is read, under one name.
      jsonName: undefined,
      formats: [{ type: 'json', schema, prompt: prompt ?? undefined, systemPrompt: systemPrompt ?? undefined }],
    }
    const extract = { showsSources: body.showSources === true }
    const warnings = warningsOf(body)
    const [site] = urls
    if (!urls.some((url) => WHOLE_SITE.test(url))) {
      const job = await jobs.startBatch(teamId, { ...page, urls, ignoreInvalidURLs }, version, key, { extract, warnings })
      return { ...job, warnings }
    }
    if (site === undefined || urls.length > 1) throw badRequest('A site (a URL that ends with /*) must be the only entry of urls.')
    const run = await jobs.startCrawlJob(
      teamId,
      {
        url: site.replace(WHOLE_SITE, '/'),
        limit: limit ?? SITE_PAGES,
        sitemap: body.ignoreSitemap === true ? 'skip' : 'include',
        allowExternalLinks: body.allowExternalLinks,
        allowSubdomains: body.includeSubdomains ?? true,
        scrapeOptions: page,
      },
      version,
      key,
      { extract, warnings },
    )
    return { run, invalid: null, warnings }
  }

  async function status(teamId: string, id: string, base: string): Promise<Record<string, unknown>> {
    const { asked, run } = await jobs.read(teamId, id)
    if (asked.extract === undefined) throw new Refused(404, 'Extraction job not found.')
    const [whole] = await statuses.heads([{ run, asked }])
    const { createdAt: _at, completed: _c, total: _t, ...head } = whole!
    if (head['status'] === 'scraping') return { ...head, status: 'processing', data: null }
    const values: { url: string; value: unknown }[] = []
    for await (const { text } of statuses.documents(run, asked, 0, run.kept, base)) {
      const { json, metadata } = JSON.parse(text.toString()) as { json?: unknown; metadata: { sourceURL: string } }
      if (json !== undefined) values.push({ url: metadata.sourceURL, value: json })
    }
    const use = await modelUseOf(run.no)
    const common = {
      ...head,
      tokensUsed: use === null ? 0 : use.promptTokens + use.answerTokens,
      sources: asked.extract.showsSources ? sourcesOf(values) : {},
    }
    if (values.length > 0) return { ...common, data: mergeValues(values.map(({ value }) => value)) }
    if (head['status'] !== 'completed') return { ...common, data: null }
    return {
      ...common,
      status: 'failed',
      data: null,
      error: `No page returned data that fits the schema: the log of crawl ${run.id} says why.`,
    }
  }
}

/** For each field, the URLs from which its value was extracted. */
function sourcesOf(values: readonly { url: string; value: unknown }[]): Record<string, string[]> {
  const sources = new Map<string, string[]>()
  for (const { url, value } of values) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue
    for (const [field, said] of Object.entries(value))
      if (said !== null && said !== '') sources.set(field, [...(sources.get(field) ?? []), url])
  }
  return Object.fromEntries(sources)
}

function warningsOf(body: ExtractBody): string[] {
  return [
    ...(body.enableWebSearch === true ? ['enableWebSearch has no effect: the pages in urls are read.'] : []),
    ...(body.timeout ? ['timeout has no effect: the job ends with its pages.'] : []),
    ...(body.webhook ? ['webhook has no effect for extract.'] : []),
    ...withoutEffect(body, ['agent', 'threatProtection']),
  ]
}
