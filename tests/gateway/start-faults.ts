/** Errors that prevent a start: one line that says what to do, and exit code 78. Each case starts the real process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { parseEgressAllow } from '#backend/crawler/fetch/address-guard.ts'
import { migrate, openSqlite } from '#backend/platform/database/sqlite.ts'
import { readConfig } from '#config/read-config.ts'
import { warningsOf } from '#gateway/start/option-warnings.ts'
import { startFaultOf } from '#gateway/start/start-fault.ts'
import { cleanEnvironment } from '#tests/support/environment.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const main = fileURLToPath(new URL('../../gateway/main.ts', import.meta.url))
const root = temporaryFolder('seine-start-')
const KEY = 'b8Jq2vXn5Lw0RzTf7YcUeGk1Hd9AsMpQ'

const faults = suite('faults at start')

const CASES: [title: string, says: RegExp, make: (dataDir: string) => Record<string, string> | void][] = [
  ['a file that is not a database', /seine\.db is not a database\. Restore a backup: npm run admin -- restore FILE$/, overwriteDatabase],
  ['a truncated database', /seine\.db is truncated: \d+ bytes of \d+ are there\. Restore a backup/, truncate],
  ['a database of a newer version', /written by a newer version \(9999 later\)/, upgrade],
  ['a write-ahead log of another database', /seine\.db and \S+seine\.db-wal do not belong to the same database/, mixUp],
  ['a key without a database', /There is a secret key in \S+, but no database .*NEW_DATABASE=true/, keepKey],
  [
    'a key and an empty database',
    /There is a secret key in \S+, but no database/,
    (dataDir) => (keepKey(dataDir), writeFileSync(join(dataDir, 'seine.db'), '')),
  ],
  [
    'a database in a missing folder',
    /There is no folder \S+none for the database/,
    (dataDir) => ({ DATABASE_URL: `sqlite:${dataDir}/none/a.db` }),
  ],
  [
    'a folder instead of a database',
    /^\S+ is a folder: DATABASE_URL names the file of the database$/,
    (dataDir) => ({ DATABASE_URL: `sqlite:${dataDir}` }),
  ],
]
faults('O5, O10: each error at start is one line with a hint, exits with 78, and changes nothing', async () => {
  await Promise.all(
    CASES.map(async ([title, says, make]) => {
      const dataDir = mkdtempSync(join(root, 'case-'))
      const options = make(dataDir) ?? {}
      const before = sizesOf(dataDir)
      const { code, stderr, stdout } = await start({ DATA_DIR: dataDir, ...options })
      assert.is(code, 78, `${title}: ${stderr}`)
      const lines = stderr
        .trimEnd()
        .split('\n')
        .filter((line) => line !== 'The configuration cannot be used:')
      assert.is(lines.length, 1, `${title}: ${stderr}`)
      assert.match(lines[0] ?? '', says, title)
      assert.not.match(stderr, /^\s+at /m, `${title}: no stack`)
      assert.not.match(stdout, /is ready/, title)
      assert.equal(sizesOf(dataDir), before, title)
    }),
  )
})

faults('O10: NEW_DATABASE starts a new database and keeps the key', async () => {
  const dataDir = mkdtempSync(join(root, 'anew-'))
  keepKey(dataDir)
  const { stdout } = await start({ DATA_DIR: dataDir, NEW_DATABASE: 'true' }, 'stop when ready')
  assert.match(stdout, /is ready/)
  assert.not.match(stdout, /"level":"warn".*NEW_DATABASE/)
  assert.ok(existsSync(join(dataDir, 'seine.db')))
  const again = await start({ DATA_DIR: dataDir, NEW_DATABASE: 'true' }, 'stop when ready')
  assert.match(again.stdout, /"level":"warn".*NEW_DATABASE is set, but there is a database: unset it/)
})

faults('a dashboard to which nobody can sign in gets a warning', () => {
  const warnings = (options: Record<string, string>) => warningsOf(readConfig(options), true)
  assert.match(warnings({ LOGIN_ENABLED: 'false' }).join(), /LOGIN_ENABLED is false, .*: nobody can sign in to the dashboard/)
  assert.equal(warnings({ LOGIN_ENABLED: 'false', GOOGLE_CLIENT_ID: 'id' }), [])
  assert.equal(warnings({ LOGIN_ENABLED: 'false', OIDC_CLIENT_ID: 'id', OIDC_ISSUER: 'https://login.example.org' }), [])
  assert.equal(warnings({}), [])
})

faults('options that have no effect without another one get a warning', () => {
  const warnings = (options: Record<string, string>) => warningsOf(readConfig(options), true)
  const cases: [options: Record<string, string>, needed: Record<string, string>][] = [
    [{ OIDC_NAME: 'Login' }, { OIDC_ISSUER: 'https://login.example.org', OIDC_CLIENT_ID: 'id' }],
    [{ OIDC_TRUST_EMAIL: 'true' }, { OIDC_ISSUER: 'https://login.example.org', OIDC_CLIENT_ID: 'id' }],
    [{ PLANS_FILE: 'plans.json' }, { ENTERPRISE_MODE: 'true' }],
    [{ STRIPE_WEBHOOK_SECRET: 'whsec_1' }, { STRIPE_SECRET_KEY: 'sk_test_1', ENTERPRISE_MODE: 'true' }],
    [{ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }, { ENTERPRISE_MODE: 'true' }],
    [{ POLICY_UPDATED_AT: '2026-01-02' }, { POLICY_URL: 'https://example.org/privacy' }],
    [{ TERMS_UPDATED_AT: '2026-01-02' }, { TERMS_URL: 'https://example.org/terms' }],
  ]
  for (const [options, needed] of cases) {
    const [name, need] = [Object.keys(options)[0]!, Object.keys(needed)[0]!]
    assert.equal(warnings(options), [`${name} is set, but has no effect without ${need}`])
    assert.equal(warnings({ ...options, ...needed }), [])
  }
})

faults('mail without the URL that its links begin with, and workers that share no place for files, get a warning', () => {
  const warnings = (options: Record<string, string>) => warningsOf(readConfig(options), true).join()
  assert.match(
    warnings({ SMTP_URL: 'smtp://mail.example.org' }),
    /^SMTP_URL is set, but PUBLIC_URL is not: links in mails begin with http:\/\/127/,
  )
  for (const [HOST, base] of [
    ['0.0.0.0', 'http://127.0.0.1:3000'],
    ['::1', 'http://[::1]:3000'],
  ] as const)
    assert.ok(warnings({ SMTP_URL: 'smtp://mail.example.org', HOST }).includes(`links in mails begin with ${base}, which`), HOST)
  assert.is(warnings({ SMTP_URL: 'smtp://mail.example.org', PUBLIC_URL: 'https://crawl.example.org' }), '')
  const shared = { ROLE: 'worker', DATABASE_URL: 'postgres://db/seine', REDIS_URL: 'redis://redis', SECRET_KEY: KEY }
  assert.match(warnings(shared), /^BLOB_STORE is not set: files of pages, such as screenshots, stay on the worker/)
  assert.is(warnings({ ...shared, BLOB_STORE: 's3://bucket', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }), '')
})

faults('O1: if a database has no key, the start creates a new key and says so', async () => {
  const dataDir = mkdtempSync(join(root, 'keyless-'))
  upgrade(dataDir, 'not at all')
  const { stdout } = await start({ DATA_DIR: dataDir }, 'stop when ready')
  assert.match(stdout, /"level":"warn".*a new key was created: all users must sign in again/)
  assert.ok(existsSync(join(dataDir, 'secret.key')))
})

faults(
  'A13: files of the data folder, also older ones, are readable by their owner only, and a folder open to others gets a warning',
  async () => {
    const dataDir = mkdtempSync(join(root, 'open-'))
    upgrade(dataDir, 'not at all')
    for (const name of ['seine.db', 'search.db', 'data.lock']) {
      if (!existsSync(join(dataDir, name))) writeFileSync(join(dataDir, name), '')
      chmodSync(join(dataDir, name), 0o644)
    }
    chmodSync(dataDir, 0o755)
    const modes: Record<string, number> = {}
    const { stdout } = await start({ DATA_DIR: dataDir }, () => {
      for (const name of ['seine.db', 'seine.db-wal', 'seine.db-shm', 'search.db', 'data.lock', 'secret.key'])
        modes[name] = statSync(join(dataDir, name)).mode & 0o777
    })
    for (const [name, mode] of Object.entries(modes)) assert.is(mode, 0o600, name)
    assert.match(stdout, /"level":"warn".*other users of this machine can list the data folder/)
  },
)

faults('O10: invalid addresses of proxies and name servers are refused with one line', () => {
  for (const text of ['300.1.1.1', '10.0.0.0/33', '::1/129'])
    assert.throws(() => readConfig({ TRUST_PROXY: text }), /TRUST_PROXY is .*, but must be a number of hops, or addresses/)
  for (const text of ['999.1.1.1:53', '10.0.0.1', '10.0.0.1:0', '10.0.0.1:70000', '::1:53', '[10.0.0.1]:53'])
    assert.throws(() => readConfig({ EGRESS_RESOLVER: text }), /EGRESS_RESOLVER is .*, but must be ADDRESS:PORT/)
  assert.is(readConfig({ EGRESS_RESOLVER: '[::1]:53' }).egressResolver, '[::1]:53')
})

faults('errors of the system and of the database become a hint; bugs do not', () => {
  const saysOf = (code: string) => startFaultOf(Object.assign(new Error('why'), { code }), '/data')?.message
  assert.match(saysOf('SQLITE_FULL') ?? '', /^The disk of \/data is full: free some space/)
  assert.match(saysOf('ENOSPC') ?? '', /is full/)
  assert.match(saysOf('EROFS') ?? '', /^\/data cannot be written/)
  assert.match(saysOf('SQLITE_READONLY_DIRECTORY') ?? '', /cannot be written/)
  assert.match(saysOf('SQLITE_CORRUPT') ?? '', /is damaged: restore a backup/)
  assert.match(saysOf('SQLITE_BUSY') ?? '', /in use by another program/)
  const refused = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
  assert.match(startFaultOf(refused, '/data')?.message ?? '', /not read-only \(EACCES: permission denied\)$/)
  assert.is(saysOf('ERR_INVALID_ARG_TYPE'), undefined)
  assert.is(startFaultOf(new TypeError('x is not a function'), '/data'), null)
})

const RANGES = [
  '::1',
  '[::1]',
  '[::1]:8080',
  '[::1]:80-90',
  'fd00::/8',
  '[fd00::]/8',
  '[fd00::/8]',
  'fd00::/8:443',
  '[fd00::]/8:443',
  '10.0.0.0/8',
  '10.0.0.0/8:80',
  '127.0.0.1',
  '127.0.0.1:4600-4700',
  '::ffff:10.0.0.1',
  '::ffff:10.0.0.0/104',
  '::/0',
  '0.0.0.0/0',
]
const NO_RANGES = [
  'localhost',
  '10.0.0.0/33',
  '::1/129',
  '::ffff:10.0.0.0/8',
  'fe80::1%eth0',
  '300.1.1.1',
  '10.0.0.1:70000',
  '10.0.0.1:9-8',
  '[::1',
  '::1]:80',
  '[10.0.0.1',
  '10.*',
  'http://10.0.0.1/',
  '10.0.0.0/8/8',
  // An address, or one with a port that lacks its brackets?
  '::1:8080',
  'fd00::1:443',
]
faults('O10: EGRESS_ALLOW accepts the usual spellings, and the crawler understands all of them', () => {
  for (const range of RANGES) {
    assert.equal(readConfig({ EGRESS_ALLOW: range }).egressAllow, [range])
    assert.is(parseEgressAllow(range).length, 1, range)
  }
  for (const range of NO_RANGES) assert.throws(() => readConfig({ EGRESS_ALLOW: range }), /EGRESS_ALLOW is/, range)
  const [mapped] = parseEgressAllow('::ffff:10.0.0.0/104')
  assert.equal([mapped?.base.length, mapped?.bits], [4, 8])
  const [ported] = parseEgressAllow('fd00::/8:443')
  assert.equal([ported?.bits, ported?.fromPort, ported?.toPort], [8, 443, 443])
})

faults.run()

/** @param until  what to do when it is ready, before it is stopped */
async function start(options: Record<string, string>, until?: 'stop when ready' | (() => void)) {
  const child = spawn(process.execPath, [main], {
    cwd: root,
    env: cleanEnvironment({ PORT: '0', ...options }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stderr.on('data', (bytes) => (stderr += String(bytes)))
  child.stdout.on('data', (bytes) => {
    const wasReady = stdout.includes('is ready')
    stdout += String(bytes)
    if (wasReady || !stdout.includes('is ready')) return
    if (typeof until === 'function') until()
    child.kill('SIGTERM')
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}

function overwriteDatabase(dataDir: string) {
  writeFileSync(join(dataDir, 'seine.db'), 'This was a database.'.repeat(500))
}

function truncate(dataDir: string) {
  upgrade(dataDir, 'not at all')
  const handle = openSync(join(dataDir, 'seine.db'), 'r+')
  ftruncateSync(handle, 64 * 1024)
  closeSync(handle)
}

/** Makes a database as this version does, or as a later one might. */
function upgrade(dataDir: string, how?: unknown) {
  const connection = openSqlite(join(dataDir, 'seine.db'), { cacheMiB: 1 })
  migrate(connection, Date.now)
  if (typeof how !== 'string') connection.exec(`INSERT INTO migration VALUES ('9999 later', 0)`)
  connection.close()
}

function keepKey(dataDir: string) {
  writeFileSync(join(dataDir, 'secret.key'), `${KEY}\n`)
}

/** Copies a backup over the database of a killed process, whose write-ahead log stays. */
function mixUp(dataDir: string) {
  const source = join(dataDir, 'source')
  mkdirSync(source)
  const file = join(source, 'seine.db')
  const connection = openSqlite(file, { cacheMiB: 1 })
  migrate(connection, Date.now)
  connection.pragma('wal_checkpoint(TRUNCATE)')
  copyFileSync(file, join(dataDir, 'seine.db'))
  const insert = connection.prepare('INSERT INTO setting (name, value) VALUES (?, ?)')
  const write = (count: number) => {
    for (let at = 0; at < count; at += 1) insert.run(`name ${Math.random()}`, 'x'.repeat(2000))
  }
  write(2000)
  connection.pragma('wal_checkpoint(TRUNCATE)')
  write(50)
  copyFileSync(`${file}-wal`, join(dataDir, 'seine.db-wal'))
  connection.close()
  rmSync(source, { recursive: true })
}

function sizesOf(dataDir: string) {
  return ['seine.db', 'seine.db-wal', 'secret.key'].map((name) => statSync(join(dataDir, name), { throwIfNoEntry: false })?.size)
}
