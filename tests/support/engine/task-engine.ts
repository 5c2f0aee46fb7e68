/** The program of a process that a test kills: an engine whose searches ask for one address after the other, and keep each that came. */
import { randomUUID } from 'node:crypto'
import { createEngine } from '#backend/crawler/engine/engine.ts'
import { runCredits } from '#backend/plans/run-credits.ts'
import { createSqliteRunStore } from '#backend/store/sqlite/sqlite-run-store.ts'
import { openSqlite } from '#backend/platform/database/sqlite.ts'
import { createIds } from '#backend/platform/ids.ts'
import { engineSettings } from './engine.ts'

const [file = ''] = process.argv.slice(2)
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

createEngine({
  store: createSqliteRunStore({
    connection: openSqlite(file, { cacheMiB: 4 }),
    kinds: ['crawl', 'search'],
    owner: randomUUID(),
    now: Date.now,
    newId: createIds(Date.now),
    hooks: runCredits,
  }),
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
