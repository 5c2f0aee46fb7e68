import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CompiledQuery } from 'kysely'
import * as assert from 'uvu/assert'
import { userRow } from '#backend/accounts/users.ts'
import type { Database } from '#backend/platform/database/database.ts'
import { MIGRATIONS, SQLITE_DIALECT } from '#backend/platform/database/migrations.ts'
import { openPostgres, postgresDatabase as databaseOver } from '#backend/platform/database/postgres/postgres.ts'
import { POSTGRES_DIALECT } from '#backend/platform/database/postgres/postgres-schema.ts'
import { migrate, openSqlite, sqliteDatabase } from '#backend/platform/database/sqlite.ts'
import { postgresDatabase } from '#tests/support/stubs/postgres.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const folder = temporaryFolder('seine-database-')
let files = 0
const newFile = () => join(folder, `${(files += 1)}.db`)

function openFile(file: string): Database {
  const connection = openSqlite(file, { cacheMiB: 1 })
  migrate(connection, Date.now)
  return sqliteDatabase(connection)
}

const drops: (() => Promise<void>)[] = []

const ADAPTERS: Record<string, () => Promise<[Database, Database]>> = {
  SQLite: async () => {
    const file = newFile()
    return [openFile(file), openFile(file)]
  },
  PostgreSQL: async () => {
    const { drop, url } = await postgresDatabase()
    drops.push(drop)
    const open = () => databaseOver(openPostgres(url, { answerMs: 10_000, connections: 8, name: 'test' }))
    return [open(), open()]
  },
}

for (const [name, openTwice] of Object.entries(ADAPTERS)) {
  const database = suite(`database, ${name}`)
  const put = (rows: Pick<Database, 'insertInto'>, key: string, value = 'x') =>
    rows.insertInto('setting').values({ name: key, value }).execute()
  const names = async (rows: Database) => (await rows.selectFrom('setting').select('name').orderBy('name').execute()).map((row) => row.name)

  database('a transaction is atomic, and its writes are visible to others only after its commit', async () => {
    const [one, two] = await openTwice()
    const failed = one.transaction().execute(async (transaction) => {
      await put(transaction, 'a')
      assert.equal(await names(two), [])
      await put(transaction, 'a')
    })
    await failed.then(
      () => assert.unreachable(),
      (error: unknown) => assert.match(String(error), /UNIQUE|unique/),
    )
    assert.equal(await names(one), [])
    await one.transaction().execute((transaction) => put(transaction, 'b'))
    assert.equal(await names(two), ['b'])
    await Promise.all([one.destroy(), two.destroy()])
  })

  database("transactions that read and then write do not overwrite each other's changes", async () => {
    const [one, two] = await openTwice()
    await put(one, 'count', '0')
    const add = () =>
      one.transaction().execute(async (transaction) => {
        const { value } = await transaction.selectFrom('setting').select('value').where('name', '=', 'count').executeTakeFirstOrThrow()
        await transaction
          .updateTable('setting')
          .set({ value: String(Number(value) + 1) })
          .where('name', '=', 'count')
          .execute()
      })
    await Promise.all(Array.from({ length: 50 }, add))
    assert.is((await one.selectFrom('setting').select('value').executeTakeFirstOrThrow()).value, '50')
    await Promise.all([one.destroy(), two.destroy()])
  })

  database('deleting a team or a user deletes their rows', async () => {
    const [one, two] = await openTwice()
    const at = 1
    await one.insertInto('team').values({ id: 't', name: 'x', isDefault: 0, createdAt: at, updatedAt: at }).execute()
    await one
      .insertInto('apiKey')
      .values({ id: 'k', teamId: 't', name: 'x', hash: 'h', sealed: 's', createdAt: at, lastUsedAt: null })
      .execute()
    await one.deleteFrom('team').execute()
    assert.equal(await one.selectFrom('apiKey').selectAll().execute(), [])
    await Promise.all([one.destroy(), two.destroy()])
  })

  database('numbers, booleans and bytes are read back unchanged', async () => {
    const [one, two] = await openTwice()
    const { no } = await one
      .insertInto('host')
      .values({ hostKey: 'a', robots: Buffer.from([0, 255]), robotsUntil: 2 ** 45 })
      .returning('no')
      .executeTakeFirstOrThrow()
    const row = await two
      .selectFrom('host')
      .where('no', '=', no)
      .select(({ exists, fn, selectFrom }) => [
        'robots',
        'robotsUntil',
        fn.countAll<number>().over().as('rows'),
        exists(selectFrom('setting').select('name')).as('hasSettings'),
      ])
      .executeTakeFirstOrThrow()
    assert.equal({ ...row, robots: [...row.robots!] }, { robots: [0, 255], robotsUntil: 2 ** 45, rows: 1, hasSettings: 0 } as never)
    await Promise.all([one.destroy(), two.destroy()])
  })

  database('after an upgrade each owner has the free plan since the first time that their team has chosen it', async () => {
    const [one, two] = await openTwice()
    const [at, limits] = [1, { numberOfUsers: 1, pageCredit: 1, dailyPageCredit: 1, crawlMaxDepth: 1, crawlMaxLimit: 1 }]
    const plan = { ...limits, label: null, planGroup: 'monthly', description: '', priceBeforeDiscount: null, price: 0, features: '[]' }
    const more = { maxConcurrentCrawl: 1, priceId: null, position: 1, isActive: 1, source: 'file', createdAt: at, updatedAt: at }
    for (const [id, isDefault] of [
      ['free', 1],
      ['given', 0],
    ] as const)
      await one
        .insertInto('plan')
        .values({ id, name: id, isDefault, ...plan, ...more })
        .execute()
    for (const id of ['ana', 'ben', 'eva']) {
      await one
        .insertInto('user')
        .values(userRow({ id, email: `${id}@example.org`, passwordHash: null, emailVerified: true }, at))
        .execute()
      await one
        .insertInto('team')
        .values({ id: `of ${id}`, name: 'x', isDefault: 1, createdAt: at, updatedAt: at })
        .execute()
      await one
        .insertInto('teamMember')
        .values({ id, teamId: `of ${id}`, userId: id, isOwner: 1, createdAt: at })
        .execute()
    }
    await one.insertInto('teamMember').values({ id: 'guest', teamId: 'of ana', userId: 'eva', isOwner: 0, createdAt: at }).execute()
    const period = { periodStartAt: null, periodEndAt: null, cancelAt: null, countsAfter: 0 }
    const unused = { status: 'canceled', ...period, eventAt: 0, eventRank: 0, eventId: '', createdAt: at, updatedAt: at }
    const subscribe = (id: string, teamId: string, planId: string, startAt: number, providerId: string | null = null) =>
      one
        .insertInto('subscription')
        .values({
          ...unused,
          id,
          teamId,
          planId,
          providerId,
          startAt,
        })
        .execute()
    await subscribe('1', 'of ana', 'free', 70)
    await subscribe('2', 'of ana', 'free', 90)
    await subscribe('3', 'of ben', 'given', 50)
    await subscribe('4', 'of eva', 'free', 60, 'billed')
    const step = MIGRATIONS.find(({ name: title }) => title === '0032 the free plan of users')!
    const [, backfill = ''] = step.statements(name === 'SQLite' ? SQLITE_DIALECT : POSTGRES_DIALECT)
    await one.executeQuery(CompiledQuery.raw(backfill))
    assert.equal(await one.selectFrom('freePlan').selectAll().execute(), [
      { userId: 'ana', teamId: 'of ana', startAt: 70, usedUntil: null },
    ])
    await Promise.all([one.destroy(), two.destroy()])
  })

  database.after(async () => {
    for (const drop of drops.splice(0)) await drop()
  })
  database.run()
}

const sqlite = suite('SQLite alone')

sqlite('every commit is on the disk before it is reported', () => {
  const connection = openSqlite(newFile(), { cacheMiB: 1 })
  const asked = ['journal_mode', 'synchronous', 'foreign_keys'].map((name): unknown => connection.pragma(name, { simple: true }))
  assert.equal(asked, ['wal', 2, 1])
  connection.close()
})

sqlite('a file that exists is opened without a write: neither a full disk nor a long transaction is in the way of readers', () => {
  const file = newFile()
  const writer = openSqlite(file, { cacheMiB: 1 })
  migrate(writer, () => 1)
  assert.is(writer.pragma('auto_vacuum', { simple: true }), 2)
  writer.exec('BEGIN IMMEDIATE')
  const reader = openSqlite(file, { cacheMiB: 1 })
  assert.is(reader.pragma('auto_vacuum', { simple: true }), 2)
  assert.equal(reader.prepare('SELECT applied_at FROM migration LIMIT 1').get(), { applied_at: 1 })
  reader.close()
  writer.close()
})

sqlite('migrations run once, and a file of a newer version is refused with that version', () => {
  const file = newFile()
  const connection = openSqlite(file, { cacheMiB: 1 })
  migrate(connection, () => 1)
  migrate(connection, () => 2)
  const applied = connection.prepare('SELECT name, applied_at FROM migration ORDER BY name').all()
  assert.equal(
    applied,
    MIGRATIONS.map(({ name }) => ({ name, applied_at: 1 })),
  )
  connection.prepare("INSERT INTO migration VALUES ('9999 of tomorrow', 1)").run()
  assert.throws(() => migrate(connection, () => 3), /newer version \(9999 of tomorrow\)/)
  connection.close()
})

sqlite('F12 a file that is not a database is refused, and not changed', () => {
  const file = newFile()
  writeFileSync(file, 'this is not a database, and long enough to look like one '.repeat(20))
  assert.throws(() => openSqlite(file, { cacheMiB: 1 }), /not a database/)
})

sqlite.run()
