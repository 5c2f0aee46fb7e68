/** The URLs of a run that gave no document. */
import { FAILURES } from '#backend/crawler/outcomes.ts'
import type { CrawlOutcomes } from '#backend/crawls/crawl-outcomes.ts'
import type { Run } from '#backend/runs/run.ts'
import { codeOfOutcome } from './errors.ts'

export type ErrorEntry = { id: string; timestamp: string; url: string; code: string; error: string }

const ERRORS_AT_ONCE = 500
const MOST_ERRORS = 10_000

/** URLs without a page, and URLs that robots.txt forbids. */
export async function errorsOf(outcomes: CrawlOutcomes, run: Run): Promise<{ errors: ErrorEntry[]; robotsBlocked: string[] }> {
  const at = new Date(run.endedAt ?? run.updatedAt).toISOString()
  const found: ErrorEntry[] = []
  for await (const { url, outcome, detail } of endedUrls(outcomes, run, [...FAILURES]))
    found.push({
      id: `${run.id}:${found.length + 1}`,
      timestamp: at,
      url,
      code: codeOfOutcome(outcome ?? ''),
      error: [outcome, detail].filter(Boolean).join(': '),
    })
  const robotsBlocked: string[] = []
  for await (const { url } of endedUrls(outcomes, run, ['robots'])) robotsBlocked.push(url)
  return { errors: found, robotsBlocked }
}

async function* endedUrls(outcomes: CrawlOutcomes, run: Run, wanted: string[]) {
  for (let last = -1, seen = 0; seen < MOST_ERRORS;) {
    const urls = await outcomes.after(run, wanted, last, Math.min(ERRORS_AT_ONCE, MOST_ERRORS - seen))
    yield* urls
    seen += urls.length
    last = urls.at(-1)?.seq ?? last
    if (urls.length < ERRORS_AT_ONCE) return
  }
}
