/**
 * A synchronous connection to PostgreSQL, like one to SQLite: tests read the tables between two steps of the engine. A
 * thread asks the server while this one waits.
 */
import { MessageChannel, Worker, receiveMessageOnPort } from 'node:worker_threads'

type Value = string | number | null
type Answer = { rows: Record<string, unknown>[]; changes: number } | { error: string }

const THREAD_SOURCE = `
const { workerData: { port, signal, url } } = require('node:worker_threads')
const pg = require('pg')
const READ = { 16: (text) => (text === 't' ? 1 : 0), 20: Number, 1700: Number }
const types = { getTypeParser: (id, format) => READ[id] ?? pg.types.getTypeParser(id, format) }
const client = new pg.Client({ connectionString: url, types, application_name: 'seine test', lock_timeout: 10000 })
client.on('error', () => undefined)
const connected = client.connect()
port.on('message', async (sql) => {
  let answer
  try {
    if (sql === null) await client.end()
    else {
      await connected
      const { rows, rowCount } = await client.query(sql)
      answer = { rows, changes: rowCount ?? 0 }
    }
  } catch (error) {
    answer = { error: error.message }
  }
  port.postMessage(answer ?? { rows: [], changes: 0 })
  Atomics.store(signal, 0, 1)
  Atomics.notify(signal, 0)
  if (sql === null) port.close()
})
`

/** @param url  of one database */
export function syncPostgres(url: string) {
  const { port1, port2 } = new MessageChannel()
  const signal = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(THREAD_SOURCE, { eval: true, workerData: { port: port2, signal, url }, transferList: [port2] })
  worker.unref()
  port1.unref()
  return {
    /** SQL as SQLite reads it, with `?` or `:name` for values. */
    prepare(sql: string) {
      const asked = (values: unknown[]) => ask(withValues(sql, values))
      return {
        all: (...values: unknown[]) => asked(values).rows,
        get: (...values: unknown[]) => asked(values).rows[0],
        run: (...values: unknown[]) => ({ changes: asked(values).changes }),
      }
    },
    exec: (sql: string) => void ask(sql),
    close: () => void ask(null),
  }

  function ask(sql: string | null): { rows: Record<string, unknown>[]; changes: number } {
    Atomics.store(signal, 0, 0)
    port1.postMessage(sql)
    Atomics.wait(signal, 0, 0)
    const { message } = receiveMessageOnPort(port1) as { message: Answer }
    if ('error' in message) throw new Error(`${message.error}: ${sql}`)
    for (const row of message.rows)
      for (const [name, value] of Object.entries(row))
        if (value instanceof Uint8Array) row[name] = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    return message
  }
}

/** Writes the values into the SQL text; as parameters each would need a type. */
function withValues(sql: string, values: unknown[]): string {
  const [first] = values
  if (typeof first === 'object' && first !== null)
    return sql.replace(/:([a-z]\w*)/gi, (_, name: string) => written((first as Record<string, Value>)[name]!))
  const left = values.slice()
  return sql.replaceAll('?', () => written(left.shift() as Value))
}

const written = (value: Value) => (typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : value === null ? 'NULL' : String(value))
