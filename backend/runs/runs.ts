/**
 * The life that crawls, searches and sitemaps share: started, stopped, listed, read. What differs between the kinds arrives as arguments.
 *
 * A run and everything that must exist with it are one commit; the queue is woken and watchers are told after it, never before.
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
import type { Queue } from '#backend/platform/queue/queue.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { RunSpec } from '#backend/crawler/run-spec.ts'
import type { PageWindow } from '#backend/http/pagination.ts'
import type { TextFilter } from '#backend/http/query-filters.ts'
import type { Sealer } from '#backend/platform/secrets.ts'
import { createRunDeletion } from './delete-runs.ts'
import type { OnDeleted } from './delete-runs.ts'
import { createRun, fillRun } from '#backend/store/create-run.ts'
import type { SeedUrl } from '#backend/store/create-run.ts'
import { cancelRun as markCanceled } from '#backend/store/end-run.ts'
import { NO_HOOKS } from '#backend/store/run-hooks.ts'
import type { RunHooks } from '#backend/store/run-hooks.ts'
import { doStepsIn } from '#backend/store/steps.ts'
import { createRunRequests } from './run-request.ts'
import { hideSecrets, sealSecrets } from './run-secrets.ts'
import { selectRuns, toRun } from './run.ts'
import type { Run } from './run.ts'
import type { RunFilters, RunOrdering } from './run-filters.ts'

export type { SeedUrl } from '#backend/store/create-run.ts'

export type NewRun = {
  kind: RunKind
  variant: string
  label: string
  pageLimit: number
  /** Credits that are held until the end; one for each page unless told. */
  credits?: number
  /** What a plan may bound beside the credits: hops from the start, and the category of the proxy server that it names. */
  maxDepth?: number | undefined
  proxyCategory?: string | undefined
  /** As the API shows them again. */
  options: Record<string, unknown>
  /** What the engine is asked; no secrets. */
  spec: RunSpec
  /** The addresses as they were submitted. */
  seeds: string[]
  /** The distinct URLs to begin with, in order; keys are made with the run's own secret salt. */
  seedUrls: (salt: Buffer) => SeedUrl[]
  /** The same key of the same team gives the same run for 24 hours. */
  idempotencyKey?: string | undefined
  /** Writes what belongs to this run alone, in the transaction that makes it. */
  onMade?: OnMade | undefined
}

/** What else is written of a run in the transaction that makes it. */
export type OnMade = (transaction: Transaction, run: { runNo: number; runId: string; teamId: string }) => Promise<void>

/** Writes the entry of a new run into the ledger, or throws, and then there is no run. */
export type Reserve = (
  transaction: Transaction,
  wanted: { runNo: number; teamId: string; credits: number; at: number } & Pick<NewRun, 'kind' | 'maxDepth' | 'proxyCategory'>,
) => Promise<void>

const IDEMPOTENCY_MS = 24 * 60 * 60 * 1000
/** Milliseconds that a stop waits for the engine to release the run, and between two looks in case no hint arrives. */
const STOP_WAIT_MS = 2000
const STOP_LOOK_MS = 200
/** Options and addresses of a list that are read and written at once; the event loop turns between. */
const BYTES_AT_ONCE = 256 * 1024

/**
 * @param lists       where lists are read and counted, which takes long when a team has many runs
 * @param cancelRun   tells the engine, wherever it runs, that a run is to be given up; a hint, the status is the truth
 * @param hooks       what features do when a run ends
 * @param newSalt     16 random bytes
 * @param onDeleted   called with runs that were just deleted
 * @param onMade      what features write of each new run
 * @param reserve     holds the credits of a run, in the transaction that makes it; without one, every team has as many as it likes
 * @param sealer      hides the runs' own headers and the credentials of their addresses
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
  queue: Queue
  reserve?: Reserve
  sealer: Sealer
  stopWaitMs?: number
}) {
  const deletion = createRunDeletion({ bus, cancelRun, database, hooks, now, onDeleted })
  const requestOf = createRunRequests({ database, sealer })
  return { start, stop, list, read, readById, requestOf, ...deletion }

  /**
   * Makes a run that waits to be taken. Everything of it is durable when this resolves; with a known `idempotencyKey` it is the first run again.
   * Throws `idempotency_conflict` when the key was used for something else.
   */
  async function start(teamId: string, wanted: NewRun): Promise<Run> {
    const key = wanted.idempotencyKey?.trim()
    if (key !== undefined && key.length > MAX_IDEMPOTENCY_KEY)
      throw fieldError('Idempotency-Key', `Ensure this field has no more than ${MAX_IDEMPOTENCY_KEY} characters.`)
    const idempotencyKey = key ? `${wanted.kind}:${key}` : null
    const urlSalt = newSalt()
    const urls = wanted.seedUrls(urlSalt)
    // What is long is made, written and sent in several turns of the event loop; nothing is made while others wait for the transaction.
    await setImmediate()
    const id = await database.transaction().execute(async (transaction) => {
      const first = idempotencyKey === null ? undefined : await runOfKey(transaction, teamId, idempotencyKey, wanted)
      return first ?? (await insertRun(transaction, teamId, { ...wanted, urls, urlSalt }, idempotencyKey))
    })
    queue.wake()
    await setImmediate()
    return read(teamId, wanted.kind, id)
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
    // Of a single page someone waits to have it, a person, an agent or a client.
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
   * Stops a run and waits, 2 s at most, until it has stopped. What it has is kept; a run that has ended stays as it is.
   *
   * A run that nobody has taken is canceled at once. Otherwise its owner ends it: finish and cancel race for one row, and one of them wins.
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

  /** Resolves at the run's end, or when the wait is over. It listens from now on, so that a quick engine is not missed. */
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

  /** One run of any team: for links that carry their own proof. */
  async function readById(kind: RunKind, id: string): Promise<Run> {
    const row = await selectRuns(database)
      .where('run.id', '=', id.toLowerCase())
      .where('run.kind', '=', kind)
      // The runs of a deleted team get their own marks a little later.
      .where('run.teamId', 'not in', (of) => of.selectFrom('team').where('deletedAt', 'is not', null).select('id'))
      .executeTakeFirst()
    if (!row) throw new AppError('not_found')
    return toRun(row)
  }

  /**
   * One page of a team's runs, newest first, in groups as large as one reading: options and addresses of a hundred runs may be 200 MB.
   *
   * @param windowOf  says which rows, once it is known how many there are
   */
  async function list(
    teamId: string,
    kind: RunKind,
    filters: RunFilters,
    windowOf: (count: number) => PageWindow,
  ): Promise<{ window: PageWindow; groups: AsyncGenerator<Run[]> }> {
    const { count } = await filtered(teamId, kind, filters)
      .clearSelect()
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    const window = windowOf(count)
    const rows = await filtered(teamId, kind, filters)
      .clearSelect()
      .select(['run.no', sql<number>`octet_length(run_options.options) + octet_length(run_options.seeds)`.as('bytes')])
      .orderBy(orderOf(filters.ordering))
      .orderBy('run.no', 'desc')
      .limit(window.pageSize)
      .offset(window.offset)
      .execute()
    return { window, groups: readGroups(rows) }
  }

  /** Runs in the order of their rows; one that was deleted meanwhile is left out. */
  async function* readGroups(rows: readonly { no: number; bytes: number }[]): AsyncGenerator<Run[]> {
    for (const nos of groupsOf(rows)) {
      const found = await selectRuns(database).where('run.no', 'in', nos).execute()
      yield found.map(toRun).toSorted((one, other) => nos.indexOf(one.no) - nos.indexOf(other.no))
    }
  }

  function filtered(teamId: string, kind: RunKind, { uuid, variant, statuses, createdAt, url, label }: RunFilters) {
    let query = selectRuns(lists).where('run.teamId', '=', teamId).where('run.kind', '=', kind)
    if (uuid !== undefined) query = query.where('run.id', '=', uuid)
    if (variant !== undefined) query = query.where('run.variant', '=', variant)
    if (statuses !== undefined) query = query.where('run.status', 'in', statuses)
    for (const { operator, at } of createdAt) query = query.where('run.createdAt', operator, at)
    for (const condition of textConditions('run.label', label)) query = query.where(condition)
    const { oneOf, ...parts } = url
    const onSeed = textConditions('seed.value', parts)
    // Any of the submitted addresses counts, as it was submitted or as its crawl spells it.
    if (onSeed.length > 0) query = query.where(seedExists(sql.join(onSeed, sql` AND `)))
    if (oneOf !== undefined) {
      const spelled = sql.join(oneOf)
      query = query.where(
        sql<boolean>`(${seedExists(sql`seed.value IN (${spelled})`)} OR EXISTS (
          SELECT 1 FROM run_url WHERE run_url.run_no = run.no AND run_url.seq < run.seeds AND run_url.is_seed = 1 AND run_url.url IN (${spelled})))`,
      )
    }
    return query
  }
}

export type Runs = ReturnType<typeof createRuns>

const hold: Reserve = async (transaction, { runNo, teamId, credits, at }) => {
  await transaction.insertInto('creditEntry').values({ runNo, teamId, requested: credits, used: 0, state: 'held', createdAt: at }).execute()
}

/** What a list is ordered by. A run that has not ended has taken as long as it is known to. */
function orderOf(ordering: RunOrdering | undefined) {
  const { by, descending } = ordering ?? { by: 'created_at', descending: true }
  const column = {
    created_at: sql`run.no`,
    status: sql`run.status`,
    duration: sql`coalesce(run.ended_at, run.updated_at) - run.created_at`,
    number_of_documents: sql`run.kept`,
    label: sql`run.label`,
  }[by]
  return sql`${column} ${sql.raw(descending ? 'DESC' : 'ASC')}`
}

/** What was asked for, by its hash. Salted: options may hold secrets that are short enough to guess. */
const digestOf = ({ variant, label, pageLimit, options, seeds }: NewRun, salt: Buffer) =>
  createHash('sha256')
    .update(salt)
    .update(JSON.stringify([variant, label, pageLimit, options, seeds]))
    .digest('base64url')

const seedExists = (condition: RawBuilder<unknown>) =>
  sql<boolean>`EXISTS (SELECT 1 FROM json_each(${sql.ref('runOptions.seeds')}) AS seed WHERE ${condition})`

/** Numbers of rows that are read together: as many as stay below `BYTES_AT_ONCE`, and at least one. */
function* groupsOf(rows: readonly { no: number; bytes: number }[]): Generator<number[]> {
  let group: number[] = []
  let sum = 0
  for (const { no, bytes } of rows) {
    if (group.length > 0 && sum + bytes > BYTES_AT_ONCE) {
      yield group
      group = []
      sum = 0
    }
    group.push(no)
    sum += bytes
  }
  if (group.length > 0) yield group
}

/** What a text filter demands of a column. instr tells capitals apart, which LIKE does not everywhere. */
function textConditions(column: string, { oneOf, contains, startsWith }: TextFilter) {
  const text = sql.ref<string>(column)
  return [
    ...(oneOf === undefined ? [] : [sql<boolean>`${text} IN (${sql.join(oneOf)})`]),
    ...(contains === undefined ? [] : [sql<boolean>`instr(${text}, ${contains}) > 0`]),
    ...(startsWith === undefined ? [] : [sql<boolean>`instr(${text}, ${startsWith}) = 1`]),
  ]
}
