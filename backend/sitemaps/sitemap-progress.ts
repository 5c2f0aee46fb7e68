/** The source of a sitemap's event stream: its object, with the list linked, or embedded in the last state if it is not too long. */
import type { FileLinks } from '#backend/http/file-links.ts'
import type { Pieces } from '#backend/platform/database/readers.ts'
import type { Run } from '#backend/runs/run.ts'
import type { RunForm } from '#backend/runs/run-routes.ts'
import { NO_RESULTS } from '#backend/runs/tail.ts'
import type { ProgressSource } from '#backend/runs/tail.ts'
import { hasResult, presentSitemap } from './present-sitemap.ts'

/** Longer lists are linked, because an event is one buffer in memory for all its readers. */
const MAX_EMBEDDED = 32 * 1024 * 1024

type Needs = RunForm & { links: FileLinks; listText: (run: Run) => Pieces }

export const sitemapSource = ({ baseUrl, links, listText, prefetched }: Needs): ProgressSource => ({
  ...NO_RESULTS,
  async state(run) {
    const shown = presentSitemap(run, links, baseUrl)
    const list = prefetched && hasResult(run) ? await wholeText(listText(run)) : null
    if (list === null) return JSON.stringify(shown)
    const { result: _linked, ...rest } = shown
    return Buffer.concat([Buffer.from(`${JSON.stringify(rest).slice(0, -1)},"result":`), ...list, Buffer.from('}')])
  },
})

/** The text as bytes; null when it is too long. */
async function wholeText(pieces: Pieces): Promise<Uint8Array[] | null> {
  const all: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    all.push(bytes)
    length += bytes.length
    if (length > MAX_EMBEDDED) return null
  }
  return all
}
