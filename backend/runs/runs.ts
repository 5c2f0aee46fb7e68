/**
 * The life cycle that crawls, searches and sitemaps share: start, stop, list, read. Differences between the kinds are arguments.
 *
 * A run and everything that must exist with it are one commit; the queue is woken and watchers are notified after it, never before.
 */
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { isTerminal } from '#contract/runs.ts'
import { MAX_IDEMPOTENCY_KEY } from '#contract/sizes.ts'
import type { RunKind } from '#contract/runs.ts'
import { AppError, fieldError } from '#backend/errors.ts'
import type { Database, Transaction } from '#backend/platform/database/database.ts'
import type { EventBus } from '#backend/platform/events/event-bus.ts'
import { sliceKey } from '#backend/platform/queue/queue.ts'
import type { RunQueue } from '#backend/platform/queue/queue.ts'
import type { RunSpec } from '#backend/crawler/run-spec.ts'
import type { Sealer } from '#backend/platform/secrets.ts'
import { createRunDeletion } from './delete-runs.ts'
import type { OnDeleted } from './delete-runs.ts'
import { createRun, fillRun } from '#backend/store/create-run.ts'
import type { SeedUrl } from '#backend/store/create-run.ts'
import { cancelRun as markCanceled } from '#backend/store/end-run.ts'
import { NO_HOOKS } from '#backend/store/run-hooks.ts'
import type { RunHooks } from '#backend/store/run-hooks.ts'
import { doStepsIn } from '#backend/store/steps.ts'
import { createRunLists } from './list-runs.ts'
import { createRunRequests } from './run-request.ts'
import { hideSecrets, sealSecrets } from './run-secrets.ts'
import { selectRuns, toRun } from './run.ts'
import type { Run } from './run.ts'

export type { SeedUrl } from '#backend/store/create-run.ts'

export type NewRun = {
  kind: RunKind
  variant: string
  label: string
  pageLimit: number
  /** Credits to reserve until the end; by default one per page. */
  credits?: number
  /** Limited by the plan besides credits: depth, and the category of the named proxy server. */
  maxDepth?: number | undefined
  proxyCategory?: string | undefined
  /** In the form of the API. */
  options: Record<string, unknown>
  /** The spec for the engine, without secrets. */
  spec: RunSpec
  /** The submitted URLs. */
  seeds: string[]
  /** The distinct start URLs, in order; their keys depend on the run's secret salt. */
  seedUrls: (salt: Buffer) => SeedUrl[]
  /** For 24 hours, the same key of the same team returns the same run. */
  idempotencyKey?: string | undefined
  /** What a repeated key must have in common with the first one, in place of the request, which may differ with the plan of the team. */
  askedBy?: string | undefined
  /** Writes further rows of this run, in the transaction that creates it. */
  onMade?: OnMade | undefined
}

/** Writes rows in the transaction that creates a run. */
export type OnMade = (transaction: Transaction, run: { runNo: number; runId: string; teamId: string }) => Promise<void>

/** Adds a new run to the ledger, or throws, and then the run is not created. */
type Reserve = (
  transaction: Transaction,
  wanted: { runNo: number; teamId: string; credits: number; at: number } & Pick<NewRun, 'kind' | 'maxDepth' | 'proxyCategory'>,
) => Promise<void>

const IDEMPOTENCY_MS = 24 * 60 * 60 * 1000
/** How long a stop waits for the engine to release the run, and how often it reads in case no hint arrives. */
const STOP_WAIT_MS = 2000
const STOP_LOOK_MS = 200

/**
 * @param lists       connection for long lists and counts
 * @param cancelRun   tells the engine, in whatever process, to stop a run; only a hint, the status is the truth
 * @param hooks       what features do when a run ends
 * @param newSalt     16 random bytes
 * @param onDeleted   called with runs that were just deleted
 * @param onMade      what features write for each new run
 * @param reserve     reserves the credits of a run, in the transaction that creates it; without it, credits are unlimited
 * @param sealer      seals the runs' own headers and the credentials of their URLs
 * @param stopWaitMs  longest wait of `stop`
 */
export function createRuns({
  bus,
  cancelRun,
  database,
  hooks = NO_HOOKS,
  lists = database,
  newId,
  newSalt,
  now,
  onDeleted,
  onMade,
  queue,
  reserve = hold,
  sealer,
  stopWaitMs = STOP_WAIT_MS,
}: {
  bus: Pick<EventBus, 'publish' | 'subscribe'>
  cancelRun: (runNo: number) => void
  database: Database
  hooks?: RunHooks
  lists?: Database
  newId: () => string
  newSalt: () => Buffer
  now: () => number
  onDeleted?: OnDeleted
  onMade?: OnMade | undefined
  queue: RunQueue
  reserve?: Reserve
  sealer: Sealer
  stopWaitMs?: number
}) {
  const deletion = createRunDeletion({ bus, cancelRun, database, hooks, now, onDeleted })
  const requestOf = createRunRequests({ database, sealer })
  const list = createRunLists({ database, lists })
  return { start, stop, list, read, readById, requestOf, ...deletion }

  /**
   * Creates a run that waits to be taken. All of it is durable when this resolves; with a known `idempotencyKey` it returns the first run
   * again. Throws `idempotency_conflict` when the key was used with another request, and `not_found` when the team was deleted meanwhile.
   */
  async function start(teamId: string, wanted: NewRun): Promise<Run> {
    const key = wanted.idempotencyKey?.trim()
    if (key !== undefined && key.length > MAX_IDEMPOTENCY_KEY)
      throw fieldError('Idempotency-Key', `Ensure this field has no more than ${MAX_IDEMPOTENCY_KEY} characters.`)
    const idempotencyKey = key ? `${wanted.kind}:${key}` : null
    const urlSalt = newSalt()
    const urls = wanted.seedUrls(urlSalt)
    // Long values are prepared in several turns of the event loop, and before the transaction, for which others wait.
    await setImmediate()
    const id = await database.transaction().execute(async (transaction) => {
      await checkTeam(transaction, teamId)
      const first = idempotencyKey === null ? undefined : await runOfKey(transaction, teamId, idempotencyKey, wanted)
      return first ?? (await insertRun(transaction, teamId, { ...wanted, urls, urlSalt }, idempotencyKey))
    })
    await setImmediate()
    try {
      // Before an engine takes it: a new run is answered as `new`.
      return await read(teamId, wanted.kind, id)
    } finally {
      queue.wake()
    }
  }

  async function insertRun(
    transaction: Transaction,
    teamId: string,
    { urls, urlSalt, ...wanted }: NewRun & { urls: SeedUrl[]; urlSalt: Buffer },
    idempotencyKey: string | null,
  ): Promise<string> {
    const at = now()
    const id = newId()
    const { secrets, ...shown } = hideSecrets(wanted)
    const { kind, maxDepth, pageLimit, proxyCategory, spec, variant } = wanted
    const created = {
      ...shown,
      id,
      teamId,
      kind,
      variant,
      pageLimit,
      spec,
      sealedSecrets: sealSecrets(sealer, id, secrets),
      urls,
      urlSalt,
      idempotencyKey,
      idempotencyDigest: idempotencyKey === null ? null : digestOf(wanted, urlSalt),
    }
    const runNo = await doStepsIn(transaction, createRun(created, at))
    await reserve(transaction, { runNo, teamId, kind, credits: wanted.credits ?? pageLimit, at, maxDepth, proxyCategory })
    await doStepsIn(transaction, fillRun(runNo, created))
    // Someone is waiting for a single page: a person, an agent or a client.
    await queue.enqueue(transaction, { key: sliceKey(runNo, 1), kind, runNo, teamId, isShort: kind === 'crawl' && pageLimit === 1 })
    await onMade?.(transaction, { runNo, runId: id, teamId })
    await wanted.onMade?.(transaction, { runNo, runId: id, teamId })
    return id
  }

  async function runOfKey(transaction: Transaction, teamId: string, idempotencyKey: string, wanted: NewRun): Promise<string | undefined> {
    const first = await transaction
      .selectFrom('run')
      .where('teamId', '=', teamId)
      .where('idempotencyKey', '=', idempotencyKey)
      .select(['no', 'id', 'createdAt', 'deletedAt', 'urlSalt', 'idempotencyDigest'])
      .executeTakeFirst()
    if (!first) return undefined
    if (first.deletedAt === null && first.createdAt > now() - IDEMPOTENCY_MS) {
      const { idempotencyDigest: digest } = first
      if (digest !== null && digest !== digestOf(wanted, first.urlSalt)) throw new AppError('idempotency_conflict')
      return first.id
    }
    await transaction.updateTable('run').set({ idempotencyKey: null }).where('no', '=', first.no).execute()
    return undefined
  }

  /**
   * Stops a run and waits, at most 2 s, until it has stopped. Its results stay; an ended run stays unchanged.
   *
   * A run that nobody has taken is canceled at once. Otherwise its owner ends it: finish and cancel compete for one row, and one of them
   * wins.
   */
  async function stop(teamId: string, kind: RunKind, id: string): Promise<void> {
    const { no, status } = await read(teamId, kind, id)
    if (isTerminal(status)) return
    const end = watchForEnd(no)
    try {
      if ((await markStopped(no)) === 'canceling') {
        cancelRun(no)
        await end.reached
      }
    } finally {
      end.close()
    }
  }

  async function markStopped(runNo: number): Promise<string> {
    const told = await database.transaction().execute((transaction) => doStepsIn(transaction, markCanceled(runNo, now(), hooks)))
    if (told === null) throw new AppError('not_found')
    bus.publish({ runNo, ...told })
    return told.status
  }

  /** Resolves at the run's end, or after the wait. Listens from now on, so that a fast engine is not missed. */
  function watchForEnd(runNo: number) {
    const { promise: reached, resolve } = Promise.withResolvers<void>()
    const unsubscribe = bus.subscribe(runNo, ({ status }) => isTerminal(status) && resolve())
    const look = setInterval(() => void hasEnded(runNo).then((ended) => ended && resolve(), resolve), STOP_LOOK_MS)
    const limit = setTimeout(resolve, stopWaitMs)
    return {
      reached,
      close() {
        unsubscribe()
        clearInterval(look)
        clearTimeout(limit)
      },
    }
  }

  async function hasEnded(runNo: number): Promise<boolean> {
    const row = await database.selectFrom('run').where('no', '=', runNo).select('endedAt').executeTakeFirst()
    return row?.endedAt !== null
  }

  /** One run of a team. Throws `not_found` for an id that is unknown, malformed, or another team's. */
  async function read(teamId: string, kind: RunKind, id: string): Promise<Run> {
    const row = await selectRuns(database)
      .where('run.id', '=', id.toLowerCase())
      .where('run.teamId', '=', teamId)
      .where('run.kind', '=', kind)
      .executeTakeFirst()
    if (!row) throw new AppError('not_found')
    return toRun(row)
  }

  /** One run of any team: for signed links. */
  async function readById(kind: RunKind, id: string): Promise<Run> {
    const row = await selectRuns(database)
      .where('run.id', '=', id.toLowerCase())
      .where('run.kind', '=', kind)
      // The runs of a deleted team are marked a little later.
      .where('run.teamId', 'not in', (of) => of.selectFrom('team').where('deletedAt', 'is not', null).select('id'))
      .executeTakeFirst()
    if (!row) throw new AppError('not_found')
    return toRun(row)
  }
}

export type Runs = ReturnType<typeof createRuns>

const hold: Reserve = async (transaction, { runNo, teamId, credits, at }) => {
  await transaction.insertInto('creditEntry').values({ runNo, teamId, requested: credits, used: 0, state: 'held', createdAt: at }).execute()
}

/** What starts after the team was marked as deleted would run until the sweep finds it. */
async function checkTeam(transaction: Transaction, teamId: string): Promise<void> {
  const team = await transaction.selectFrom('team').select('id').where('id', '=', teamId).where('deletedAt', 'is', null).executeTakeFirst()
  if (team === undefined) throw new AppError('not_found')
}

/** A hash of the request. Salted, because options may contain secrets that are short enough to guess. */
const digestOf = ({ askedBy, variant, label, pageLimit, options, seeds }: NewRun, salt: Buffer) =>
  createHash('sha256')
    .update(salt)
    .update(askedBy ?? JSON.stringify([variant, label, pageLimit, options, seeds]))
    .digest('base64url')
