/**
 * The PostgreSQL adapter of the Database port.
 *
 * The port promises serialised writers, and features rely on it: they read, decide and write in one transaction. So each transaction of an
 * API takes an exclusive advisory lock (`WRITERS`), and engines take it shared: nothing changes during a transaction of an API, and engines
 * commit concurrently, fenced by their leases. Reads take no lock.
 */
import {
  CamelCasePlugin,
  Kysely,
  OperatorNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
} from 'kysely'
import type { BinaryOperationNode, CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import pg from 'pg'
import type { Pool, PoolClient } from 'pg'
import type { Database, Tables } from '../database.ts'
import { NO_CONNECTION, NOT_SECURE, troubleOf } from '../trouble.ts'

export type PostgresPool = Pool

/** The advisory lock for writers. */
const WRITERS = '94, 1'
/** Each statement sees what was committed before it, also after a wait for a lock, whatever the default of the database or the user is. */
export const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED'
/** Begins a transaction with the exclusive lock. */
const BEGIN_ALONE = `${BEGIN}; SELECT pg_advisory_xact_lock(${WRITERS})`
/** Begins a transaction with the shared lock. */
export const BEGIN_BESIDE_OTHERS = `${BEGIN}; SELECT pg_advisory_xact_lock_shared(${WRITERS})`

const CONNECT_MS = 5000
/** A process that is stopped in the middle of a transaction delays the others for at most so many milliseconds. */
const IDLE_IN_TRANSACTION_MS = 10_000
const KEEP_IDLE_MS = 60_000

/** Parsers by type: int8 and numeric as numbers, because no number here reaches 2^53; booleans as in SQLite. */
const READ: Record<number, (text: string) => unknown> = {
  16: (text) => (text === 't' ? 1 : 0),
  20: Number,
  1700: Number,
}

/**
 * Connections are opened on demand, so an unreachable server shows with the first statement.
 *
 * @param connections  most connections
 * @param answerMs     most milliseconds of a statement; then its connection is closed
 * @param mayStandBy   whether the server may be a standby, which can only be read
 * @param name         of this part of the product, in the server's list of sessions
 */
export function openPostgres(url: string, { answerMs, connections, mayStandBy = false, name }: PoolOptions): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    application_name: `seine ${name}`,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: KEEP_IDLE_MS,
    keepAlive: true,
    // Idle connections keep no process alive.
    allowExitOnIdle: true,
    // The server's limit comes first and keeps the connection; the client's is for a server that no longer answers.
    statement_timeout: Math.ceil(answerMs * 0.8),
    query_timeout: answerMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    ...(!mayStandBy && { verify: refuseStandby }),
    types: { getTypeParser: (type: number, format?: 'text' | 'binary') => READ[type] ?? pg.types.getTypeParser(type, format as 'text') },
  })
  // A connection that breaks while idle is replaced by a new one.
  pool.on('error', () => undefined)
  // While it is in use, its next statement fails. Without a listener it would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

type PoolOptions = { connections: number; answerMs: number; mayStandBy?: boolean; name: string }

/**
 * Refuses a connection to a standby. After a failover the address may still lead to the old server for a while, which is now a standby: a
 * pool would keep using such a connection also when the address leads to the new server.
 */
function refuseStandby(client: PoolClient, done: (fault?: Error) => void): void {
  client.query<{ standby: number }>('SELECT pg_is_in_recovery() AS standby', [], (fault: Error | null, result) => {
    if (fault !== null) done(fault)
    else if (result.rows[0]?.standby === 1) done(Object.assign(new Error('the server is a standby'), { code: NO_CONNECTION }))
    else done()
  })
}

/** Messages of the driver about connections that come without a code. */
const UNCODED =
  /^(Connection terminated|Connection ended|Query read timeout|timeout e(xceeded|xpired)|Client (was closed|has encountered|is not queryable))/i
const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_|ENOENT)/
/** Codes of Node's TLS, and of OpenSSL for certificates. */
const TLS = /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH)/
const NO_TLS = /does not support SSL|establishing an SSL/

/** Adds a code to a connection error of the driver. Other errors stay unchanged. */
export function postgresFault(fault: unknown): unknown {
  if (!(fault instanceof Error) || fault instanceof pg.DatabaseError) return fault
  const { code: given, syscall } = fault as NodeJS.ErrnoException
  const code = String(given)
  // The driver opens no other files than the certificates and the key that the URL names.
  if (syscall === 'open' || TLS.test(code) || NO_TLS.test(fault.message)) return coded(fault, NOT_SECURE)
  return UNCODED.test(fault.message) || NETWORK.test(code) ? coded(fault, NO_CONNECTION) : fault
}

const coded = (fault: Error, code: string) => Object.assign(new Error(fault.message, { cause: fault }), { code })

/** Whether an error has made its connection unusable. A session that can only read (25006) may stay so after the database can be written. */
export const isBroken = (fault: unknown): boolean => {
  const { code } = fault as { code?: unknown }
  return code === NO_CONNECTION || code === NOT_SECURE || /^(08|57P|25006|25P0[34])/.test(String(code))
}

export async function connectTo(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (fault) {
    throw postgresFault(fault)
  }
}

/** Removes NULs, which PostgreSQL cannot store in a text. */
export const asValue = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value

/**
 * The query builder over a pool.
 *
 * @param onFault  called with every statement error, before its caller gets it
 */
export function postgresDatabase(pool: Pool, { onFault = () => undefined }: { onFault?: (fault: unknown) => void } = {}): Database {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => postgresDriver(pool, onFault),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new Compiler(),
    },
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

/** Compiles an empty list, which is a syntax error in PostgreSQL, so that it contains nothing. */
class Compiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { operator, rightOperand } = node
    const isEmpty = PrimitiveValueListNode.is(rightOperand) && rightOperand.values.length === 0
    const name = OperatorNode.is(operator) ? operator.operator : ''
    if (isEmpty && (name === 'in' || name === 'not in')) this.append(name === 'in' ? 'false' : 'true')
    else super.visitBinaryOperation(node)
  }
}

function postgresDriver(pool: Pool, onFault: (fault: unknown) => void): Driver {
  const run = (connection: DatabaseConnection, sql: string) => (connection as Connection).run(sql)
  return {
    init: async () => undefined,
    acquireConnection: async () => {
      try {
        return new Connection(await connectTo(pool), onFault)
      } catch (fault) {
        onFault(fault)
        throw fault
      }
    },
    releaseConnection: async (connection) => (connection as Connection).release(),
    beginTransaction: async (connection) => {
      try {
        await run(connection, BEGIN_ALONE)
      } catch (fault) {
        // The transaction may have begun, and be waiting for the lock.
        ;(connection as Connection).isBroken = true
        throw fault
      }
    },
    commitTransaction: (connection) => run(connection, 'COMMIT'),
    rollbackTransaction: async (connection) => {
      // After a broken connection the server has rolled back already, and an error here would hide the original one.
      if (!(connection as Connection).isBroken) await run(connection, 'ROLLBACK')
    },
    destroy: () => pool.end(),
  }
}

class Connection implements DatabaseConnection {
  isBroken = false
  readonly #client: PoolClient
  readonly #onFault: (fault: unknown) => void

  constructor(client: PoolClient, onFault: (fault: unknown) => void) {
    this.#client = client
    this.#onFault = onFault
  }

  release() {
    this.#client.release(this.isBroken)
  }

  async run(sql: string): Promise<void> {
    await this.#ask(() => this.#client.query(sql))
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { command, rowCount, rows } = await this.#ask(() =>
      this.#client.query<Record<string, unknown>>({ text: sql, values: parameters.map(asValue) }),
    )
    const isChange = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE'
    return { rows: rows as R[], ...(isChange && { numAffectedRows: BigInt(rowCount ?? 0) }) }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }

  async #ask<T>(query: () => Promise<T>): Promise<T> {
    try {
      return await query()
    } catch (thrown) {
      const fault = postgresFault(thrown)
      this.isBroken ||= isBroken(fault)
      if (troubleOf(fault) !== null) this.#onFault(fault)
      throw fault
    }
  }
}
