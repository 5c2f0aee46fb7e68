import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Database } from '#backend/platform/database/database.ts'
import { migrate, openSqlite, sqliteDatabase } from '#backend/platform/database/sqlite.ts'
import { embeddedQueue } from '#backend/platform/queue/embedded-queue.ts'
import { sliceKey } from '#backend/platform/queue/queue.ts'
import type { Job, Queue } from '#backend/platform/queue/queue.ts'

type Opened = { queue: Queue; database: Database; jobs: () => Promise<string[]>; woken: () => number; close: () => Promise<void> }

const ADAPTERS: Record<string, () => Opened> = {
  embedded: () => {
    const connection = openSqlite(':memory:', { cacheMiB: 1 })
    migrate(connection, Date.now)
    const database = sqliteDatabase(connection)
    let woken = 0
    const jobs = async () => (await database.selectFrom('job').select('key').orderBy('no').execute()).map(({ key }) => key)
    return {
      queue: embeddedQueue({ now: () => 5, wake: () => void (woken += 1) }),
      database,
      jobs,
      woken: () => woken,
      close: () => database.destroy(),
    }
  },
}

for (const [name, open] of Object.entries(ADAPTERS)) {
  const queue = suite(`queue, ${name}`)
  const job = (runNo: number, sliceNo = 1): Job => ({ key: sliceKey(runNo, sliceNo), kind: 'crawl', runNo, teamId: 'team', priority: 0 })

  queue('keeps a job with the transaction that added it, and not without', async () => {
    const { queue: opened, database, jobs, close } = open()
    await database.transaction().execute((transaction) => opened.enqueue(transaction, job(1)))
    await database
      .transaction()
      .execute(async (transaction) => {
        await opened.enqueue(transaction, job(2))
        throw new Error('changed my mind')
      })
      .catch((error: unknown) => assert.match(String(error), 'changed my mind'))
    assert.equal(await jobs(), ['run:1:1'])
    await close()
  })

  queue('has one job of a key, however often it is added', async () => {
    const { queue: opened, database, jobs, close } = open()
    for (const each of [job(1), job(1), job(1, 2), job(1)])
      await database.transaction().execute((transaction) => opened.enqueue(transaction, each))
    assert.equal(await jobs(), ['run:1:1', 'run:1:2'])
    await close()
  })

  queue('tells the worker when it is told to, and not before', async () => {
    const { queue: opened, database, woken, close } = open()
    await database.transaction().execute((transaction) => opened.enqueue(transaction, job(1)))
    assert.is(woken(), 0)
    opened.wake()
    assert.is(woken(), 1)
    await close()
  })

  queue.run()
}
