/**
 * The container image, made without a container engine: the steps of the Dockerfile are followed in folders, from the files that are
 * committed. Only packages are not installed anew; the last stage is given those that production has, and no others.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

type Stage = { folder: string; env: Record<string, string>; command: string[] }

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'seine-image-'))
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, { dev?: boolean }> }

let kill = () => true

const image = suite('the container image')
image.after(() => {
  kill()
  rmSync(folder, { recursive: true, force: true })
})

image('the image contains all that its build and its command need, and starts', async () => {
  const stage = followed(readFileSync(join(root, 'Dockerfile'), 'utf8'))
  const [node, ...args] = stage.command
  assert.is(node, 'node')
  const data = join(folder, 'data')
  const env = { ...stage.env, HOST: '127.0.0.1', PORT: '0', DATA_DIR: data }
  const child = spawn(process.execPath, args, { cwd: stage.folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  kill = () => child.kill('SIGKILL')
  const ended = once(child, 'exit')
  let url: string | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    url = / is ready: (\S+)$/.exec(line)?.[1]
    if (url) break
  }
  assert.ok(url, 'it ended before it was ready')
  child.stdout.resume()
  assert.is((await fetch(`${url}/health/ready`)).status, 200)
  const page = await (await fetch(`${url}/install`)).text()
  const script = /src="(\/assets\/app-[^"]+)"/.exec(page)?.[1]
  assert.is((await fetch(`${url}${script}`)).status, 200, 'the page is there')
  const help = execFileSync(process.execPath, ['scripts/admin.ts', 'help'], { cwd: stage.folder, env, encoding: 'utf8' })
  assert.match(help, /npm run admin/)
  child.kill('SIGTERM')
  assert.equal(await ended, [0, null])
})

image.run()

/** Follows a Dockerfile; the last stage is the image. */
function followed(text: string): Stage {
  const stages = new Map<string, Stage>()
  let stage: Stage | undefined
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    const [, word, rest = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? []
    if (word === 'FROM') {
      const name = / AS (\w+)$/.exec(rest)?.[1] ?? 'image'
      stage = { folder: join(folder, name), env: { PATH: `${dirname(process.execPath)}:${process.env['PATH']}` }, command: [] }
      mkdirSync(stage.folder)
      stages.set(name, stage)
    } else if (stage === undefined) continue
    else if (word === 'ENV') for (const pair of rest.split(' ')) stage.env[pair.split('=')[0]!] = pair.split('=')[1]!
    else if (word === 'CMD') stage.command = JSON.parse(rest) as string[]
    else if (word === 'COPY') copy(rest.split(/ +/), stage, stages)
    else if (word === 'RUN' && rest.startsWith('npm ci')) link(stage, { withDev: rest.includes('--include=dev') })
    else if (word === 'RUN') execFileSync('sh', ['-c', rest], { cwd: stage.folder, env: stage.env, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  return stage!
}

function copy(words: string[], stage: Stage, stages: Map<string, Stage>) {
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length)
  const paths = words.filter((word) => !word.startsWith('--'))
  const target = paths.pop()!
  for (const path of paths) {
    const source = from === undefined ? join(root, path) : join(stages.get(from)!.folder, path.replace(/^\/app\//, ''))
    assert.ok(existsSync(source), `${path} is copied and is not there`)
    const into = /[/.]$/.test(target) ? join(stage.folder, target, basename(path)) : join(stage.folder, target)
    cpSync(source, into, { recursive: true })
  }
}

function link(stage: Stage, { withDev }: { withDev: boolean }) {
  // Packages inside of packages come with the outer one.
  const names = Object.entries(lock.packages).flatMap(([path, entry]) =>
    /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && (withDev || !entry.dev) && existsSync(join(root, path)) ? [path] : [],
  )
  for (const name of names) {
    mkdirSync(dirname(join(stage.folder, name)), { recursive: true })
    symlinkSync(join(root, name), join(stage.folder, name))
  }
}
