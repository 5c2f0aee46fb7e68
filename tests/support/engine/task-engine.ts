/** The program of a process that a test kills: an engine whose searches fetch one URL after the other and store each answer. */
import { randomUUID } from 'node:crypto'
import { createEngine } from '#backend/crawler/engine/engine.ts'
import { runCredits } from '#backend/plans/run-credits.ts'
import { createSqliteRunStore } from '#backend/store/sqlite/sqlite-run-store.ts'
import { openPostgres } from '#backend/platform/database/postgres/postgres.ts'
import { openSqlite } from '#backend/platform/database/sqlite.ts'
import { createPostgresRunStore } from '#backend/store/postgres/postgres-run-store.ts'
import { createIds } from '#backend/platform/ids.ts'
import { isOverPostgres } from '#tests/support/test-state.ts'
import { engineSettings } from './engine.ts'

const [place = ''] = process.argv.slice(2)
const needs = { kinds: ['crawl', 'search'], owner: randomUUID(), now: Date.now, newId: createIds(Date.now), hooks: runCredits }
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

createEngine({
  store: isOverPostgres
    ? createPostgresRunStore({ ...needs, pool: openPostgres(place, { answerMs: 10_000, connections: 4, name: 'engine' }) })
    : createSqliteRunStore({ ...needs, connection: openSqlite(place, { cacheMiB: 4 }) }),
  isAlone: true,
  settings: engineSettings(),
  now: Date.now,
  random: Math.random,
  publish: () => undefined,
  log: quiet,
  tasks: {
    search: async ({ commit, fetch, run, tell }) => {
      const urls = (run.spec as unknown as { urls: string[] }).urls
      for (let kept = run.kept; kept < urls.length; kept += 1) {
        const outcome = await fetch({ url: urls[kept]! })
        tell('info', `${urls[kept]} came to ${outcome.kind}`)
        await commit({}, { kept: 1 })
      }
      return { status: 'finished', reason: 'done', type: 'success', message: 'All came' }
    },
  },
})
