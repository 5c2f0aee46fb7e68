import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { cleanEnvironment } from '#tests/support/environment.ts'
import { startMockBackend } from '#tests/support/stubs/mock-backend.ts'
import { until } from '#tests/support/until.ts'
import { START } from '../../scripts/start-command.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const main = fileURLToPath(new URL('../../gateway/main.ts', import.meta.url))
const folder = temporaryFolder('seine-main-')

const life = suite('the process')

life('the process logs its URL once it answers, locks its folder, and exits cleanly at a signal that arrives twice', async () => {
  const dataDir = join(folder, 'data')
  const child = spawn(process.execPath, [main], {
    cwd: folder,
    env: environment({ DATA_DIR: dataDir }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8')
  for await (const text of child.stdout.iterator({ destroyOnReturn: false })) {
    output += text
    if (output.includes('is ready')) break
  }
  const url = output.match(/^Seine is ready: (http:\/\/127\.0\.0\.1:\d+)$/m)?.[1]
  assert.ok(url, output)
  assert.is((await fetch(`${url}/health/ready`)).status, 200)
  assert.is((await (await fetch(`${url}/api/v1/common/settings`)).json()).is_installed, false)

  const second = run({ DATA_DIR: dataDir })
  assert.is(second.status, 78)
  assert.match(second.stderr, /in use by another process: stop that process, or set another DATA_DIR/)
  const third = run({ DATA_DIR: join(folder, 'other'), PORT: new URL(url).port })
  assert.is(third.status, 78)
  assert.match(third.stderr, /where another program listens: stop it, or set another PORT \(EADDRINUSE\)/)
  const nameless = run({ DATA_DIR: join(folder, 'other'), HOST: 'name.invalid' })
  assert.is(nameless.status, 78)
  // Which of the two it is depends on the machine's name servers.
  assert.match(nameless.stderr, /but there is no such name: correct HOST|but no name server answers: write an IP address as HOST/)

  child.stdout.resume()
  child.kill('SIGTERM')
  child.kill('SIGTERM')
  const [code, signal] = await once(child, 'exit')
  assert.is(signal, null)
  assert.is(code, 0)
})

life('the process stops like at a signal to end when its terminal is closed', async () => {
  const child = spawn(process.execPath, [main], {
    cwd: folder,
    env: environment({ DATA_DIR: join(folder, 'terminal') }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  await until(() => output.includes('is ready'))
  child.kill('SIGHUP')
  assert.equal(await once(child, 'exit'), [0, null])
  assert.match(output, /"signal":"SIGHUP","msg":"stopping"/)
})

life('the process exits with code 78 and lists all errors of an invalid configuration', () => {
  const { status, stderr, stdout } = run({ PORT: 'x', DATABASE_URL: 'mysql://db', SECRET_KEY: 'secret' })
  assert.is(status, 78)
  assert.is(stdout, '')
  assert.equal(
    stderr.match(/^ {2}(\w+)/gm)?.map((name) => name.trim()),
    ['PORT', 'DATABASE_URL', 'SECRET_KEY'],
  )
})

life('the process exits with code 78 and lists all errors of the plan catalogue', () => {
  const file = join(folder, 'plans.json')
  writeFileSync(file, '{ "plans": [{ "name": "One" }] }')
  const { status, stderr } = run({ DATA_DIR: join(folder, 'plans'), PLANS_FILE: file })
  assert.is(status, 78)
  assert.match(stderr, /^ {2}PLANS_FILE: plan 1 \(One\): uuid must be a UUID$/m)
  assert.match(stderr, /^ {2}PLANS_FILE: plan 1 \(One\): price must be an amount/m)
  const missing = run({ DATA_DIR: join(folder, 'plans'), PLANS_FILE: join(folder, 'none.json') })
  assert.is(missing.status, 78)
  assert.match(missing.stderr, /PLANS_FILE: it cannot be read \(ENOENT\)/)
})

life('the process runs as `npm start` in front of a remote backend', async () => {
  const mock = await startMockBackend()
  const child = spawn(process.execPath, [...START.flags, START.file], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: environment({ BACKEND_URL: mock.url, LOG_LEVEL: 'error' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let output = ''
    for await (const text of child.stdout.iterator({ destroyOnReturn: false })) {
      output += String(text)
      if (output.includes('is ready')) break
    }
    const url = / is ready: (\S+)/.exec(output)?.[1]
    const settings = await fetch(`${url}/api/v1/common/settings`)
    assert.is(settings.status, 200)
    assert.is((await settings.json()).is_installed, true)
    assert.is((await fetch(`${url}/install`)).status, 200)
  } finally {
    child.stdout.resume()
    child.kill('SIGTERM')
    await once(child, 'exit')
    await mock.close()
  }
})

life.run()

function run(options: Record<string, string>) {
  return spawnSync(process.execPath, [main], { cwd: folder, encoding: 'utf8', env: environment(options) })
}

function environment(options: Record<string, string>): Record<string, string> {
  return cleanEnvironment({ PORT: '0', ...options })
}
