/** The server survives a blocked output, and stops when the npm that started it ends. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { fileOutput } from '#gateway/log-output.ts'
import { watchParent } from '#gateway/parent-watch.ts'
import { openDataDir } from '#gateway/start/data-dir.ts'
import { cleanEnvironment } from '#tests/support/environment.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const main = fileURLToPath(new URL('../../gateway/main.ts', import.meta.url))
const root = temporaryFolder('seine-outlasts-')
const outlasts = suite('a server whose disk, output or parent fails')

outlasts('O2: the server answers and stops while the disk of its log is full', async () => {
  if (!existsSync('/dev/full')) return
  const { environment, url } = await place('full')
  const child = spawn(process.execPath, [main], { cwd: root, env: environment, stdio: ['ignore', openSync('/dev/full', 'w'), 'inherit'] })
  await answers(url)
  for (let calls = 0; calls < 50; calls += 1) assert.is((await fetch(`${url}/api/v1/common/settings`)).status, 200)
  assert.equal(await stopped(child), [0, null])
})

outlasts('O2: the server answers while its output is not read, then logs how many lines were dropped', async () => {
  const { environment, url } = await place('unread')
  const child = spawn(process.execPath, [main], { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  await answers(url)
  const long = 'q='.concat('the%20'.repeat(2000))
  // A pipe holds 64 KiB on Linux, and the server keeps a mebibyte; this is twice as much.
  for (let calls = 0; calls < 180; calls += 1) await (await fetch(`${url}/api/v1/common/settings?${long}`)).text()
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (part: string) => (text += part))
  const late = performance.now() + 20_000
  while (!/"dropped":\d+/.test(text) && performance.now() < late) await (await fetch(`${url}/api/v1/common/settings`)).text()
  assert.equal(await stopped(child), [0, null])
  const lines = text
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  const parsed = lines.map((line) => JSON.parse(line) as { level: string; dropped?: number; msg: string })
  const dropped = parsed.reduce((sum, line) => sum + (line.dropped ?? 0), 0)
  assert.ok(dropped > 0 && dropped < 180, String(dropped))
  assert.is(parsed.at(-1)?.msg, 'stopping', 'what came afterwards is written')
})

outlasts('O2: after a full disk the log file has whole lines and the number of missing lines', () => {
  let room = 1e9
  let file = ''
  const output = fileOutput((bytes) => {
    if (room === 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    const taken = Math.min(room, bytes.length)
    room -= taken
    file += bytes.toString('utf8', 0, taken)
    return taken
  })
  output.write('{"a":1}\n')
  room = 3
  for (const line of ['{"b":1}\n', '{"c":1}\n', '{"d":1}\n']) output.write(line)
  room = 1e9
  output.write('{"e":1}\n')
  output.write('{"f":1}\n')
  const lines = file.split('\n')
  assert.equal([lines[0], lines[1], lines[3], lines[4]], ['{"a":1}', '{"b', '{"e":1}', '{"f":1}'])
  const report = JSON.parse(lines[2] ?? '') as { level: string; dropped: number; msg: string }
  assert.equal([report.level, report.dropped], ['warn', 3])
})

outlasts(
  'O3: the server stops when the npm that started it is killed, even with a shell between them, and the next start gets the folder',
  async () => {
    if (process.platform !== 'linux') return
    const { environment, url, dataDir } = await place('orphan')
    // As npm does: a shell that stays between the two.
    const script = `require('node:child_process').spawn('sh', ['-c', '"$0" "$1"; true', process.execPath, ${JSON.stringify(main)}], { stdio: 'inherit' })`
    const npm = spawn(process.execPath, ['-e', script], {
      cwd: root,
      env: { ...environment, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await answers(url)
    npm.kill('SIGKILL')
    await once(npm, 'exit')
    const late = performance.now() + 15_000
    let released = false
    while (!released && performance.now() < late) {
      const held = await openDataDir(dataDir).catch(() => null)
      released = held !== null
      held?.release()
      if (!released) await new Promise((resolve) => setTimeout(resolve, 100))
    }
    assert.ok(released, 'the folder is free')
    await fetch(url).then(
      () => assert.unreachable('nothing listens there'),
      () => undefined,
    )
  },
)

outlasts('O3: the server notices that its parent has ended, but not if the parent was process 1 from the start', async () => {
  const processes = { current: 1, shell: 50 as number | null }
  let ends = 0
  const watch = (parent: number, describe: (pid: number) => { name: string; parent: number } | null) => {
    processes.current = parent
    return watchParent(() => (ends += 1), { lookMs: 1, processes: { parent: () => processes.current, describe, isThere: () => true } })
  }
  const turns = () => new Promise((resolve) => setTimeout(resolve, 30))
  let stop = watch(1, () => ({ name: 'npm start', parent: 0 }))
  await turns()
  assert.is(ends, 0)
  stop()
  stop = watch(70, (pid) => (pid === 70 ? { name: 'sh', parent: processes.shell ?? 1 } : null))
  await turns()
  assert.is(ends, 0)
  processes.shell = null
  await turns()
  assert.is(ends, 1, 'the parent of the shell has ended; told once')
  stop()
})

outlasts.run()

async function place(name: string) {
  const dataDir = join(root, name)
  const port = await freePort()
  const environment = cleanEnvironment({ PORT: String(port), DATA_DIR: dataDir })
  return { dataDir, environment, url: `http://127.0.0.1:${port}` }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function answers(url: string): Promise<void> {
  const late = performance.now() + 30_000
  for (;;) {
    const isUp = await fetch(`${url}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    if (performance.now() > late) throw new Error('it does not answer')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function stopped(child: ChildProcess): Promise<unknown[]> {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  return exited
}
