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
      'Reads a page that scrape, crawl_status or search_pages has named by its result URI, without fetching it again. Long pages come in parts: go on with offset, or name a section of the outline.',
    annotations: { readOnlyHint: true, openWorldHint: false, idempotentHint: true },
    input: z.strictObject({
      result: z.string().check(z.minLength(1), z.maxLength(200), z.describe('URI of the page: seine://pages/…')),
      offset: z._default(z.int().check(z.minimum(0)), 0).check(z.describe('Characters to skip, as next_offset says')),
      section: z.optional(z.int().check(z.minimum(1))).check(z.describe('Only this section, by its number in the outline')),
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
