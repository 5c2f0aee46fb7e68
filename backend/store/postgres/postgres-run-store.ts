/** The PostgreSQL adapter of the RunStore: a pool of connections; engines run transactions concurrently, each run fenced by its lease. */
import { cannotUpgrade } from '#backend/crawler/run-spec.ts'
import type { UpgradeSpec } from '#backend/crawler/run-spec.ts'
import type { PostgresPool } from '#backend/platform/database/postgres.ts'
import { endRun, sweepUrls } from '../end-run.ts'
import { NO_HOOKS } from '../run-hooks.ts'
import type { RunHooks } from '../run-hooks.ts'
import { LEASE_MS } from '../run-store.ts'
import type { RunHint, RunStore } from '../run-store.ts'
import { createHostRows } from './host-rows.ts'
import { readsOfOwner } from './read-runs.ts'
import { wholeRun } from '../run-parts.ts'
import { createPartRows } from './run-part-rows.ts'
import { runLeases } from './run-leases.ts'
import { attempt, createSessions } from './session.ts'
import { createCommitWriter } from './write-commits.ts'

const SWEEP_BATCH = 5000

/**
 * @param kinds  kinds of runs that this engine takes
 * @param owner  this engine's name in leases
 * @param now    the wall clock for leases: one for all engines
 * @param upgradeSpec  converts what an older version stored of a run; without it such runs cannot continue
 */
export function createPostgresRunStore(needs: {
  pool: PostgresPool
  kinds: readonly string[]
  owner: string
  now: () => number
  /** Called before each call that compares instants: updates `now`. Rejects when that fails. */
  setClock?: () => Promise<void>
  newId: () => string
  hooks?: RunHooks
  upgradeSpec?: UpgradeSpec
}): RunStore {
  const { kinds, newId, now, owner, pool, setClock = () => Promise.resolve(), hooks = NO_HOOKS, upgradeSpec = cannotUpgrade } = needs
  const sessions = createSessions(pool)
  const hosts = createHostRows(sessions)
  const parts = createPartRows({ sessions, owner, now })
  const leases = runLeases({ sessions, parts, hooks, kinds, owner, now })
  const reads = readsOfOwner(sessions, hosts, upgradeSpec)
  const { commit } = createCommitWriter({ sessions, hosts, hooks, leaseMs: LEASE_MS, now, newId, makeJob: parts.makeJob })
  return {
    voidLeases: () => timed(leases.voidAll),
    countCrashes: (suspects) => attempt(() => leases.countCrashes(suspects)),
    countCrash: (runNo) => attempt(() => leases.countCrash(runNo)),
    waitingRuns: (withSuspects, held) => timed(() => leases.waiting(withSuspects, held)),
    take: (runNo) => timed(() => leases.take(runNo)),
    renew: (held) => timed(async () => (held.length === 0 ? [] : leases.renew(held))),
    release: (held, dueAt) => timed(() => leases.release(held, dueAt)),
    canceling: () => timed(leases.canceling),
    reconcile: (held, isFirst, hasPlace) => timed(() => leases.reconcile(held, isFirst, hasPlace)),

    commit: (group, changes) => timed(() => commit(group, changes)),
    endEarly: (runNo, why) => timed(() => endEarly(wholeRun(runNo), why)),
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
    holdHosts: (keys) => timed(() => hosts.hold(keys, owner, now())),
    giveHosts: (given) => timed(() => hosts.give(given, owner)),
    robots: (hostKey) => attempt(() => hosts.robots(hostKey)),
    parts: {
      engines: leases.engines,
      cut: (held, count) => timed(() => parts.cut(held, count)),
      mail: (no, after, limit) => attempt(() => parts.mail(no, after, limit)),
    },
  }

  /** Runs work after updating the clock. */
  function timed<T>(work: () => Promise<T>): Promise<T> {
    return attempt(async () => {
      await setClock()
      return work()
    })
  }

  function endEarly(runNo: number, { message, reason }: { reason: string; message: string }): Promise<RunHint | null> {
    return sessions.transaction(
      async (session) => {
        const run = await session.get<{ kept: number }>('SELECT kept FROM run WHERE no = ? FOR UPDATE', runNo)
        if (run === undefined) return null
        const status = run.kept > 0 ? ('finished' as const) : ('failed' as const)
        const ending = { status, reason, type: 'error' as const, message }
        const ended = await session.steps(endRun({ runNo, ending, at: now(), isOwner: false }, hooks))
        return ended && { runNo, ...ended }
      },
      { endsRuns: true },
    )
  }

  async function sweep(): Promise<boolean> {
    const run = await sessions.read(({ get }) =>
      get<{ no: number; status: string }>(
        'SELECT no, status FROM run WHERE ended_at IS NOT NULL AND settled < known AND deleted_at IS NULL LIMIT 1',
      ),
    )
    if (run === undefined) return false
    await sessions.transaction(async ({ get, run: write, steps }) => {
      // Engines take turns with one run; a late one finds nothing to do.
      const isLeft = await get('SELECT 1 FROM run WHERE no = ? AND settled < known FOR UPDATE', run.no)
      if (isLeft === undefined) return
      const swept = await steps(sweepUrls(run.no, run.status, SWEEP_BATCH))
      // Nothing is left to sweep: all URLs have ended, whatever the counter said.
      await write('UPDATE run SET settled = CASE WHEN ?::bigint = 0 THEN known ELSE settled + ? END WHERE no = ?', swept, swept, run.no)
    })
    return true
  }
}
