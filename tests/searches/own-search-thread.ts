/** The thread that searches a team's own pages: it ends when no query comes, and the next query starts another. */
import { mock } from 'node:test'
import * as assert from 'uvu/assert'
import { AppError } from '#backend/errors.ts'
import { workingFor } from '#backend/platform/current-share.ts'
import { createOwnSearch } from '#backend/searches/own-index/own-search.ts'
import { makeOwnPages } from '#tests/support/engine/own-index.ts'
import { suite } from '#tests/support/suite.ts'

const thread = suite('thread of the own search')
thread.after.each(() => mock.reset())

const IDLE_MS = 2 * 60_000

thread('a query that comes while the idle thread ends is answered by a new thread', async () => {
  const own = makeOwnPages()
  const query = { teamId: own.team(), query: 'tide', limit: 5, offset: 0 }
  const search = createOwnSearch({ database: own.database })
  mock.timers.enable({ apis: ['setTimeout'] })
  assert.is((await search.search(query)).count, 0)
  mock.timers.tick(IDLE_MS)
  assert.is((await search.search(query)).count, 0)
  mock.timers.reset()
  await search.close()
})

thread('A24: a caller who sends hundreds of queries at once is refused some, and another caller none', async () => {
  const own = makeOwnPages()
  const teamId = own.team()
  own.keep(own.run(teamId).no, [{ text: 'tide' }])
  own.follow()
  const search = createOwnSearch({ database: own.database })
  const outcomes: string[] = []
  const ask = (caller: string) =>
    workingFor(caller, () =>
      search.search({ teamId, query: 'tide', limit: 5, offset: 0 }).then(
        () => outcomes.push(`${caller} answered`),
        (error: unknown) => outcomes.push(`${caller} ${error instanceof AppError ? error.code : String(error)}`),
      ),
    )
  await Promise.all([...Array.from({ length: 300 }, () => ask('many')), ask('other')])
  assert.ok(outcomes.includes('many unavailable'))
  assert.ok(outcomes.includes('other answered'))
  assert.ok(outcomes.slice(0, outcomes.indexOf('other answered')).filter((outcome) => outcome === 'many answered').length < 10, 'in turn')
  await search.close()
})

thread.run()
