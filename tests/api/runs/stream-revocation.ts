// A stream checks its caller when it begins, and again while it runs. The test moves the clock and calls the beat.
import * as assert from 'uvu/assert'
import { logout, updateProfile } from '#contract/accounts.ts'
import { createCrawl, followCrawl } from '#contract/crawls.ts'
import { fillPath } from '#contract/endpoint.ts'
import { deleteApiKey, listApiKeys, listMembers, removeMember } from '#contract/teams.ts'
import type { EventSink } from '#backend/http/event-stream.ts'
import type { TeamActor } from '#backend/http/actor.ts'
import { crawlSource } from '#backend/crawls/present-crawl.ts'
import { createProgress } from '#backend/runs/progress.ts'
import { startApp } from '#tests/support/app.ts'
import type { App, Caller } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { startCrawlApp } from '#tests/support/crawl-app.ts'
import { openStream } from '#tests/support/read-stream.ts'
import { suite } from '#tests/support/suite.ts'

const revocation = suite('streams of callers who lose access')

/** Half a minute is promised; the rest is the interval of checks. */
const LONGEST_ACCESS_MS = 30_000

type Change = (world: { app: App; owner: Caller; member: Caller }) => Promise<unknown>

const CHANGES: [why: string, by: 'token' | 'key', change: Change][] = [
  [
    'T25 a member is removed from the team',
    'token',
    async ({ app, owner, member }) => {
      const { body } = await app.call(listMembers, { as: owner })
      const id = body.results.find(({ user }) => user.uuid === member.userId)?.uuid ?? ''
      return app.call(removeMember, { as: owner, params: { id } })
    },
  ],
  ['T27 a member signs out', 'token', ({ app, member }) => app.call(logout, { body: { refresh: member.refresh } })],
  [
    'T27 a member changes the password in another session',
    'token',
    async ({ app, member }) => {
      const elsewhere = await app.logIn(member)
      return app.call(updateProfile, { as: elsewhere, body: { current_password: member.password, password: 'Quite-Another-9!' } })
    },
  ],
  [
    'T27 a member is disabled',
    'token',
    ({ app, member }) => app.backend.database.updateTable('user').set({ isActive: 0 }).where('id', '=', member.userId).execute(),
  ],
  [
    'T24 a key is revoked',
    'key',
    async ({ app, member, owner: as }) => {
      const { body } = await app.call(listApiKeys, { as })
      return app.call(deleteApiKey, { as, params: { id: body.results.find(({ key }) => key === member.apiKey)?.uuid ?? '' } })
    },
  ],
]

for (const [why, by, change] of CHANGES)
  revocation(`S-TEA-05 ${why}: their running stream ends within half a minute, and streams of other users go on`, async () => {
    const clock = createClock()
    const beats = new Set<() => void>()
    const app = await startApp({ clock, every: (_ms, call) => (beats.add(call), () => void beats.delete(call)) })
    const beat = () => beats.forEach((call) => call())
    const owner = await app.signIn()
    const guest = await app.secondUser()
    const row = { id: guest.userId, teamId: owner.teamId, userId: guest.userId, isOwner: 0, createdAt: 1 }
    await app.backend.database.insertInto('teamMember').values(row).execute()
    // The guest's key belongs to the team; the owner reads with their token.
    const teamKey = by === 'key' ? (await app.logIn(owner)).apiKey : guest.apiKey
    const member = { ...guest, teamId: owner.teamId, apiKey: teamKey }
    const { body: run } = await app.call(createCrawl, { as: owner, body: { url: 'http://127.0.0.1:8080/' } })
    const url = (await app.listen()) + fillPath(followCrawl.path, { id: run.uuid })
    const token = ({ access, teamId }: Caller) => ({ authorization: `Bearer ${access}`, 'x-team-id': teamId })
    const staying = await openStream(url, token(owner))
    const leaving = await openStream(url, by === 'key' ? { 'x-api-key': member.apiKey } : token(member))
    for (const stream of [staying, leaving]) assert.is((await stream.next())?.type, 'state')

    // A reader with access goes on reading for longer than an access token lasts; access is checked again and again.
    for (let at = 0; at < 400_000; at += 5000) {
      clock.advance(5000)
      beat()
      await turn()
    }
    for (const stream of [staying, leaving]) assert.is((await stream.next())?.type, 'state')

    await change({ app, owner: { ...(await app.signIn()), teamId: owner.teamId }, member })
    for (let at = 0; at < LONGEST_ACCESS_MS; at += 500) {
      clock.advance(500)
      beat()
      await turn()
    }
    const rest = await leaving.rest()
    assert.ok(
      rest.every(({ status }) => status === 'new'),
      'nothing is said of an end that was none',
    )
    beat()
    assert.is((await staying.next())?.type, 'state')
    staying.close()
  })

const asking = suite('access checks of streams')

/** A reader without a socket; `unsent` bytes wait to leave. */
function fakeSink(unsent = 0) {
  const reader = { state: 'open', left: () => undefined as void }
  const sink: EventSink = {
    write: () => undefined,
    unsentBytes: () => unsent,
    onDrain: () => undefined,
    onClose: (listener) => (reader.left = listener),
    end: () => void (reader.state = 'ended'),
    destroy: () => void (reader.state = 'cut off'),
  }
  return { reader, sink }
}

/** Streams of a crawl, for callers named by their keys, over a stand-in for who may read. */
async function streams(mayRead: (key: string) => Promise<boolean>) {
  const app = await startCrawlApp()
  const beats = new Set<() => void>()
  const warnings: string[] = []
  const asked: string[] = []
  const progress = createProgress({
    bus: app.bus,
    database: app.database,
    every: (_ms, call) => (beats.add(call), () => void beats.delete(call)),
    mayRead: async ({ apiKeyId }: TeamActor) => {
      asked.push(apiKeyId ?? '')
      return mayRead(apiKeyId ?? '')
    },
    now: () => app.clock.at,
    warn: (_facts, message) => void warnings.push(message),
  })
  const { uuid } = await app.create()
  const run = await app.runs.read(app.teams.one, 'crawl', uuid)
  const source = crawlSource({ attached: app.attached, baseUrl: '', links: app.links, pages: app.pages, prefetched: false })
  return {
    asked,
    progress,
    warnings,
    close: app.close,
    async pass(ms: number) {
      app.clock.at += ms
      beats.forEach((call) => call())
      await turn()
    },
    read(key: string, unsent?: number) {
      const { reader, sink } = fakeSink(unsent)
      const actor = { teamId: app.teams.one, share: app.teams.one, userId: null, sessionId: null, apiKeyId: key } as const
      progress.follow({ actor, run, source, form: '', after: 0, withIds: false, sink })
      return reader
    },
  }
}

asking('access checks cost one query per caller in ten seconds, however many streams the caller has', async () => {
  const { asked, pass, read } = await streams(async () => true)
  const readers = [...Array.from({ length: 300 }, () => read('one')), ...Array.from({ length: 200 }, () => read('two'))]
  for (let at = 0; at < 60; at += 1) await pass(500)
  assert.equal(asked.toSorted(), ['one', 'one', 'one', 'two', 'two', 'two'])
  readers.forEach((reader) => reader.left())
  await pass(60_000)
  assert.is(asked.length, 6)
})

asking('a refused access check ends all streams of that caller and of no other; a stream that is not read is cut off', async () => {
  const refused = new Set<string>()
  const { pass, progress, read } = await streams(async (key) => !refused.has(key))
  const [one, other, stuck, staying] = [read('one'), read('one'), read('one', 10_000_000), read('two')]
  await pass(10_000)
  refused.add('one')
  await pass(9_500)
  assert.is(progress.readerCount(), 4)
  await pass(500)
  assert.equal([one.state, other.state, stuck.state, staying.state], ['ended', 'ended', 'cut off', 'open'])
  assert.is(progress.readerCount(), 1)
  staying.left()
})

asking('no stream ends while the tables cannot be read, and the check is repeated soon', async () => {
  let isDown = true
  const { asked, pass, progress, read, warnings } = await streams(async () => {
    if (isDown) throw new Error('no database')
    return false
  })
  const reader = read('one')
  await pass(10_000)
  assert.equal([reader.state, asked.length, warnings.length], ['open', 1, 1])
  await pass(1500)
  assert.is(asked.length, 1)
  isDown = false
  await pass(500)
  assert.equal([reader.state, asked.length, progress.readerCount()], ['ended', 2, 0])
})

/** Waits for pending work. */
async function turn() {
  for (let at = 0; at < 10; at += 1) await new Promise((resolve) => setImmediate(resolve))
}

revocation.run()
asking.run()
