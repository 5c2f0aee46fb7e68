/** Streams that catch up: their readers take turns at the database, by owners of teams. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { EventSink } from '#backend/http/event-stream.ts'
import { createProgress } from '#backend/runs/progress.ts'
import { NO_RESULTS } from '#backend/runs/tail.ts'
import type { ProgressSource } from '#backend/runs/tail.ts'
import { startCrawlApp } from '#tests/support/crawl-app.ts'
import { until } from '#tests/support/until.ts'

const turns = suite('turns of streams that catch up')

const SINK: EventSink = {
  write: () => undefined,
  unsentBytes: () => 0,
  onDrain: () => undefined,
  onClose: () => undefined,
  end: () => undefined,
  destroy: () => undefined,
}

turns('A24: a user with many streams does not delay the stream of another', async () => {
  const app = await startCrawlApp()
  const progress = createProgress({
    bus: app.bus,
    database: app.database,
    every: () => () => undefined,
    mayRead: async () => true,
    now: () => app.clock.at,
    warn: () => undefined,
  })
  const reads: { share: string; end: () => void }[] = []
  const sourceOf = (share: string): ProgressSource => ({
    ...NO_RESULTS,
    state: async () => '{}',
    results: () => new Promise((resolve) => reads.push({ share, end: () => resolve([]) })),
  })
  const { uuid } = await app.create()
  await app.database.updateTable('run').set({ kept: 5, eventSeq: 5 }).where('id', '=', uuid).execute()
  const run = await app.runs.read(app.teams.one, 'crawl', uuid)
  const follow = (share: string) => {
    const actor = { teamId: app.teams.one, share, userId: null, sessionId: null, apiKeyId: share } as const
    progress.follow({ actor, run, source: sourceOf(share), form: share, after: 1, withIds: false, sink: SINK })
  }
  for (let no = 0; no < 20; no += 1) follow('many')
  await until(() => reads.length === 4)
  follow('other')
  for (let ended = 0; ended < 6 && !reads.some(({ share }) => share === 'other'); ended += 1) {
    const begun = reads.length
    reads[ended]!.end()
    await until(() => reads.length > begun)
  }
  assert.ok(
    reads.some(({ share }) => share === 'other'),
    `after ${reads.length} reads`,
  )
  progress.close()
  await app.close()
})

turns.run()
