/** Credits that are held, over the ledger itself. */
import { join } from 'node:path'
import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import { createCredits, membersOf } from '#backend/plans/credits.ts'
import type { Reservation } from '#backend/plans/credits.ts'
import { migrate, openSqlite, sqliteDatabase } from '#backend/platform/database/sqlite.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const credits = suite('reserved credits')

const AT = Date.UTC(2026, 5, 15, 12)
const DAY_MS = 86_400_000

/** A team with a paid plan, and two connections to its database that count the sums of the ledger. */
function open({ credit, entries = 0 }: { credit: number; entries?: number }) {
  const folder = temporaryFolder('seine-credits-')
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
    },
  }
}

credits('T33 two concurrent connections cannot overdraw a plan', async () => {
  const store = open({ credit: 10 })
  const held = await Promise.all(Array.from({ length: 60 }, (_, index) => store.reserve(1000 + index)))
  assert.is(held.filter(Boolean).length, 10)
  assert.equal(store.first.prepare("SELECT count(*) AS held, sum(requested) AS credits FROM credit_entry WHERE state = 'held'").get(), {
    held: 10,
    credits: 10,
  })
  await store.close()
})

credits('house 1.8: the ledger of a period is read once for each starting run', async () => {
  const store = open({ credit: 1000, entries: 50 })
  assert.is(await store.reserve(1000), true)
  assert.is(store.sums(), 1)
  await store.close()
})

/** The rules over a team with a plan, whose bounds may be others, or without one. */
async function rulesOf(
  bounds: { isEnterprise?: boolean; maxDepth?: number; plan?: string; isFree?: boolean },
  ask: (rules: ReturnType<typeof createCredits>, database: ReturnType<typeof sqliteDatabase>) => Promise<void>,
) {
  const connection = openSqlite(':memory:', { cacheMiB: 4 })
  migrate(connection, () => AT)
  connection.exec(`INSERT INTO team (id, name, is_default, created_at, updated_at) VALUES ('team', 'team', 0, 0, 0)`)
  if (bounds.plan)
    connection.exec(`
      INSERT INTO plan VALUES ('plan', 'Plan', NULL, 'monthly', '', NULL, 1, ${bounds.plan}, ${bounds.isFree ? 1 : 0}, '[]', NULL, 0, 1, 'file', 0, 0);
      INSERT INTO subscription VALUES ('sub', 'team', 'plan', 'active', 'provider', ${AT - DAY_MS}, ${AT - DAY_MS}, ${AT + DAY_MS}, NULL, 0, 0, 0, '', 0, 0)`)
  const database = sqliteDatabase(connection)
  await ask(createCredits({ database, isEnterprise: bounds.isEnterprise ?? true, maxDepth: bounds.maxDepth ?? 7, now: () => AT }), database)
  await database.destroy()
}
const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (fault: Error & { code?: string }) => fault.message,
  )
const NOTHING = { creditsLeft: null, periodLeft: null, planCredits: null, maxPages: null, maxConcurrent: null, period: null }

credits('without plans everything is allowed, up to the depth limit of the server', async () => {
  await rulesOf({ isEnterprise: false }, async (rules, database) => {
    assert.equal(await rules.allowance('team'), { ...NOTHING, maxDepth: 7 })
    assert.is(await refusal(rules.checkSeat(database, 'team')), null)
    assert.is(await refusal(rules.checkInvitation(database, 'team')), null)
    const reserve = (runNo: number, maxDepth: number) => {
      const wanted = { runNo, teamId: 'team', kind: 'crawl', credits: 3, at: AT, maxDepth, proxyCategory: 'premium' } as const
      return refusal(database.transaction().execute((transaction) => rules.reserve(transaction, wanted)))
    }
    assert.is(await reserve(1, 7), null)
    assert.is(await reserve(2, 8), 'max_depth may be at most 7 on this plan.')
    const entries = await database.selectFrom('creditEntry').selectAll().execute()
    assert.equal(
      entries.map(({ runNo, requested, used, state, createdAt }) => [runNo, requested, used, state, createdAt]),
      [[1, 3, 0, 'held', AT]],
    )
  })
  await rulesOf({ isEnterprise: false, maxDepth: -1 }, async (rules) => {
    assert.equal(await rules.allowance('team'), { ...NOTHING, maxDepth: null })
  })
})

credits('without an active plan there are no credits, and no invitation can be sent', async () => {
  await rulesOf({}, async (rules, database) => {
    const nothing = { creditsLeft: 0, periodLeft: 0, planCredits: 0, maxDepth: 0, maxPages: 0, maxConcurrent: 0, period: null }
    assert.equal(await rules.allowance('team'), nothing)
    for (const check of [rules.checkSeat, rules.checkInvitation])
      assert.match(String(await refusal(check(database, 'team'))), 'no active plan')
  })
})

// Members, credits of the period, of a day, depth, pages, crawls at once.
credits('remaining credits are the smaller of period and day, within the limits of the plan', async () => {
  const period = { startAt: AT - DAY_MS, endAt: AT + DAY_MS }
  const bounded = { maxDepth: 9, maxPages: 99, maxConcurrent: 4, period }
  const spent = `INSERT INTO credit_entry (run_no, team_id, requested, used, state, created_at) VALUES (1, 'team', 30, 20, 'held', ${AT})`
  const left = (plan: string) =>
    new Promise((done, failed) => {
      rulesOf({ plan }, async (rules, database) => {
        await sql.raw(spent).execute(database)
        done(await rules.allowance('team'))
      }).catch(failed)
    })
  assert.equal(await left('5, 1000, 100, 9, 99, 4'), { creditsLeft: 70, periodLeft: 970, planCredits: 1000, ...bounded })
  assert.equal(await left('5, 90, 100, 9, 99, 4'), { creditsLeft: 60, periodLeft: 60, planCredits: 90, ...bounded })
  assert.equal(await left('5, -1, 100, 9, 99, 4'), { creditsLeft: 70, periodLeft: null, planCredits: null, ...bounded })
  assert.equal(await left('5, 90, -1, 9, 99, 4'), { creditsLeft: 60, periodLeft: 60, planCredits: 90, ...bounded })
  assert.equal(await left('5, -1, -1, -1, -1, -1'), { ...NOTHING, maxDepth: null, period })
})

credits('a run within the credits may still exceed another limit of the plan', async () => {
  await rulesOf({ plan: '5, 1000, 100, 9, 99, 4' }, async (rules, database) => {
    const wanted = { runNo: 1, teamId: 'team', kind: 'crawl', credits: 3, at: AT, maxDepth: 10 } as const
    const reserved = database.transaction().execute((transaction) => rules.reserve(transaction, wanted))
    assert.is(await refusal(reserved), 'max_depth may be at most 9 on this plan.')
  })
})

credits('premium proxies need a paid plan', async () => {
  for (const isFree of [true, false])
    await rulesOf({ plan: '5, 9, 9, 9, 9, 9', isFree }, async (rules, database) => {
      const reserve = (runNo: number, proxyCategory: string) => {
        const wanted = { runNo, teamId: 'team', kind: 'crawl', credits: 1, at: AT, proxyCategory } as const
        return refusal(database.transaction().execute((transaction) => rules.reserve(transaction, wanted)))
      }
      assert.is(await reserve(1, 'premium'), isFree ? 'Premium proxies need a paid plan.' : null)
      assert.is(await reserve(2, 'team'), null)
    })
})

credits('a team may have as many members as its plan has seats, and existing members stay', async () => {
  const join = (count: number, database: ReturnType<typeof sqliteDatabase>) =>
    sql
      .raw(
        `INSERT INTO team_member (id, team_id, user_id, is_owner, created_at)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT 'm' || i, 'team', 'u' || i, 0, 0 FROM n`,
      )
      .execute(database)
  const refused = async (seats: number, members: number) => {
    const found: (string | null)[] = []
    await rulesOf({ plan: `${seats}, 9, 9, 9, 9, 9` }, async (rules, database) => {
      await sql.raw('PRAGMA foreign_keys = OFF').execute(database)
      await join(members, database)
      assert.is(await membersOf(database, 'team'), members)
      found.push(await refusal(rules.checkInvitation(database, 'team')), await refusal(rules.checkSeat(database, 'team')))
    })
    return found
  }
  const full = ['This plan allows 2 team members.', 'This team has no free seat left.']
  assert.equal(await refused(1, 1), ['This plan allows 1 team member.', 'This team has no free seat left.'])
  assert.equal(await refused(2, 1), [null, null])
  assert.equal(await refused(2, 2), full)
  assert.equal(await refused(2, 3), full)
  assert.equal(await refused(-1, 3), [null, null])
})

credits.run()
