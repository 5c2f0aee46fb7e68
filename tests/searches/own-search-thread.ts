/** The thread that searches a team's own pages: it ends when no query comes, and the next query starts another. */
import { mock } from 'node:test'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createOwnSearch } from '#backend/searches/own-index/own-search.ts'
import { makeOwnPages } from '#tests/support/engine/own-index.ts'

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
  own.close()
})

thread.run()
