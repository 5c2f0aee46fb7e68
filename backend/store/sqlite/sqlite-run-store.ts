/** The SQLite adapter of the RunStore: one connection of its own; each call does its work synchronously before it returns. */
import { cannotUpgrade } from '#backend/crawler/run-spec.ts'
import type { UpgradeSpec } from '#backend/crawler/run-spec.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { embeddedWorkQueue } from '#backend/platform/queue/embedded-queue.ts'
import { endRun, sweepUrls } from '../end-run.ts'
import { NO_HOOKS } from '../run-hooks.ts'
import type { RunHooks } from '../run-hooks.ts'
import { LEASE_MS } from '../run-store.ts'
import type { RunHint, RunStore } from '../run-store.ts'
import { createHostRows } from './host-rows.ts'
import { runLeases } from './run-leases.ts'
import { readsOfOwner } from './read-runs.ts'
import { createStatements } from './statements.ts'
import { createCommitWriter } from './write-commits.ts'

const SWEEP_BATCH = 5000

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
  const { attempt, transaction } = statements
  const hosts = createHostRows(statements)
  const queue = embeddedWorkQueue({ connection, kinds, now })
  const leases = runLeases({ statements, hooks, queue, owner, now })
  const reads = readsOfOwner(statements, hosts, upgradeSpec)
  const { commit } = createCommitWriter({ statements, hosts, hooks, leaseMs: LEASE_MS, now, newId })
  return {
    voidLeases: () => attempt(leases.voidAll),
    countCrashes: (suspects) => attempt(() => leases.countCrashes(suspects)),
    countCrash: (runNo) => attempt(() => leases.countCrash(runNo)),
    waitingRuns: (withSuspects) => attempt(() => leases.waiting(withSuspects)),
    take: (runNo) => attempt(() => leases.take(runNo)),
    renew: (held) => attempt(() => (held.length === 0 ? [] : leases.renew(held))),
    release: (held, dueAt) => attempt(() => leases.release(held, dueAt)),
    canceling: () => attempt(leases.canceling),
    reconcile: (held, isFirst) => attempt(() => leases.reconcile(held, isFirst)),

    commit: (group, changes) => attempt(() => commit(group, changes)),
    endEarly: (runNo, why) => attempt(() => endEarly(runNo, why)),
    sweep: () => attempt(sweep),

    describe: (runNo) => attempt(() => reads.describe(runNo)),
    knownUrls: (runNo, after, limit) => attempt(() => reads.knownUrls(runNo, after, limit)),
    pageKeys: (runNo) => attempt(() => reads.pageKeys(runNo)),
    pendingByHost: (runNo) => attempt(() => reads.pendingByHost(runNo)),
    pendingUrls: (runNo, hostKey, after, limit) => attempt(() => reads.pendingUrls(runNo, hostKey, after, limit)),
    waitingUrls: (runNo) => attempt(() => reads.waitingUrls(runNo)),
    taskDocument: (runNo) => attempt(() => reads.taskDocument(runNo)),
    taskUrls: (runNo, from, limit) => attempt(() => reads.taskUrls(runNo, from, limit)),
    hosts: (keys) => attempt(() => hosts.read(keys)),
    holdHosts: (keys) => attempt(() => inHosts(() => hosts.hold(keys, owner, now()))),
    giveHosts: (given) => attempt(() => inHosts(() => hosts.give(given, owner))),
    robots: (hostKey) => attempt(() => hosts.robots(hostKey)),
  }

  function inHosts<T>(work: () => T): T {
    try {
      const done = transaction(work)
      hosts.keepNumbers()
      return done
    } catch (fault) {
      hosts.forgetNumbers()
      throw fault
    }
  }

  function endEarly(runNo: number, { message, reason }: { reason: string; message: string }): RunHint | null {
    return transaction(() => {
      const run = statements.get<{ kept: number }>('SELECT kept FROM run WHERE no = ?', runNo)
      if (run === undefined) return null
      const status = run.kept > 0 ? ('finished' as const) : ('failed' as const)
      const ending = { status, reason, type: 'error' as const, message }
      const ended = statements.steps(endRun({ runNo, ending, at: now(), isOwner: false }, hooks))
      return ended && { runNo, ...ended }
    })
  }

  function sweep(): boolean {
    const run = statements.get<{ no: number; status: string }>(
      'SELECT no, status FROM run WHERE ended_at IS NOT NULL AND settled < known AND deleted_at IS NULL LIMIT 1',
    )
    if (run === undefined) return false
    transaction(() => {
      const swept = statements.steps(sweepUrls(run.no, run.status, SWEEP_BATCH))
      // Nothing is left to sweep: all URLs have ended, whatever the counter said.
      statements.run('UPDATE run SET settled = CASE WHEN ? = 0 THEN known ELSE settled + ? END WHERE no = ?', swept, swept, run.no)
    })
    return true
  }
}
