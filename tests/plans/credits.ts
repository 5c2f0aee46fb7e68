/** Credits that are held, over the ledger itself. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createCredits } from '#backend/plans/credits.ts'
import type { Reservation } from '#backend/plans/credits.ts'
import { migrate, openSqlite, sqliteDatabase } from '#backend/platform/database/sqlite.ts'

const credits = suite('credits that are held')

const AT = Date.UTC(2026, 5, 15, 12)
const DAY_MS = 86_400_000

/** A team with a paid plan, and two connections to its database that count the sums of the ledger. */
function open({ credit, entries = 0 }: { credit: number; entries?: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'seine-credits-'))
  const connections = [0, 1].map(() => openSqlite(join(folder, 'seine.db'), { cacheMiB: 4 }))
  const [first] = connections as [(typeof connections)[0]]
  migrate(first!, () => AT)
  first!.exec(`
    INSERT INTO team (id, name, is_default, created_at, updated_at) VALUES ('team', 'team', 0, 0, 0);
    INSERT INTO plan VALUES ('plan', 'Plan', NULL, 'monthly', '', NULL, 1, 5, ${credit}, ${credit}, 9, 9999, -1, 0, '[]', NULL, 0, 1, 'file', 0, 0);
    INSERT INTO subscription VALUES ('sub', 'team', 'plan', 'active', 'provider', ${AT - DAY_MS}, ${AT - DAY_MS}, ${AT + DAY_MS}, NULL, 0, 0, 0, '', 0, 0);`)
  const entry = first!.prepare(
    `INSERT INTO credit_entry (run_no, team_id, requested, used, state, created_at) VALUES (?, 'team', 1, 0, 'settled', ?)`,
  )
  first!.transaction(() => {
    for (let no = 1; no <= entries; no += 1) entry.run(no, AT - 1000)
  })()
  let sums = 0
  const stores = connections.map((connection) => {
    const prepare = connection.prepare.bind(connection)
    connection.prepare = ((text: string) => {
      sums += text.toLowerCase().includes('from credit_entry') || text.toLowerCase().includes('from "credit_entry"') ? 1 : 0
      return prepare(text)
    }) as typeof connection.prepare
    const database = sqliteDatabase(connection)
    return { database, credits: createCredits({ database, isEnterprise: true, maxDepth: -1, now: () => AT }) }
  })
  return {
    first: first!,
    sums: () => sums,
    /** True when the credits were held. */
    reserve: async (runNo: number) => {
      const { credits: rules, database } = stores[runNo % 2]!
      const wanted: Reservation = { runNo, teamId: 'team', kind: 'crawl', credits: 1, at: AT }
      return database
        .transaction()
        .execute((transaction) => rules.reserve(transaction, wanted))
        .then(
          () => true,
          (fault: Error) => {
            assert.match(fault.message, 'All page credits of this billing period are used.')
            return false
          },
        )
    },
    close: async () => {
      for (const { database } of stores) await database.destroy()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

credits('T33 two connections at once cannot overdraw a plan', async () => {
  const store = open({ credit: 10 })
  const held = await Promise.all(Array.from({ length: 60 }, (_, index) => store.reserve(1000 + index)))
  assert.is(held.filter(Boolean).length, 10)
  assert.equal(store.first.prepare("SELECT count(*) AS held, sum(requested) AS credits FROM credit_entry WHERE state = 'held'").get(), {
    held: 10,
    credits: 10,
  })
  await store.close()
})

credits('house 1.8: the ledger of a period is read once for each run that begins', async () => {
  const store = open({ credit: 1000, entries: 50 })
  assert.is(await store.reserve(1000), true)
  assert.is(store.sums(), 1)
  await store.close()
})

credits.run()
