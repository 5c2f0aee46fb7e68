// The command beside a product that is running: the API of this process has the database open, and the data folder is locked.
import { spawn } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { getProfile, login, refreshToken, resetPassword } from '#contract/accounts.ts'
import { listAllProxies, listProxies } from '#contract/proxies.ts'
import { createTeam, currentTeam } from '#contract/teams.ts'
import { openDataDir } from '#gateway/start/data-dir.ts'
import { startApp } from '#tests/support/app.ts'
import { cleanEnvironment } from '#tests/support/environment.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const admin = suite('the admin command')

const script = fileURLToPath(new URL('../../scripts/admin.ts', import.meta.url))
const SECRET_KEY = 'a secret of tests alone, 4f9c1b7e2a6d8035'
const PASSWORD = 'Brand-New-Horse-9!'

type Ended = { code: number | null; out: string; err: string }

/** Runs the command to its end, in a folder without a file `.env`. */
async function run(
  dataDir: string,
  args: string[],
  { input = '', environment = {} }: { input?: string | undefined; environment?: Record<string, string> } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: tmpdir(),
    env: cleanEnvironment({ DATA_DIR: dataDir, SECRET_KEY, ...environment }),
  })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  child.stdin.on('error', () => undefined).end(input)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out, err }
}

async function running() {
  const app = await startApp({ config: { secretKey: SECRET_KEY } })
  const lock = await openDataDir(app.dataDir)
  const owner = await app.signIn()
  return {
    app,
    owner,
    run: (args: string[], { environment, input }: Parameters<typeof run>[2] = {}) =>
      run(app.dataDir, args, { input, environment: { DATABASE_URL: app.databaseUrl, ...environment } }),
    async close() {
      lock.release()
      await app.close()
    },
  }
}

admin('the command lists users and teams beside a running product, as text and as JSON', async () => {
  const { app, close, owner, run: command } = await running()
  await app.call(createTeam, { as: owner, body: { name: 'Docs\u001b[31m\u202e\nowner@example.org' } })
  const users = await command(['users', 'list'])
  assert.equal([users.code, users.err], [0, ''])
  const lines = users.out.trimEnd().split('\n')
  assert.match(lines[0] ?? '', /^EMAIL +NAME +STATE +ROLE +CREATED$/)
  assert.match(lines[1] ?? '', /^ana@example\.org +active +administrator +\d{4}-/)
  assert.is(lines.length, 2)
  const teams = await command(['teams', 'list'])
  assert.is(teams.code, 0)
  assert.match(teams.out, /Default +ana@example\.org +1 +\d{4}-/)
  // A name cannot control the terminal, nor add a row.
  assert.match(teams.out, /Docs\ufffd\[31m\ufffd\ufffdowner@example\.org +ana@/)
  assert.is((await command(['proxies', 'list'])).out, 'There are none.\n')
  const { out } = await command(['teams', 'list', '--json'])
  assert.equal(
    (JSON.parse(out) as { name: string; members: number }[]).map(({ members }) => members),
    [1, 1],
  )
  await close()
})

admin('the command creates a user with a password from the standard input, who signs in and gets a team', async () => {
  const { app, close, run: command } = await running()
  const created = await command(['users', 'create', 'Ben@Example.org', '--password-stdin'], { input: `${PASSWORD}\n` })
  assert.equal([created.code, created.err], [0, ''])
  assert.not.match(created.out, PASSWORD)
  const { status, body } = await app.call(login, { body: { email: 'ben@example.org', password: PASSWORD } })
  assert.is(status, 200)
  const headers = { authorization: `Bearer ${body.access}` }
  const { body: profile } = await app.call(getProfile, { headers })
  assert.equal([profile.email, profile.is_superuser, profile.email_verified], ['Ben@example.org', false, true])
  assert.is((await app.call(currentTeam, { headers })).body.name, 'Default')
  const again = await command(['users', 'create', 'BEN@example.org'])
  assert.equal([again.code, again.out, again.err], [1, '', 'There is an account for BEN@example.org already.\n'])
  await close()
})

admin('T31 the command prints a link that sets a password once; until it is used the user stays signed in', async () => {
  const { app, close, owner, run: command } = await running()
  const asked = await command(['users', 'reset-password', owner.email], { environment: { PUBLIC_URL: 'https://crawl.example.org/' } })
  assert.is(asked.code, 0)
  const token = /^https:\/\/crawl\.example\.org\/reset-password\/(\w{64})\n$/.exec(asked.out)?.[1] ?? ''
  assert.ok(token, asked.out)
  assert.is((await app.call(getProfile, { as: owner })).status, 200)
  const rows = await app.backend.database.selectFrom('oneTimeLink').selectAll().execute()
  assert.not.match(JSON.stringify(rows), token)
  const reset = () => app.call(resetPassword, { params: { token }, body: { password: PASSWORD } })
  assert.is((await reset()).status, 204)
  assert.is((await reset()).status, 404)
  assert.is((await app.call(getProfile, { as: owner })).status, 401)
  assert.is((await app.call(login, { body: { email: owner.email, password: PASSWORD } })).status, 200)
  await close()
})

admin('with another secret key than that of the product, the command warns before it prints a link', async () => {
  const { close, run: command } = await running()
  const right = await command(['users', 'reset-password', 'ana@example.org'])
  assert.equal([right.code, right.err], [0, ''])
  const environment = { SECRET_KEY: 'a different one for these tests, 81be02c7' }
  const wrong = await command(['users', 'reset-password', 'ana@example.org'], { environment })
  assert.is(wrong.code, 0)
  assert.match(wrong.err, /^Warning: SECRET_KEY, or secret\.key in DATA_DIR, is not the key/)
  assert.is((await command(['users', 'list'], { environment })).err, '', 'a list needs no key')
  await close()
})

admin('a new user without a password gets a link to set one, on this machine when there is no PUBLIC_URL', async () => {
  const { app, close, run: command } = await running()
  const { code, out } = await command(['users', 'create', 'zoe@example.org', '--administrator'], { environment: { PORT: '4321' } })
  assert.is(code, 0)
  const token = /\nhttp:\/\/127\.0\.0\.1:4321\/reset-password\/(\w{64})\n$/.exec(out)?.[1] ?? ''
  assert.is((await app.call(resetPassword, { params: { token }, body: { password: PASSWORD } })).status, 204)
  const { isSuperuser } = await app.backend.database
    .selectFrom('user')
    .select('isSuperuser')
    .where('email', '=', 'zoe@example.org')
    .executeTakeFirstOrThrow()
  assert.is(isSuperuser, 1)
  await close()
})

admin('T27 disabling a user ends every session at once, in the running product; enabling lets the user in again', async () => {
  const { app, close, run: command } = await running()
  const ben = await app.secondUser()
  assert.equal((await command(['users', 'disable', 'BEN@example.org'])).code, 0)
  assert.is((await app.call(getProfile, { as: ben })).status, 401)
  assert.is((await app.call(refreshToken, { body: { refresh: ben.refresh } })).status, 401)
  assert.is((await app.call(login, { body: ben })).status, 400)
  assert.match((await command(['users', 'list'])).out, /ben@example\.org +disabled +user/)
  const link = await command(['users', 'reset-password', ben.email])
  assert.equal([link.code, link.out], [1, ''])
  assert.is((await command(['users', 'enable', ben.email])).code, 0)
  assert.is((await app.call(login, { body: ben })).status, 200)
  // A session that has ended does not come back.
  assert.is((await app.call(refreshToken, { body: { refresh: ben.refresh } })).status, 401)
  await close()
})

admin('T27 a password from the standard input signs the user out everywhere; a poor password is refused', async () => {
  const { app, close, owner, run: command } = await running()
  const poor = await command(['users', 'reset-password', owner.email, '--password-stdin'], { input: '1234567' })
  assert.is(poor.code, 1)
  assert.match(poor.err, /too short.*entirely numeric/)
  assert.is((await app.call(getProfile, { as: owner })).status, 200)
  const none = await command(['users', 'reset-password', owner.email, '--password-stdin'])
  assert.equal([none.code, none.err], [1, 'There is no password on the standard input.\n'])
  const set = await command(['users', 'reset-password', owner.email, '--password-stdin'], { input: PASSWORD })
  assert.equal([set.code, set.err], [0, ''])
  assert.not.match(set.out, PASSWORD)
  assert.is((await app.call(getProfile, { as: owner })).status, 401)
  assert.is((await app.call(login, { body: { email: owner.email, password: PASSWORD } })).status, 200)
  await close()
})

admin(
  'T38 the command gives the installation proxy servers, which teams may choose and whose passwords are never shown again',
  async () => {
    const { app, close, owner, run: command } = await running()
    const added = await command(
      ['proxies', 'add', 'eu-pool', 'SOCKS5://us%40er@127.0.0.1:1080', '--name', 'EU pool', '--password-stdin', '--default'],
      {
        input: `${PASSWORD}\n`,
      },
    )
    assert.equal([added.code, added.err, added.out], [0, '', 'Added eu-pool.\n'])
    assert.is((await command(['proxies', 'add', 'us-pool', 'http://[2001:db8::1]:3128', '--premium'])).code, 0)
    assert.is((await command(['proxies', 'add', 'newer', 'socks4://pool.example.org:1080/', '--default'])).code, 0)
    const listed = await command(['proxies', 'list', '--json'])
    assert.not.match(listed.out, PASSWORD)
    assert.equal(
      (JSON.parse(listed.out) as Record<string, unknown>[]).map(({ created: _created, ...row }) => row),
      [
        {
          slug: 'eu-pool',
          name: 'EU pool',
          category: 'general',
          address: 'socks5://us%40er@127.0.0.1:1080',
          password: true,
          default: false,
        },
        { slug: 'us-pool', name: 'us-pool', category: 'premium', address: 'http://[2001:db8::1]:3128', password: false, default: false },
        { slug: 'newer', name: 'newer', category: 'general', address: 'socks4://pool.example.org:1080', password: false, default: true },
      ],
      'one default at most',
    )
    assert.match(
      (await command(['proxies', 'list'])).out,
      /^SLUG +NAME +CATEGORY +ADDRESS +PASSWORD +DEFAULT +CREATED\neu-pool +EU pool +general/,
    )
    const rows = await app.backend.database.selectFrom('proxyServer').selectAll().execute()
    assert.not.match(JSON.stringify(rows), PASSWORD)
    assert.equal((await app.call(listAllProxies, { as: owner })).body, [
      { name: 'EU pool', slug: 'eu-pool', category: 'general' },
      { name: 'newer', slug: 'newer', category: 'general' },
      { name: 'us-pool', slug: 'us-pool', category: 'premium' },
    ])
    assert.is((await app.call(listProxies, { as: owner })).body.count, 0, 'none of them is the own one of a team')
    assert.equal((await command(['proxies', 'remove', 'eu-pool'])).out, 'Removed eu-pool.\n')
    assert.is((await app.call(listAllProxies, { as: owner })).body.length, 2)
    await close()
  },
)

admin('an invalid proxy server is refused, and its password is not printed', async () => {
  const { close, run: command } = await running()
  assert.is((await command(['proxies', 'add', 'taken', 'http://127.0.0.1:8080'])).code, 0)
  const cases: [args: string[], code: number, said: RegExp][] = [
    [['add', 'taken', 'http://127.0.0.1:8081'], 1, /taken already/],
    [['add', 'a b', 'http://127.0.0.1:8080'], 1, /^slug: .*letters, numbers/],
    [['add', 'pool', 'ftp://127.0.0.1:8080'], 1, /^proxy_type: "ftp" is not/],
    [['add', 'pool', 'http://127.0.0.1'], 1, /TYPE:\/\/\[USERNAME@\]HOST:PORT/],
    [['add', 'pool', 'http://127.0.0.1:70000'], 1, /^port: /],
    [['add', 'pool', 'http://wanda:Hunter2-Hunter2@127.0.0.1:8080'], 1, /--password-stdin/],
    [['add', 'pool', 'http://127.0.0.1:8080', '--premium', '--default'], 1, /cannot be the default/],
    [['add', 'pool', 'http://127.0.0.1:8080', '--password', 'Hunter2-Hunter2'], 2, /^An option is unknown/],
    [['add', 'pool'], 2, /^The number of arguments is wrong\. Usage: npm run admin -- proxies add SLUG URL/],
    [['remove', 'nobody'], 1, /no proxy server nobody/],
  ]
  for (const [args, code, said] of cases) {
    const ended = await command(['proxies', ...args])
    assert.equal([ended.code, ended.out], [code, ''], args.join(' '))
    assert.match(ended.err, said)
    assert.not.match(ended.err, 'Hunter2')
  }
  assert.is((await command(['proxies', 'list'])).out.trimEnd().split('\n').length, 2)
  await close()
})

admin('the command exits with 2 for invalid arguments, and does not print a word that may be a password', async () => {
  const { close, run: command } = await running()
  const cases: [args: string[], why: string][] = [
    [[], 'no arguments'],
    [['user', 'list'], 'an unknown command'],
    [['users'], 'an incomplete command'],
    [['users', 'list', 'more'], 'one argument too many'],
    [['users', 'disable'], 'one argument too few'],
    [['users', 'disable', ''], 'an empty argument'],
    [['users', 'create', 'x@example.org', '--password', 'Hunter2-Hunter2'], 'a password after --password'],
    [['users', 'create', 'x@example.org', '--password-stdin=Hunter2-Hunter2'], 'a password as the value of --password-stdin'],
    [['users', 'create', 'x@example.org', 'Hunter2-Hunter2'], 'a password after the address'],
  ]
  for (const [args, why] of cases) {
    const { code, err, out } = await command(args)
    assert.equal([code, out], [2, ''], why)
    assert.ok(err.length > 0, why)
    assert.not.match(err, 'Hunter2', why)
  }
  await close()
})

admin('with a PostgreSQL that cannot be used the command says why, without the password of its URL', async () => {
  const { close, run: command } = await running()
  const environment = { DATABASE_URL: 'postgres://seine:Hunter2-Hunter2@127.0.0.1:1/seine' }
  for (const args of [
    ['users', 'list'],
    ['plans', 'list'],
    ['retention', '90'],
    ['backup', join(tmpdir(), 'seine-unreachable.db')],
  ]) {
    const { code, err, out } = await command(args, { environment })
    assert.equal([code, out], [1, ''], args.join(' '))
    assert.match(err, /^The database at postgres:\/\/127\.0\.0\.1:1\/seine cannot be used: .*ECONNREFUSED/)
    assert.not.match(err, 'Hunter2')
  }
  const compact = await command(['compact'], { environment })
  assert.equal([compact.code, compact.out], [1, ''])
  assert.match(compact.err, /^This command works with SQLite only, and DATABASE_URL names a PostgreSQL database\.$/m)
  await close()
})

admin('help lists the commands', async () => {
  const { close, run: command } = await running()
  for (const args of [['help'], ['--help'], ['users', 'create', '--help']]) {
    const { code, err, out } = await command(args)
    assert.equal([code, err], [0, ''])
    for (const words of ['users list', 'users create EMAIL', 'users disable EMAIL', 'teams list', 'proxies add SLUG URL'])
      assert.match(out, words)
  }
  await close()
})

admin('the command exits with 1 if it fails, and creates nothing', async () => {
  const { close, run: command } = await running()
  for (const args of [
    ['users', 'disable', 'nobody@example.org'],
    ['users', 'enable', 'nobody@example.org'],
    ['users', 'reset-password', 'nobody@example.org'],
    ['users', 'create', 'no-address'],
  ]) {
    const { code, err, out } = await command(args)
    assert.equal([code, out], [1, ''], args.join(' '))
    assert.match(err, /nobody@example\.org|no-address/)
  }
  assert.is((await command(['users', 'list'], { environment: { PORT: 'x' } })).code, 1)
  await close()

  const empty = temporaryFolder('seine-admin-')
  for (const secretKey of [SECRET_KEY, '']) {
    const { code, err } = await run(empty, ['users', 'list'], { environment: { SECRET_KEY: secretKey } })
    assert.is(code, 1)
    assert.match(err, /start the product once/)
  }
  const keyless = await run(empty, ['users', 'list'], { environment: { SECRET_KEY: '', DATABASE_URL: 'postgres://127.0.0.1:1/seine' } })
  assert.equal([keyless.code, keyless.err], [1, `There is no key in ${empty}: set SECRET_KEY to that of the product.\n`])
  assert.equal(readdirSync(empty), [])
})

admin('files that cannot be opened, such as those of another user, are reported with one line', async () => {
  const folder = temporaryFolder('seine-admin-')
  const file = join(folder, 'file')
  writeFileSync(file, 'x'.repeat(5000))
  const cases: [args: string[], environment: Record<string, string>, says: RegExp][] = [
    // A folder of another user has another error code, but the tests may run as root, who may open it.
    [
      ['users', 'list'],
      { DATA_DIR: file, SECRET_KEY: '' },
      /^\S+file cannot be written: it and its files must belong to the user who runs this/,
    ],
    [['users', 'list'], { DATABASE_URL: `sqlite:${file}` }, /^The database in \S+ is damaged: restore a backup/],
    [['users', 'list'], { DATABASE_URL: `sqlite:${folder}` }, /^\S+ is a folder: DATABASE_URL names the file of the database$/],
  ]
  for (const [args, environment, says] of cases) {
    const { code, err } = await run(folder, args, { environment })
    assert.is(code, 1, err)
    assert.match(err.trimEnd(), says)
    assert.is(err.trimEnd().split('\n').length, 1, err)
  }
})

admin('a database of another version is not changed', async () => {
  const { app, close, run: command } = await running()
  const { database } = app.backend
  const { sql } = await import('kysely')
  await sql`INSERT INTO migration (name, applied_at) VALUES ('9999 of tomorrow', 1)`.execute(database)
  assert.match((await command(['users', 'list'])).err, /newer version/)
  await sql`DELETE FROM migration WHERE name > '0002'`.execute(database)
  assert.match((await command(['users', 'list'])).err, /older version/)
  await sql`DELETE FROM migration`.execute(database)
  const { code, err } = await command(['users', 'list'])
  assert.is(code, 1)
  assert.match(err, /empty: start the product once/)
  await close()
})

admin('the first user must be an administrator', async () => {
  const app = await startApp({ config: { secretKey: SECRET_KEY } })
  const environment = { DATABASE_URL: app.databaseUrl }
  const plain = await run(app.dataDir, ['users', 'create', 'ana@example.org'], { environment })
  assert.is(plain.code, 1)
  assert.match(plain.err, /administrator/)
  const first = await run(app.dataDir, ['users', 'create', 'ana@example.org', '--administrator', '--password-stdin'], {
    environment,
    input: PASSWORD,
  })
  assert.is(first.code, 0)
  assert.is((await app.call(login, { body: { email: 'ana@example.org', password: PASSWORD } })).status, 200)
})

admin.run()
