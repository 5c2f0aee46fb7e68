// Streams while the database cannot be read. The test moves the clock and calls the beat.
import { setImmediate } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { EventSink } from '#backend/http/event-stream.ts'
import { NO_CONNECTION } from '#backend/platform/database/trouble.ts'
import { createProgress } from '#backend/runs/progress.ts'
import { NO_RESULTS } from '#backend/runs/tail.ts'
import type { ProgressSource } from '#backend/runs/tail.ts'
import { startCrawlApp } from '#tests/support/crawl-app.ts'
import { until } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'

const outages = suite('streams while the database cannot be read')

/** Streams of `count` runs, whose states are read by `state`. */
async function streams(count: number, state: ProgressSource['state']) {
  const app = await startCrawlApp()
  const beats = new Set<() => void>()
  const warnings: string[] = []
  const progress = createProgress({
    bus: app.bus,
    database: app.database,
    every: (_ms, call) => (beats.add(call), () => void beats.delete(call)),
    mayRead: async () => true,
    now: () => app.clock.at,
    warn: ({ err }) => void warnings.push((err as Error).message),
  })
  const sink: EventSink = {
    write: () => undefined,
    unsentBytes: () => 0,
    onDrain: () => undefined,
    onClose: () => undefined,
    end: () => undefined,
    destroy: () => undefined,
  }
  const actor = { teamId: app.teams.one, share: app.teams.one, userId: null, sessionId: null, apiKeyId: 'one' } as const
  for (let no = 0; no < count; no += 1) {
    const run = await app.runs.read(app.teams.one, 'crawl', (await app.create()).uuid)
    progress.follow({ actor, run, source: { ...NO_RESULTS, state }, form: '', after: 0, withIds: false, sink })
  }
  return { warnings, close: app.close, pass }

  async function pass(ms: number) {
    app.clock.at += ms
    beats.forEach((call) => call())
    await setImmediate()
  }
}

outages('an outage is logged once for all runs, and again the next time; an error of one run is always logged', async () => {
  let fault: Error | null = null
  let reads = 0
  const { pass, warnings } = await streams(3, async () => {
    reads += 1
    if (fault !== null) throw fault
    return '{}'
  })
  /** Passes time until there were `more` reads. */
  const read = async (more: number) => {
    const enough = reads + more
    await until(async () => (await pass(6000), reads >= enough))
    await setImmediate()
  }
  const outage = () => Object.assign(new Error('the server has stopped'), { code: NO_CONNECTION })
  await until(() => reads >= 3)
  fault = outage()
  await read(9)
  assert.equal(warnings, ['the server has stopped'])
  fault = null
  await read(9)
  fault = outage()
  await read(9)
  assert.equal(warnings, ['the server has stopped', 'the server has stopped'])
  fault = new Error('a bug')
  await read(3)
  assert.ok(warnings.filter((one) => one === 'a bug').length >= 2)
})

outages.run()
