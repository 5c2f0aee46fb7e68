/** The status of a job with its documents, without a server. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createJobStatuses } from '#backend/firecrawl/parts.ts'
import type { Part } from '#backend/firecrawl/parts.ts'

const status = suite('the status of a job')

const COUNT = 50
const parts = [{ run: { no: 1, status: 'finished', variant: 'single', kept: COUNT }, asked: {} }] as unknown as Part[]
const asked = { base: 'http://a.test', path: '/v2/crawl/1', limit: COUNT, givenLimit: null, skip: null }

/** A job of documents of so many characters; counts those that were read. */
function jobOf(characters: number) {
  let read = 0
  async function* documents(_run: unknown, _asked: unknown, after: number, upTo: number) {
    for (let ordinal = after + 1; ordinal <= upTo; ordinal += 1) {
      read += 1
      yield { ordinal, text: Buffer.from(JSON.stringify({ page: ordinal, text: 'x'.repeat(characters) })) }
    }
  }
  const statuses = { documents, heads: () => [{ success: true, status: 'completed' }], errors: () => assert.unreachable() }
  return { ...createJobStatuses({ statuses: statuses as never }), readCount: () => read }
}

async function whole(pieces: AsyncIterable<string | Buffer>): Promise<{ data: { page: number }[]; next?: string }> {
  let text = ''
  for await (const piece of pieces) text += piece.toString()
  return JSON.parse(text) as { data: { page: number }[]; next?: string }
}

status('T37 a document is read when the caller has taken the one before', async () => {
  const job = jobOf(1_000_000)
  const pieces = job.status(parts, asked)[Symbol.asyncIterator]()
  await pieces.next()
  await pieces.next()
  assert.is(job.readCount(), 2)
  await pieces.return?.(undefined)
})

status('a page ends after ten megabytes of documents, and next continues there', async () => {
  const { data, next, ...head } = await whole(jobOf(1_000_000).status(parts, asked))
  assert.equal(head, { success: true, status: 'completed' })
  assert.equal([data.length, data.at(-1)?.page, next], [11, 11, 'http://a.test/v2/crawl/1?skip=11'])
  const second = await whole(jobOf(1_000_000).status(parts, { ...asked, skip: 44 }))
  assert.equal([second.data[0]?.page, second.data.length, second.next], [45, 6, undefined])
  assert.equal(await whole(jobOf(10).status(parts, { ...asked, skip: COUNT })), { ...head, data: [] } as never)
})

status.run()
