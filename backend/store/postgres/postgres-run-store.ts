/** The PostgreSQL adapter of the RunStore: a pool of connections; engines run transactions concurrently, each run fenced by its lease. */
import { cannotUpgrade } from '#backend/crawler/run-spec.ts'
import type { UpgradeSpec } from '#backend/crawler/run-spec.ts'
import type { PostgresPool } from '#backend/platform/database/postgres/postgres.ts'
import { NO_HOOKS } from '../run-hooks.ts'
import type { RunHooks } from '../run-hooks.ts'
import { attempt } from '../run-store.ts'
import type { RunStore } from '../run-store.ts'
import { sharedCalls } from '../shared-calls.ts'
import type { StepRunner } from '../shared-calls.ts'
import { createHostRows } from './host-rows.ts'
import { createPartRows } from './run-part-rows.ts'
import { runLeases } from './run-leases.ts'
import { createSessions } from './session.ts'
import { createCommitWriter } from './write-commits.ts'

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
  const { commit } = createCommitWriter({ sessions, hosts, hooks, now, newId, makeJob: parts.makeJob })
  const runner: StepRunner = {
    read: (work) => attempt(() => sessions.read(({ steps }) => steps(work))),
    transaction: (work, options) => timed(() => sessions.transaction(({ steps }) => steps(work), options)),
  }
  const leases = runLeases({ runner, sessions, parts, hooks, kinds, owner, now })
  return {
    ...sharedCalls(runner, { hooks, now, upgradeSpec }),
    voidLeases: () => timed(leases.voidAll),
    countCrashes: (suspects) => attempt(() => leases.countCrashes(suspects)),
    waitingRuns: (withSuspects, held) => timed(() => leases.waiting(withSuspects, held)),
    take: (runNo) => timed(() => leases.take(runNo)),
    renew: (held) => timed(async () => (held.length === 0 ? [] : leases.renew(held))),
    release: (held, dueAt) => timed(() => leases.release(held, dueAt)),
    reconcile: (held, isFirst, hasPlace) => timed(() => leases.reconcile(held, isFirst, hasPlace)),
    commit: (group, changes) => timed(() => commit(group, changes)),
    hosts: (keys) => attempt(() => hosts.read(keys)),
    holdHosts: (keys) => timed(() => hosts.hold(keys, owner, now())),
    giveHosts: (given) => timed(() => hosts.give(given, owner)),
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
}
