/** A renderer on another machine: its jobs arrive, and lost ones go to another renderer or are reported. */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as assert from 'uvu/assert'
import type { RenderJob, RenderOutcome, Renderer } from '#backend/crawler/crawl/renderer.ts'
import { RENDER_PROTOCOL, frameOf, frameReader } from '#backend/renderer/render-frames.ts'
import { askRenderers, remoteRenderer } from '#backend/renderer/remote-renderer.ts'
import { serveRenderCalls } from '#backend/renderer/render-service.ts'
import { freePort } from '#tests/support/stubs/path-proxy.ts'
import { until } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const TOKEN = 'a token of the tests'
const folder = temporaryFolder('seine-remote-renderer-')
const closers: (() => unknown)[] = []
const remote = suite('a renderer on another machine')
remote.after.each(async () => {
  for (const close of closers.splice(0)) await close()
})

const job: RenderJob = {
  url: 'http://site.test/a',
  locale: 'de-CH',
  headers: { 'x-own': 'yes' },
  proxy: { type: 'http', host: 'proxy.test', port: 8080, username: 'u', password: 'p' },
  timeoutMs: 1000,
  waitMs: 0,
  consentSelector: null,
  actions: [{ type: 'wait', ms: 5 }],
  viewport: 'desktop',
  blocks: [],
  maxBytes: 1000,
}
const watch = { signal: new AbortController().signal, beforeHop: async () => 'go' as const }
const drawn = (html: string): RenderOutcome => ({
  kind: 'rendered',
  url: job.url,
  status: 200,
  contentType: 'text/html',
  retryAfter: null,
  html: new Uint8Array(Buffer.from(html)),
  captures: [],
  actions: [],
  notes: [],
  hops: [],
  firstByteMs: 1,
  tookMs: 2,
})

/** Temporary files go to this folder meanwhile. */
async function withFiles<T>(path: string, work: () => Promise<T>): Promise<T> {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = path
  try {
    return await work()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}

const MIB = 1024 * 1024
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
function bytesHeld(): number {
  collect()
  return process.memoryUsage().arrayBuffers
}

/** A machine whose renderer behaves as the test says. */
async function machine(render: Renderer['render']) {
  const sockets = new Set<Socket>()
  const server: Server = createServer((_request, reply) => void reply.writeHead(404).end())
  server.on('connection', (socket) => sockets.add(socket))
  serveRenderCalls(server, { token: TOKEN, renderer: { slots: 1, render, close: async () => undefined } })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => sockets.forEach((socket) => socket.destroy())
  closers.push(() => {
    cut()
    return new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cut }
}

function asking(urls: string[], token = TOKEN) {
  const usable: boolean[] = []
  const said: string[] = []
  const renderer = remoteRenderer({
    log: { error: (_facts, message) => void said.push(message) },
    onUsable: (is) => usable.push(is),
    pause: async () => undefined,
    slots: 2,
    token,
    urls,
  })
  closers.push(renderer.close)
  return { renderer, usable, said }
}

remote(
  'renderers are asked without a page: one that accepts the token suffices, and otherwise the option to correct is named',
  async () => {
    const { url } = await machine(async () => drawn(''))
    let status = 404
    const web = createServer((_request, reply) => void reply.writeHead(status).end())
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
    closers.push(() => new Promise((resolve) => web.close(resolve)))
    const other = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
    const wrong = (urls: string[], token = TOKEN) => askRenderers({ token, urls })()
    assert.is(await wrong([other, url]), null)
    assert.match(
      (await wrong([url], 'another token')) ?? '',
      /^RENDERER_URL names no renderer .*the renderer refuses the token: set the same RENDERER_TOKEN for both/,
    )
    assert.match((await wrong([other])) ?? '', /it answered 404, and is no renderer: RENDERER_URL needs a process with ROLE=renderer/)
    status = 503
    assert.match((await wrong([other])) ?? '', /\(http:\S+: it answered 503\)/, 'a proxy may be in front of a renderer that starts')
    assert.match((await wrong([`http://127.0.0.1:${await freePort()}`])) ?? '', /ECONNREFUSED/)
  },
)

remote('the job, the decision on each hop, the document and captured files arrive unchanged', async () => {
  const path = join(folder, 'shot')
  const asked: RenderJob[] = []
  const verdicts: string[] = []
  const { url } = await machine(async (given, { beforeHop }) => {
    asked.push(given)
    for (const hop of ['http://site.test/b', 'http://site.test/c']) verdicts.push(await beforeHop(hop))
    writeFileSync(path, Buffer.from([0, 255, 10, 13]))
    return { ...drawn('Zürich 🦆'), captures: [{ type: 'screenshot', path, bytes: 4, isJpeg: true }] } as RenderOutcome
  })
  const hops: string[] = []
  const outcome = await asking([url]).renderer.render(job, {
    ...watch,
    beforeHop: async (hop) => (hops.push(hop), hop.endsWith('b') ? 'go' : 'robots'),
  })
  assert.equal(asked, [job])
  assert.equal(
    [hops, verdicts],
    [
      ['http://site.test/b', 'http://site.test/c'],
      ['go', 'robots'],
    ],
  )
  assert.is(outcome.kind, 'rendered')
  if (outcome.kind !== 'rendered') return
  assert.is(Buffer.from(outcome.html).toString(), 'Zürich 🦆')
  const [capture] = outcome.captures
  assert.equal([capture!.isJpeg, ...readFileSync(capture!.path)], [true, 0, 255, 10, 13])
  assert.equal([capture!.type, capture!.bytes, existsSync(path)], ['screenshot', 4, false])
  rmSync(capture!.path)
})

remote('a renderer renders as many pages at once as it has places, however many the workers send; the others wait', async () => {
  let [atOnce, most] = [0, 0]
  const ends: (() => void)[] = []
  const { url } = await machine(async () => {
    most = Math.max(most, (atOnce += 1))
    await new Promise<void>((resolve) => ends.push(resolve))
    atOnce -= 1
    return drawn('a')
  })
  const pages = [asking([url]), asking([url])].map(({ renderer }) => renderer.render(job, watch))
  for (let ended = 0; ended < pages.length; ended += 1) {
    await until(() => ends.length > ended)
    ends[ended]!()
  }
  assert.equal(
    (await Promise.all(pages)).map(({ kind }) => kind),
    ['rendered', 'rendered'],
  )
  assert.is(most, 1)
})

remote('pages go to the renderers in turn', async () => {
  const counts = [0, 0]
  const both = await Promise.all([0, 1].map((at) => machine(async () => ((counts[at]! += 1), drawn(String(at))))))
  const { renderer } = asking(both.map(({ url }) => url))
  for (let page = 0; page < 4; page += 1) await renderer.render(job, watch)
  assert.equal(counts, [2, 2])
})

remote('a page lost with its renderer is rendered by another renderer, once; a page that crashes two renderers fails', async () => {
  const dying = await machine((_job, { signal }) => {
    const ended = new Promise<RenderOutcome>((resolve) =>
      signal.addEventListener('abort', () => resolve({ kind: 'failure', reason: 'canceled', detail: 'canceled', tookMs: 0 })),
    )
    dying.cut()
    return ended
  })
  const well = await machine(async () => drawn('well'))
  const { renderer, usable } = asking([dying.url, well.url])
  assert.is((await renderer.render(job, watch)).kind, 'rendered')
  const alone = asking([dying.url])
  const outcome = await alone.renderer.render(job, watch)
  assert.equal([outcome.kind, outcome.kind === 'failure' && outcome.reason], ['failure', 'render_failed'])
  assert.equal([...usable, ...alone.usable], [], 'renderers can be reached')
})

remote('the pool says once that no renderer can be reached, and later pages do not wait', async () => {
  const { renderer, said, usable } = asking(['http://127.0.0.1:1'])
  for (let page = 0; page < 3; page += 1) assert.is((await renderer.render(job, watch)).kind, 'unavailable')
  assert.equal([said.length, usable], [1, [false]])
})

remote('a worker without the token is refused', async () => {
  let draws = 0
  const { url } = await machine(async () => ((draws += 1), drawn('')))
  for (const token of ['', 'another', `${TOKEN} `.slice(1)])
    assert.is((await asking([url], token).renderer.render(job, watch)).kind, 'unavailable')
  assert.is(draws, 0)
})

remote('a page that is given up is no longer rendered', async () => {
  const stopped = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const { url } = await machine(async (_job, { signal }) => {
    signal.addEventListener('abort', () => stopped.resolve())
    begun.resolve()
    await stopped.promise
    return drawn('')
  })
  const stop = new AbortController()
  const rendering = asking([url]).renderer.render(job, { ...watch, signal: stop.signal })
  await begun.promise
  stop.abort()
  const outcome = await rendering
  assert.is(outcome.kind === 'failure' && outcome.reason, 'canceled')
  await stopped.promise
})

remote(
  'a captured file that cannot be written here is missing from its page, with a note; the engine and its other pages go on',
  async () => {
    const path = join(folder, 'shot.png')
    const { url } = await machine(async () => {
      writeFileSync(path, 'png')
      return { ...drawn('page'), captures: [{ type: 'screenshot', path, bytes: 3 }] } as RenderOutcome
    })
    const { renderer, usable } = asking([url])
    const outcome = await withFiles(join(folder, 'missing'), () => renderer.render(job, watch))
    assert.equal(outcome.kind === 'rendered' && [outcome.captures, outcome.notes], [[], ['a captured file could not be written (ENOENT)']])
    assert.equal(usable, [])
  },
)

remote('captured files of a page that is lost with its renderer are deleted', async () => {
  const server = createServer().on('upgrade', (_request, socket) => {
    const files = [frameOf({ type: 'capture', of: 'pdf' }, Buffer.from('one')), frameOf({ type: 'capture', of: 'pdf' }, Buffer.from('two'))]
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${RENDER_PROTOCOL}\r\n\r\n`)
    socket.end(Buffer.concat(files), () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => new Promise((resolve) => server.close(resolve)))
  const { renderer } = asking([`http://127.0.0.1:${(server.address() as AddressInfo).port}`])
  const files = mkdtempSync(join(folder, 'files-'))
  const outcome = await withFiles(files, () => renderer.render(job, watch))
  assert.is(outcome.kind === 'failure' && outcome.detail, 'the renderer was lost twice')
  assert.equal(readdirSync(files), [])
})

remote('pages that have been rendered are not held in memory while their crawl goes on', async () => {
  const { url } = await machine(async () => drawn('x'.repeat(4 * MIB)))
  const { renderer } = asking([url])
  for (let at = 0; at < 20; at += 1) await renderer.render(job, watch)
  const before = bytesHeld()
  for (let at = 0; at < 20; at += 1) await renderer.render(job, watch)
  // Buffers of closed connections may take a moment.
  await until(() => bytesHeld() - before < 20 * MIB)
})

remote('frames are read whole, however the bytes are split, and an oversized frame is refused', () => {
  const bytes = Buffer.concat([
    frameOf({ type: 'alive' }),
    frameOf({ type: 'capture', of: 'pdf' }, Buffer.from('body')),
    frameOf({ type: 'hop', hop: 3, url: 'é' }),
  ])
  for (const step of [1, 2, 7, 11, 64, bytes.length]) {
    const heads: unknown[] = []
    const read = frameReader<unknown>((head, body) => heads.push([head, body.toString()]))
    for (let at = 0; at < bytes.length; at += step) read(bytes.subarray(at, at + step))
    assert.equal(heads, [
      [{ type: 'alive' }, ''],
      [{ type: 'capture', of: 'pdf' }, 'body'],
      [{ type: 'hop', hop: 3, url: 'é' }, ''],
    ])
  }
  assert.throws(() => frameReader(() => undefined)(Buffer.from([255, 255, 255, 255, 0, 0, 0, 0])), /too long/)
})

remote.run()
