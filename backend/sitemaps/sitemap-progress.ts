/** What a sitemap's stream shows: its object, the list linked, or embedded in the last state when that is not too long. */
import type { FileLinks } from '#backend/http/file-links.ts'
import type { Run } from '#backend/runs/run.ts'
import type { RunForm } from '#backend/runs/run-routes.ts'
import { NO_RESULTS } from '#backend/runs/tail.ts'
import type { ProgressSource } from '#backend/runs/tail.ts'
import { hasResult, presentSitemap } from './present-sitemap.ts'

/** An event is one piece of memory for all who read it; a list that is longer than this is linked. */
const MAX_EMBEDDED = 32 * 1024 * 1024

type Needs = RunForm & { links: FileLinks; listText: (run: Run) => AsyncIterable<string> }

export const sitemapSource = ({ baseUrl, links, listText, prefetched }: Needs): ProgressSource => ({
  ...NO_RESULTS,
  async state(run) {
    const shown = presentSitemap(run, links, baseUrl)
    const list = prefetched && hasResult(run) ? await wholeText(listText(run)) : null
    if (list === null) return JSON.stringify(shown)
    const { result: _linked, ...rest } = shown
    return `${JSON.stringify(rest).slice(0, -1)},"result":${list}}`
  },
})

/** The pieces together; null when they are too long. */
async function wholeText(texts: AsyncIterable<string>): Promise<string | null> {
  const pieces: string[] = []
  let length = 0
  for await (const text of texts) {
    pieces.push(text)
    length += text.length
    if (length > MAX_EMBEDDED) return null
  }
  return pieces.join('')
}
