import * as assert from 'uvu/assert'
import { scrapePage } from '#contract/scrape.ts'
import type { EventSink } from '#backend/http/event-stream.ts'
import { crawlSource } from '#backend/crawls/present-crawl.ts'
import { CRAWLS, KEY, OTHER_KEY, startCrawlApp } from '#tests/support/crawl-app.ts'
import type { CrawlApp } from '#tests/support/crawl-app.ts'
import { openStream } from '#tests/support/read-stream.ts'
import { suite } from '#tests/support/suite.ts'

const SHOP = 'https://shop.example/'
const pagesOf = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ url: `${SHOP}${from + at}`, title: `${from + at}` }))
const feedOf = (from: number, count: number) => Array.from({ length: count }, (_, at) => ({ message: `line ${from + at}` }))

const stream = suite('follow a crawl')

async function listening() {
  const app = await startCrawlApp()
  const base = await app.listen()
  return { ...app, base, follow: (id: string, query = '') => openStream(`${base}${CRAWLS}${id}/status/${query}`) }
}

stream('S-WRK-09 the stream of an ended crawl replays its results, its feed and its final state, then closes', async () => {
  const { engine, follow, started } = await listening()
  const { id, no } = await started()
  await engine.commit(no, { pages: pagesOf(1, 2), feed: feedOf(1, 1) })
  await engine.commit(no, { pages: pagesOf(3, 1), feed: [{ type: 'success', message: 'Done.' }], end: { status: 'finished' } })
  const { reply, rest } = await follow(id)
  assert.is(reply.status, 200)
  assert.is(reply.headers.get('content-type'), 'text/event-stream')
  assert.is(reply.headers.get('cache-control'), 'no-cache')
  assert.is(reply.headers.get('x-accel-buffering'), 'no')
  assert.is(reply.headers.get('content-encoding'), null)
  const events = await rest()
  assert.equal(
    events.map(({ type, seq }) => [type, seq]),
    [
      ['result', 1],
      ['result', 2],
      ['feed', 3],
      ['result', 4],
      ['feed', 5],
      ['state', 6],
    ],
  )
  assert.equal(
    events.filter(({ type }) => type === 'result').map(({ data }) => data.url),
    [`${SHOP}1`, `${SHOP}2`, `${SHOP}3`],
  )
  assert.type(events[0]?.data.result, 'string')
  assert.equal([events[4]?.data.type, events[4]?.data.message, 'seq' in (events[4]?.data ?? {})], ['success', 'Done.', false])
  const last = events.at(-1)
  assert.equal([last?.status, last?.data.status, last?.data.number_of_documents, last?.data.uuid], ['finished', 'finished', 3, id])
})

stream('S-WRK-06 the stream shows a crawl as it happens, from waiting to its end', async () => {
  const { create, engine, follow } = await listening()
  const { uuid } = await create(SHOP, { page_limit: 9 })
  const { next, rest, until } = await follow(uuid)
  const first = await next()
  assert.equal([first?.type, first?.status, first?.data.status], ['state', 'new', 'new'])
  const no = await engine.take(uuid)
  assert.is((await next())?.status, 'running')
  await engine.commit(no, { pages: pagesOf(1, 1), feed: feedOf(1, 1) })
  assert.equal(
    (await until(({ type }) => type === 'feed')).map(({ type, seq }) => [type, seq]),
    [
      ['result', 1],
      ['feed', 2],
    ],
  )
  await engine.commit(no, { pages: pagesOf(2, 2), end: { status: 'finished' } })
  assert.equal(
    (await rest()).map(({ type, status, seq }) => [type, status, seq]),
    [
      ['result', undefined, 3],
      ['result', undefined, 4],
      ['state', 'finished', 5],
    ],
  )
})

stream('the stream sends earlier events, then new ones, none twice', async () => {
  const { engine, follow, started } = await listening()
  const { id, no } = await started()
  await engine.commit(no, { pages: pagesOf(1, 250), feed: feedOf(1, 300) })
  const { rest, until } = await follow(id)
  const replay = await until(({ type }) => type === 'state')
  assert.equal(
    replay.slice(0, 250).map(({ data }) => data.url),
    pagesOf(1, 250).map(({ url }) => url),
  )
  // The last 200 lines of the feed.
  assert.equal(
    replay.slice(250, -1).map(({ data }) => data.message),
    feedOf(101, 200).map(({ message }) => message),
  )
  assert.equal([replay.length, replay.at(-1)?.data.number_of_documents], [451, 250])
  await engine.commit(no, { pages: pagesOf(251, 1), end: { status: 'failed' } })
  assert.equal(
    (await rest()).map(({ type, seq }) => [type, seq]),
    [
      ['result', 551],
      ['state', 552],
    ],
  )
})

stream('the stream embeds the documents on request', async () => {
  const { engine, follow, started } = await listening()
  const { id, no } = await started()
  const document = { metadata: { title: null }, markdown: 'one\n\ntwo\u2028three' }
  await engine.commit(no, { pages: [{ url: SHOP, document }] })
  const { next, rest } = await follow(id, '?prefetched=True')
  assert.equal((await next())?.data.result, document)
  await engine.commit(no, { pages: [{ url: `${SHOP}b`, document, isPlain: true }], end: { status: 'finished' } })
  assert.equal((await rest()).find(({ type }) => type === 'result')?.data.result, document)
})

stream('the stream resumes after a given event', async () => {
  const { engine, follow, started } = await listening()
  const { id, no } = await started()
  for (let at = 0; at < 10; at += 1) await engine.commit(no, { pages: pagesOf(at * 10, 10), feed: feedOf(at, 1) })
  await engine.commit(no, { end: { status: 'finished' } })
  for (const after of [0, 1, 10, 11, 12, 57, 109, 110]) {
    const events = await (await follow(id, `?after=${after}`)).rest()
    assert.equal(
      events.map(({ seq }) => seq),
      Array.from({ length: 111 - after }, (_, at) => after + 1 + at),
      `after ${after}`,
    )
    assert.is(events.at(-1)?.status, 'finished')
  }
})

stream('C1: a stream that is cut anywhere and resumed after its last number shows each event once', async () => {
  const { engine, follow, started } = await listening()
  const { id, no } = await started()
  for (let at = 0; at < 40; at += 1) await engine.commit(no, { pages: pagesOf(at * 3, 1 + (at % 3)), feed: feedOf(at * 3, at % 4) })
  const before = (await (await follow(id)).until(({ type }) => type === 'state')).at(-1)!.seq
  for (let at = 40; at < 60; at += 1) await engine.commit(no, { pages: pagesOf(at * 3, 1), feed: feedOf(at * 3, 2) })
  await engine.commit(no, { feed: [{ type: 'success', message: 'Done.' }], end: { status: 'finished' } })
  const whole = (await (await follow(id)).rest()).map(({ type, seq }) => [type, seq])
  assert.equal(
    whole.map(([, seq]) => seq),
    Array.from({ length: whole.length }, (_, at) => at + 1),
  )
  assert.ok(before > 100 && whole.length > before + 60)
  for (const length of [1, 2, 3, 17, 90, 99, 100, 101, 130, before, before + 1, whole.length - 2]) {
    const cut = await follow(id)
    const seen: [string, number][] = []
    while (seen.length < length) {
      const { type, seq } = (await cut.next())!
      seen.push([type, seq])
    }
    cut.close()
    const after = Math.max(...seen.map(([, seq]) => seq))
    const rest = await (await follow(id, `?after=${after}`)).rest()
    assert.equal([...seen, ...rest.map(({ type, seq }) => [type, seq])], whole, `cut after ${length}`)
  }
})

stream('C1: a reader that resumes gets every feed line that it missed, not only the last 200', async () => {
  const { engine, follow, started } = await listening()
  const { id, no } = await started()
  for (let at = 0; at < 30; at += 1) await engine.commit(no, { pages: pagesOf(at, 1), feed: feedOf(at * 30, 30) })
  await engine.commit(no, { end: { status: 'finished' } })
  const messages = async (query: string) =>
    (await (await follow(id, query)).rest()).filter(({ type }) => type === 'feed').map(({ data }) => data.message)
  const all = feedOf(0, 900).map(({ message }) => message)
  assert.equal(await messages('?after=0'), all)
  assert.equal(await messages('?after=311'), all.slice(300))
  assert.equal(await messages(''), all.slice(-200))
})

stream('C5: an invalid resume number is refused before the stream begins', async () => {
  const { engine, call, started } = await listening()
  const { id, no } = await started()
  await engine.commit(no, { pages: pagesOf(1, 1), end: { status: 'finished' } })
  for (const after of ['abc', '-1', '1.5', '', '%201', '1e3', '0x10', '+1', 'NaN', 'null']) {
    const { json, status } = await call('GET', `${CRAWLS}${id}/status/?after=${after}`)
    assert.equal([status, json], [400, { code: 400, errors: { after: ['Enter a non-negative integer.'] }, message: 'Invalid input data.' }])
  }
  const { json, status } = await call('GET', `${CRAWLS}${id}/status/`, { headers: { 'last-event-id': 'x' } })
  assert.equal([status, Object.keys(json.errors)], [400, ['Last-Event-ID']])
})

/** A stream as an `EventSource` reads it: each event with the last id at that time (HTML, 9.2.6). */
async function asBrowser(url: string, headers: Record<string, string> = {}) {
  const reply = await fetch(url, { headers: { 'x-api-key': KEY, ...headers } })
  const text = await reply.text()
  let lastId = ''
  const events: { id: string; type: string; seq: number }[] = []
  for (const block of text.split('\n\n'))
    for (const line of block.split('\n')) {
      if (line.startsWith('id: ')) lastId = line.slice('id: '.length)
      if (line.startsWith('data: '))
        events.push({ id: lastId, ...(JSON.parse(line.slice('data: '.length)) as { type: string; seq: number }) })
    }
  return { status: reply.status, headers: reply.headers, text, events }
}

stream('C2: when events have ids, a browser that reconnects resumes after its last event, and stops after the end', async () => {
  const { base, engine, started } = await listening()
  const { id, no } = await started()
  for (let at = 0; at < 5; at += 1) await engine.commit(no, { pages: pagesOf(at * 2, 2), feed: feedOf(at, 3) })
  await engine.commit(no, { feed: feedOf(9, 1), end: { status: 'finished' } })
  const url = `${base}${CRAWLS}${id}/status/`
  const { events } = await asBrowser(`${url}?ids=true`)
  assert.equal(
    events.map((event) => event.id),
    Array.from({ length: 27 }, (_, at) => String(at + 1)),
  )
  assert.ok(events.every((event) => event.id === String(event.seq)))
  for (const seen of [1, 12, 26]) {
    const again = await asBrowser(`${url}?ids=true`, { 'last-event-id': String(seen) })
    assert.equal([again.status, again.events.map(({ seq }) => seq)], [200, events.slice(seen).map(({ seq }) => seq)])
  }
  // The header is newer than the URL, which stays as it was when the stream was opened.
  assert.equal(
    (await asBrowser(`${url}?ids=true&after=3`, { 'last-event-id': '25' })).events.map(({ seq }) => seq),
    [26, 27],
  )
  for (const [query, headers] of [
    ['?ids=true', { 'last-event-id': '27' }],
    ['', { 'last-event-id': '27' }],
    ['?after=27', {}],
    ['?after=99999999999999999999', {}],
  ] as const) {
    const over = await asBrowser(url + query, headers)
    assert.equal([over.status, over.text, over.headers.get('content-type')], [204, '', null])
  }
  // No such lines unless asked for: one known client cannot read them.
  const plain = await asBrowser(url)
  assert.not.match(plain.text, /^id:/m)
  assert.is((await asBrowser(`${url}?ids=false`)).text, plain.text)
  assert.is(plain.text, `${plain.events.map((event) => `data: ${JSON.stringify({ ...event, id: undefined })}`).join('\n\n')}\n\n`)
})

stream('C2: a resume number that no event has yet does not end the stream: it follows the crawl from its current state', async () => {
  const { engine, follow, started } = await listening()
  const { id, no } = await started()
  await engine.commit(no, { pages: pagesOf(1, 3) })
  const { next, rest } = await follow(id, '?after=5000')
  assert.is((await next())?.type, 'state')
  await engine.commit(no, { pages: pagesOf(4, 1), end: { status: 'finished' } })
  assert.equal(
    (await rest()).map(({ seq }) => seq),
    [4, 5],
  )
})

stream('C1: a reader that connects late gets a state that is as new as the events before it', async () => {
  const { engine, follow, started } = await listening()
  const { id, no } = await started()
  const first = await follow(id)
  assert.is((await first.next())?.seq, 0)
  await engine.commit(no, { pages: pagesOf(1, 3) })
  await first.until(({ seq }) => seq === 3)
  const late = await follow(id)
  const events = await late.until(({ type }) => type === 'state')
  assert.equal([events.map(({ seq }) => seq), events.at(-1)?.data.number_of_documents], [[1, 2, 3, 3], 3])
  first.close()
  late.close()
})

stream('C1: no feed line is lost when more lines arrive at once than the buffer holds', async () => {
  const { engine, follow, started } = await listening()
  const { id, no } = await started()
  const { next, rest } = await follow(id)
  await next()
  await engine.commit(no, { pages: pagesOf(1, 2), feed: feedOf(0, 700) }, { isQuiet: true })
  await engine.commit(no, { end: { status: 'finished' } })
  assert.equal(
    (await rest()).map(({ seq }) => seq),
    Array.from({ length: 703 }, (_, at) => at + 1),
  )
})

for (const status of ['finished', 'failed', 'canceled'] as const)
  stream(`the stream ends by itself when the crawl has ${status}`, async () => {
    const { engine, follow, progress, started } = await listening()
    const { id, no } = await started()
    const { rest, next } = await follow(id)
    await next()
    await engine.commit(no, { end: { status } })
    assert.equal(
      (await rest()).map((event) => event.status),
      [status],
    )
    assert.is(progress.readerCount(), 0)
  })

stream('the stream ends when a waiting crawl is stopped, with a feed line about the stop', async () => {
  const { call, create, follow } = await listening()
  const { uuid } = await create()
  const { rest, next } = await follow(uuid)
  await next()
  await call('DELETE', `${CRAWLS}${uuid}/`)
  assert.equal(
    (await rest()).map(({ type, seq }) => [type, seq]),
    [
      ['feed', 1],
      ['state', 2],
    ],
  )
})

stream('the stream reports the stop of a running crawl twice: when it is requested and when it is done', async () => {
  const { call, cancels, engine, follow, started } = await listening()
  const { id, no } = await started()
  const { rest, next } = await follow(id)
  await next()
  const stopping = call('DELETE', `${CRAWLS}${id}/`)
  assert.is((await next())?.status, 'canceling')
  assert.equal(cancels, [no])
  await engine.commit(no, { end: { status: 'canceled' } })
  await stopping
  assert.equal(
    (await rest()).map(({ status }) => status),
    ['canceled'],
  )
})

stream('an error before the stream begins has the usual shape', async () => {
  const { base, create } = await listening()
  const { uuid } = await create()
  const get = async (id: string, headers: Record<string, string>) => {
    const reply = await fetch(`${base}${CRAWLS}${id}/status/`, { headers })
    assert.is(reply.headers.get('content-type'), 'application/json')
    return [reply.status, ((await reply.json()) as { message: string }).message]
  }
  assert.equal(await get(uuid, {}), [401, 'Authentication credentials were not provided.'])
  assert.equal(await get(uuid, { 'x-api-key': OTHER_KEY }), [404, 'Not found.'])
  assert.equal(await get('nonsense', { 'x-api-key': OTHER_KEY }), [404, 'Not found.'])
})

stream('a reader that disconnects leaves no timer behind, and the crawl goes on', async () => {
  const { beats, engine, follow, progress, started } = await listening()
  const { id, no } = await started()
  const leaving = await follow(id)
  const staying = await follow(id)
  await leaving.next()
  await staying.next()
  assert.is(progress.readerCount(), 2)
  leaving.close()
  while (progress.readerCount() > 1) await new Promise((resolve) => setImmediate(resolve))
  await engine.commit(no, { pages: pagesOf(1, 1) })
  assert.is((await staying.next())?.type, 'result')
  staying.close()
  while (progress.readerCount() > 0) await new Promise((resolve) => setImmediate(resolve))
  assert.is(beats.size, 0)
})

stream('the stream ends with the last known state when the service closes', async () => {
  const { app, database, follow, started } = await listening()
  const { id } = await started()
  const { next, rest } = await follow(id)
  await next()
  await app.close()
  assert.equal(
    (await rest()).map(({ type, status }) => [type, status]),
    [['state', 'running']],
  )
  await database.destroy()
})

stream('T37: a team has a limited number of open streams; one that ends frees a place', async () => {
  const app = await startCrawlApp({ maxStreams: 3 })
  const { call, started } = app
  const base = await app.listen()
  const { id } = await started()
  const follow = () => openStream(`${base}${CRAWLS}${id}/status/`)
  const readers = [await follow(), await follow(), await follow()]
  for (const reader of readers) assert.is((await reader.next())?.type, 'state')
  const refused = await call('GET', `${CRAWLS}${id}/status/`)
  assert.equal([refused.status, refused.json.code, refused.headers['retry-after']], [429, 429, '15'])
  // Another team gets 404 rather than a refusal.
  assert.is((await call('GET', `${CRAWLS}${id}/status/`, { key: OTHER_KEY })).status, 404)
  readers[0]!.close()
  while (app.progress.readerCount() > 2) await new Promise((resolve) => setImmediate(resolve))
  const next = await follow()
  assert.is((await next.next())?.type, 'state')
  assert.is((await call('GET', `${CRAWLS}${id}/status/`)).status, 429)
  for (const reader of [...readers.slice(1), next]) reader.close()
})

stream('T37: a caller that waits for one page counts as a stream until its answer', async () => {
  const app = await startCrawlApp({ maxStreams: 1 })
  const { call } = app
  const scrape = () => call('POST', scrapePage.path, { body: { url: 'https://a.example/' } })
  const first = scrape()
  const crawls = async () => (await call('GET', CRAWLS)).json.results as { uuid: string }[]
  while ((await crawls()).length === 0) await new Promise((resolve) => setImmediate(resolve))
  const refused = await scrape()
  assert.equal([refused.status, refused.json.code, refused.headers['retry-after']], [429, 429, '15'])
  assert.is((await crawls()).length, 1)
  await call('DELETE', `${CRAWLS}${(await crawls())[0]!.uuid}/`)
  assert.is((await first).status, 422)
  const again = scrape()
  while ((await crawls()).length === 1) await new Promise((resolve) => setImmediate(resolve))
  await call('DELETE', `${CRAWLS}${(await crawls())[0]!.uuid}/`)
  assert.is((await again).status, 422)
})

const clockwork = suite('follow a crawl: timers')

/** A reader without a socket: it reads what it gets, or nothing while it `isStuck`. */
function fakeSink() {
  const events: { type: string; seq: number; status?: string; data: { url?: string; message?: string; number_of_documents?: number } }[] =
    []
  const waiting: Buffer[] = []
  const calls: { drain: (() => void)[]; close: (() => void)[] } = { drain: [], close: [] }
  const reader = {
    events,
    pings: 0,
    ended: false,
    destroyed: false,
    isStuck: false,
    sink: undefined as unknown as EventSink,
    flush,
    leave: () => calls.close.forEach((call) => call()),
  }
  const take = (frame: Buffer) => {
    const text = frame.toString()
    if (text.startsWith(':')) reader.pings += 1
    else events.push(JSON.parse(text.slice('data: '.length)))
  }
  function flush() {
    const had = waiting.length > 0
    waiting.splice(0).forEach(take)
    if (had) calls.drain.forEach((call) => call())
  }
  reader.sink = {
    write: (frames) => (reader.isStuck || waiting.length > 0 ? void waiting.push(...frames) : frames.forEach(take)),
    unsentBytes: () => waiting.reduce((sum, frame) => sum + frame.length, 0),
    onDrain: (listener) => void calls.drain.push(listener),
    onClose: (listener) => void calls.close.push(listener),
    end: () => {
      flush()
      reader.ended = true
    },
    destroy: () => {
      reader.destroyed = true
    },
  }
  return reader
}

async function joined(app: CrawlApp, id: string, { after = null as number | null, apiKeyId = 'one', prefetched = false } = {}) {
  const reader = fakeSink()
  const run = await app.runs.read(app.teams.one, 'crawl', id)
  const source = crawlSource({ attached: app.attached, baseUrl: '', links: app.links, pages: app.pages, prefetched })
  const actor = { teamId: app.teams.one, share: app.teams.one, userId: null, sessionId: null, apiKeyId } as const
  app.progress.follow({ actor, run, source, form: String(prefetched), after, withIds: false, sink: reader.sink })
  return reader
}

/** Polls, turn by turn, until `holds`. */
async function until(holds: () => boolean, what: string) {
  for (let turn = 0; turn < 100_000; turn += 1) {
    if (holds()) return
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error(`never: ${what}`)
}

clockwork('a lost hint delays events by two seconds', async () => {
  const app = await startCrawlApp()
  const { id, no } = await app.started()
  const reader = await joined(app, id)
  await until(() => reader.events.length === 1, 'the first state')
  await app.engine.commit(no, { pages: pagesOf(1, 1) }, { isQuiet: true })
  app.clock.at += 1900
  app.beat()
  await new Promise((resolve) => setImmediate(resolve))
  assert.is(reader.events.length, 1)
  app.clock.at += 100
  app.beat()
  await until(() => reader.events.at(-1)?.type === 'result', 'the result')
  reader.leave()
})

clockwork('the stream sends a state after five seconds without one', async () => {
  const app = await startCrawlApp()
  const { id } = await app.started()
  const reader = await joined(app, id)
  await until(() => reader.events.length === 1, 'the first state')
  for (let states = 2; states <= 4; states += 1) {
    app.clock.at += 5000
    app.beat()
    await until(() => reader.events.length === states, `state ${states}`)
  }
  assert.ok(reader.events.every(({ type }) => type === 'state'))
  assert.is(reader.pings, 0)
  reader.leave()
})

clockwork('the stream sends a ping after fifteen seconds without an event', async () => {
  const app = await startCrawlApp()
  const { id, no } = await app.started()
  const reader = await joined(app, id)
  await until(() => reader.events.length === 1, 'the first state')
  // The tables cannot be read: readers keep their place, and get what they missed once they can.
  const executor = app.database.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  executor.executeQuery = async () => Promise.reject(new Error('no database'))
  for (let beats = 0; beats < 3; beats += 1) {
    app.clock.at += 5000
    app.beat()
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.is(reader.pings, 1)
  assert.ok(app.warnings.length > 0)
  executor.executeQuery = execute
  await app.engine.commit(no, { pages: pagesOf(1, 1), end: { status: 'finished' } })
  await until(() => reader.ended, 'the end')
  assert.equal(
    reader.events.map(({ type }) => type),
    ['state', 'result', 'state'],
  )
})

clockwork('a reader that reads nothing is cut off after a minute; the other readers are not affected', async () => {
  const app = await startCrawlApp()
  const { id, no } = await app.started()
  const slow = await joined(app, id, { prefetched: true })
  const quick = await joined(app, id, { prefetched: true })
  await until(() => slow.events.length === 1 && quick.events.length === 1, 'the first state')
  slow.isStuck = true
  const document = { metadata: {}, markdown: 'x'.repeat(100_000) }
  for (let at = 1; at <= 100; at += 1) {
    app.clock.at += 50
    await app.engine.commit(no, { pages: [{ url: `${SHOP}${at}`, document }] })
    await until(() => quick.events.filter(({ type }) => type === 'result').length === at, `result ${at}`)
  }
  // The memory for waiting lines is bounded, however much the crawl has stored.
  assert.ok(slow.sink.unsentBytes() < 2 * 1024 * 1024, `${slow.sink.unsentBytes()} bytes wait`)
  for (let at = 0; at <= 59_000; at += 1000) {
    app.clock.at += 1000
    app.beat()
    if (at < 59_000) assert.not.ok(slow.destroyed)
  }
  app.clock.at += 2000
  app.beat()
  assert.ok(slow.destroyed)
  assert.not.ok(quick.destroyed)
  assert.is(app.progress.readerCount(), 1)
  quick.leave()
})

clockwork('a slow reader that catches up gets everything from the tables, once and in order', async () => {
  const app = await startCrawlApp()
  const { id, no } = await app.started()
  const reader = await joined(app, id, { prefetched: true })
  await until(() => reader.events.length === 1, 'the first state')
  reader.isStuck = true
  const document = { metadata: {}, markdown: 'x'.repeat(30_000) }
  for (let at = 0; at < 60; at += 1) {
    app.clock.at += 50
    await app.engine.commit(no, { pages: pagesOf(at * 20, 20).map((page) => ({ ...page, document })) })
  }
  await app.engine.commit(no, { end: { status: 'finished' } })
  reader.isStuck = false
  reader.flush()
  await until(() => reader.ended, 'the end')
  const results = reader.events.filter(({ type }) => type === 'result')
  assert.equal(
    results.map(({ data }) => data.url),
    pagesOf(0, 1200).map(({ url }) => url),
  )
  assert.is(reader.events.at(-1)?.status, 'finished')
})

clockwork('fifty readers with the same parameters cost as many statements as one', async () => {
  const app = await startCrawlApp()
  const { id, no } = await app.started()
  const readers: ReturnType<typeof fakeSink>[] = []
  for (let at = 0; at < 50; at += 1) readers.push(await joined(app, id))
  await until(() => readers.every(({ events }) => events.length === 1), 'the first states')
  let statements = 0
  const executor = app.database.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  executor.executeQuery = (query, ...rest) => {
    if (query.sql.startsWith('select')) statements += 1
    return execute(query, ...rest)
  }
  for (let at = 0; at < 3; at += 1) {
    app.clock.at += 1000
    await app.engine.commit(no, { pages: pagesOf(at, 1) }, { isQuiet: true })
  }
  statements = 0
  app.clock.at += 5000
  app.beat()
  await until(() => readers.every(({ events }) => events.filter(({ type }) => type === 'result').length === 3), 'all results')
  // The run, its new pages, its feed.
  assert.ok(statements <= 4, `${statements} statements`)
  for (const reader of readers) reader.leave()
})

clockwork('each reader gets each result once and in order, and the end last, in whatever order the events happen', async () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let round = 0; round < 6; round += 1) {
    const app = await startCrawlApp()
    const { id, no } = await app.started()
    const readers: { reader: ReturnType<typeof fakeSink>; after: number }[] = []
    let pages = 0
    for (let step = 0; step < 40; step += 1) {
      const what = random(10)
      if (what < 5) {
        const count = random(round % 3 === 0 ? 120 : 12)
        const pending = app.engine.commit(no, { pages: pagesOf(pages, count), feed: feedOf(step, random(3)) }, { isQuiet: random(3) === 0 })
        pages += count
        if (random(2) === 0) await pending
        else {
          readers.push({ reader: await joined(app, id), after: 0 })
          await pending
        }
      } else if (what < 7) {
        const { eventSeq } = await app.runs.read(app.teams.one, 'crawl', id)
        const after = random(2) * random(eventSeq + 1)
        readers.push({ reader: await joined(app, id, { after, prefetched: random(2) === 0 }), after })
      } else if (what === 7) {
        const { reader } = readers[random(Math.max(1, readers.length))] ?? {}
        if (reader) reader.isStuck = !reader.isStuck
        reader?.flush()
      } else {
        app.clock.at += random(3000)
        app.beat()
      }
      if (random(2) === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await app.engine.commit(
      no,
      { pages: pagesOf(pages, 1), feed: [{ message: 'the end' }], end: { status: 'finished' } },
      { isQuiet: random(2) === 0 },
    )
    for (const { reader } of readers) reader.isStuck = false
    for (let turn = 0; turn < 2000 && readers.some(({ reader }) => !reader.ended); turn += 1) {
      app.clock.at += 100
      app.beat()
      for (const { reader } of readers) reader.flush()
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    const all = await app.database.selectFrom('page').select(['url', 'eventSeq']).orderBy('no').execute()
    for (const { reader, after } of readers) {
      assert.ok(reader.ended, `round ${round}: a reader was not ended`)
      const results = reader.events.filter(({ type }) => type === 'result')
      assert.equal(
        results.map(({ seq }) => seq),
        all.map(({ eventSeq }) => eventSeq).filter((seq) => seq > after),
        `round ${round}, after ${after}`,
      )
      const numbers = reader.events.filter(({ type }) => type !== 'state').map(({ seq }) => seq)
      assert.equal(
        numbers,
        Array.from({ length: (all.at(-1)?.eventSeq ?? 0) + 1 - after }, (_, at) => after + 1 + at),
        `round ${round}, after ${after}: every event once and in order`,
      )
      const last = reader.events.at(-1)
      assert.equal([last?.type, last?.status], ['state', 'finished'])
      const counts = reader.events.filter(({ type }) => type === 'state').map(({ data }) => data.number_of_documents ?? 0)
      assert.equal(
        counts,
        counts.toSorted((one, other) => one - other),
        'counts went down',
      )
    }
    assert.is(app.progress.readerCount(), 0)
    assert.equal(app.warnings, [])
  }
})

stream.run()
clockwork.run()
