/** The SQLite adapter of the RunStore: one connection of its own; each call does its work synchronously before it returns. */
import { cannotUpgrade } from '#backend/crawler/run-spec.ts'
import type { UpgradeSpec } from '#backend/crawler/run-spec.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { NO_HOOKS } from '../run-hooks.ts'
import type { RunHooks } from '../run-hooks.ts'
import { runLeases } from '../run-leases.ts'
import { LEASE_MS, attempt, lostAt } from '../run-store.ts'
import type { HeldRun, LostRun, RunStore } from '../run-store.ts'
import { sharedCalls } from '../shared-calls.ts'
import type { StepRunner } from '../shared-calls.ts'
import { createHostRows } from './host-rows.ts'
import { joinParts } from './join-parts.ts'
import { createStatements } from './statements.ts'
import { waitingRuns } from './waiting-runs.ts'
import { createCommitWriter } from './write-commits.ts'

/**
 * @param kinds  kinds of runs that this engine takes
 * @param owner  this engine's name in leases
 * @param now    the wall clock for leases
 * @param upgradeSpec  converts what an older version stored of a run; without it such runs cannot continue
 */
export function createSqliteRunStore(needs: {
  connection: SqliteConnection
  kinds: readonly string[]
  owner: string
  now: () => number
  newId: () => string
  hooks?: RunHooks
  upgradeSpec?: UpgradeSpec
}): RunStore {
  const { connection, kinds, newId, now, owner, hooks = NO_HOOKS, upgradeSpec = cannotUpgrade } = needs
  const statements = createStatements(connection)
  const hosts = createHostRows(statements)
  const { commit } = createCommitWriter({ statements, hosts, hooks, now, newId })
  const runner: StepRunner = {
    read: (work) => attempt(() => statements.steps(work)),
    transaction: (work) => attempt(() => statements.transaction(() => statements.steps(work))),
  }
  const leases = runLeases({ runner, hooks, owner, now })
  const waiting = waitingRuns(statements, { kinds, now })
  return {
    ...sharedCalls(runner, { hooks, now, upgradeSpec }),
    async voidLeases() {
      await leases.voidAll()
      await attempt(() => statements.transaction(() => joinParts(statements)))
    },
    countCrashes: leases.countCrashes,
    waitingRuns: (withSuspects) => attempt(() => waiting(withSuspects)),
    take: leases.take,
    renew: (held) => attempt(() => renew(held)),
    release: leases.release,
    reconcile: (held, isFirst) => leases.reconcile(held, isFirst),
    commit: (group, changes) => attempt(() => commit(group, changes)),
    hosts: (keys) => attempt(() => hosts.read(keys)),
    holdHosts: (keys) => attempt(() => inHosts(() => hosts.hold(keys, owner, now()))),
    giveHosts: (given) => attempt(() => inHosts(() => hosts.give(given, owner))),
  }

  function renew(held: readonly HeldRun[]): LostRun[] {
    if (held.length === 0) return []
    return statements.transaction(() => {
      const until = now() + LEASE_MS
      return held.flatMap((run) => {
        const { runNo, token, workedMs } = run
        statements.run(
          'UPDATE run SET lease_until = ?, worked_ms = ? WHERE no = ? AND token = ? AND ended_at IS NULL',
          until,
          workedMs,
          runNo,
          token,
        )
        return lostAt(run, statements.get('SELECT status, token FROM run WHERE no = ?', runNo))
      })
    })
  }

  function inHosts<T>(work: () => T): T {
    try {
      const done = statements.transaction(work)
      hosts.keepNumbers()
      return done
    } catch (fault) {
      hosts.forgetNumbers()
      throw fault
    }
  }
}
