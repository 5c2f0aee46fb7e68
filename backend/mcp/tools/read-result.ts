/** The tool that reads a stored page, or one part of it. */
import * as z from 'zod/mini'
import { maxChars, partFields, partOf, partText } from '../page-parts.ts'
import type { StoredPages } from '../results.ts'
import { defineTool, text } from '../tool.ts'

export const readResultTool = ({ stored }: { stored: StoredPages }) =>
  defineTool({
    name: 'read_result',
    title: 'Read a stored page',
    description:
      'Reads a stored page by the result URI that scrape, crawl_status or search_pages returned, without fetching it again. Long pages are returned in parts: continue with offset, or choose a section of the outline.',
    annotations: { readOnlyHint: true, openWorldHint: false, idempotentHint: true },
    input: z.strictObject({
      result: z.string().check(z.minLength(1), z.maxLength(200), z.describe('Result URI of the page: seine://pages/…')),
      offset: z
        ._default(z.int().check(z.minimum(0)), 0)
        .check(z.describe('Number of characters to skip: next_offset of the previous call')),
      section: z.optional(z.int().check(z.minimum(1))).check(z.describe('Return only this section: its number in the outline')),
      max_chars: maxChars,
    }),
    output: z.object({ ...partFields, crawl_id: z.string() }),
    async call({ max_chars, offset, result, section }, { actor }) {
      const { document, row, run } = await stored.byUri(actor.teamId, result)
      const head = { result, url: row.url, title: row.title }
      const part = partOf(document.markdown, { maxChars: max_chars, offset, section })
      return { content: [text(partText(head, part))], structured: { ...head, ...part, crawl_id: run.id } }
    },
  })
