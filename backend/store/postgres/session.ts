/** The store's statements over a pool of connections: single reads, and transactions that engines run concurrently. */
import type { PoolClient } from 'pg'
import { BEGIN_BESIDE_OTHERS, asValue, connectTo, isBroken, postgresFault } from '#backend/platform/database/postgres/postgres.ts'
import type { PostgresPool } from '#backend/platform/database/postgres/postgres.ts'
import { doStepsLater } from '../steps.ts'
import type { Result, Statement, Steps } from '../steps.ts'

/** The advisory lock under which ends of runs are numbered. */
const ENDINGS = '94, 3'

/** One connection. Each `?` in a statement is a parameter. */
export type Session = {
  all<Row>(sql: string, ...values: unknown[]): Promise<Row[]>
  get<Row>(sql: string, ...values: unknown[]): Promise<Row | undefined>
  /** Returns the number of changed rows. */
  run(sql: string, ...values: unknown[]): Promise<number>
  steps<T>(work: Steps<T>): Promise<T>
}

export type Sessions = ReturnType<typeof createSessions>

export function createSessions(pool: PostgresPool) {
  return { read, transaction }

  /** Each statement is a transaction of its own. */
  function read<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return withClient((client) => work(sessionOver(client)))
  }

  /**
   * Atomic, and durable when it resolves. If it rejects because the connection broke during the commit, it may be durable as well.
   *
   * @param endsRuns  whether it may end runs. Listeners read ends by their numbers, so ends must become visible in that order
   */
  function transaction<T>(work: (session: Session) => Promise<T>, { endsRuns = false } = {}): Promise<T> {
    return withClient(async (client) => {
      await client.query(endsRuns ? `${BEGIN_BESIDE_OTHERS}; SELECT pg_advisory_xact_lock(${ENDINGS})` : BEGIN_BESIDE_OTHERS)
      const result = await work(sessionOver(client))
      await client.query('COMMIT')
      return result
    })
  }

  async function withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await connectTo(pool)
    let isUsable = true
    try {
      return await work(client)
    } catch (thrown) {
      const fault = postgresFault(thrown)
      isUsable = !isBroken(fault) && (await rolledBack(client))
      throw fault
    } finally {
      client.release(!isUsable)
    }
  }
}

/** Rolls back; outside of a transaction that is only a warning. */
async function rolledBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK')
    return true
  } catch {
    return false
  }
}

function sessionOver(client: PoolClient): Session {
  return {
    async all<Row>(sql: string, ...values: unknown[]) {
      return (await ask(sql, values)).rows as Row[]
    },
    async get<Row>(sql: string, ...values: unknown[]) {
      return (await ask(sql, values)).rows[0] as Row | undefined
    },
    async run(sql: string, ...values: unknown[]) {
      return (await ask(sql, values)).rowCount ?? 0
    },
    steps: <T>(work: Steps<T>) =>
      doStepsLater(work, async ({ sql, values }: Statement): Promise<Result> => {
        const { command, rowCount, rows } = await ask(sql, values)
        return { rows, changes: command === 'SELECT' ? 0 : (rowCount ?? 0) }
      }),
  }

  function ask(sql: string, values: readonly unknown[]) {
    return client.query<Record<string, unknown>>({ text: numbered(sql), values: values.map(asValue) })
  }
}

const texts = new Map<string, string>()
const MOST_TEXTS = 500

/** Numbers the parameters of a statement for PostgreSQL. */
function numbered(sql: string): string {
  let text = texts.get(sql)
  if (text === undefined) {
    let count = 0
    text = sql.replaceAll('?', () => `$${++count}`)
    // The cache is limited because some statements are as long as their data.
    if (texts.size < MOST_TEXTS) texts.set(sql, text)
  }
  return text
}

/** Rows as one parameter: JSON for `json_to_recordset`, without NULs and lone surrogates, which PostgreSQL rejects. */
export function asRows(rows: readonly object[]): string {
  const text = JSON.stringify(rows)
  if (!/\\u(0000|d[89ab])/.test(text)) return text
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value))
}
