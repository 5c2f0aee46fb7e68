/** Streams that catch up: their readers take turns at the database, by owners of teams. */
import { setImmediate } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { EventSink } from '#backend/http/event-stream.ts'
import { createProgress } from '#backend/runs/progress.ts'
import { NO_RESULTS } from '#backend/runs/tail.ts'
import type { ProgressSource } from '#backend/runs/tail.ts'
import { startCrawlApp } from '#tests/support/crawl-app.ts'
import { atEnd, suite } from '#tests/support/suite.ts'
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

/** Progress over a run of which five events are missing to each reader. */
async function missing(results: (share: string) => ReturnType<ProgressSource['results']>) {
  const app = await startCrawlApp()
  const progress = createProgress({
    bus: app.bus,
    database: app.database,
    every: () => () => undefined,
    mayRead: async () => true,
    now: () => app.clock.at,
    warn: () => undefined,
  })
  atEnd(() => progress.close())
  const { uuid } = await app.create()
  await app.database.updateTable('run').set({ kept: 5, eventSeq: 5 }).where('id', '=', uuid).execute()
  const run = await app.runs.read(app.teams.one, 'crawl', uuid)
  return {
    follow(share: string, sink: EventSink = SINK) {
      const actor = { teamId: app.teams.one, share, userId: null, sessionId: null, apiKeyId: share } as const
      const source: ProgressSource = { ...NO_RESULTS, state: async () => '{}', results: () => results(share) }
      progress.follow({ actor, run, source, form: share, after: 1, withIds: false, sink })
    },
  }
}

turns('A24: a user with many streams does not delay the stream of another', async () => {
  const reads: { share: string; end: () => void }[] = []
  const { follow } = await missing((share) => new Promise((resolve) => reads.push({ share, end: () => resolve([]) })))
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
})

turns('A25: of hundreds of readers who take nothing, only some have missed events in memory, and another user gets theirs', async () => {
  const { follow } = await missing(async () => [{ seq: 5, ordinal: 5, json: '"x"' }])
  /** Readers that were written to and take nothing. */
  const written = new Set<string>()
  const sinkOf = (name: string): EventSink => ({
    ...SINK,
    write: () => void written.add(name),
    unsentBytes: () => (written.has(name) ? 300_000 : 0),
  })
  for (let no = 0; no < 200; no += 1) follow('many', sinkOf(`many ${no}`))
  await until(() => written.size > 0)
  follow('other', sinkOf('other'))
  await until(() => written.has('other') && written.size >= 33)
  for (let turn = 0; turn < 100; turn += 1) await setImmediate()
  assert.is(written.size, 33)
})

turns.run()
