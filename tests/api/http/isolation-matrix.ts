/**
 * Two teams, every endpoint of the contract, every kind of id. It is derived from the table of endpoints, so it includes new ones at once;
 * an endpoint whose path names something that SAMPLES lacks fails with a message.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import { createCrawl } from '#contract/crawls.ts'
import { scrapePage } from '#contract/scrape.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { FIRECRAWL_ENDPOINTS } from '#contract/firecrawl/endpoints.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { createPreset, listPresets } from '#contract/presets.ts'
import { createSchedule, listSchedules } from '#contract/schedules.ts'
import { createProxy } from '#contract/proxies.ts'
import { inviteMember, listApiKeys, listInvitations, listMembers, listOwnInvitations } from '#contract/teams.ts'
import { createWebhook, listWebhooks, testWebhook } from '#contract/webhooks.ts'
import { createCatalogue } from '#backend/plans/catalogue.ts'
import { readPlans } from '#backend/plans/plans-file.ts'
import { insertUnbilled } from '#backend/plans/subscriptions.ts'
import { startApp } from '#tests/support/app.ts'
import { isOverPostgres } from '#tests/support/test-state.ts'
import type { App, Caller } from '#tests/support/app.ts'
import { suite } from '#tests/support/suite.ts'

const isolation = suite('isolation of teams')

/** A team that has one of everything. `friend` owns another team, which has invited the owner. */
type Side = { app: App; owner: Caller; friend: Caller; runs: Map<string, Promise<string>> }

const PLAN = {
  name: 'secret plan',
  group: 'monthly',
  price: '9.00',
  number_of_users: 1,
  page_credit: 1,
  daily_page_credit: 1,
  crawl_max_depth: 1,
  crawl_max_limit: 1,
  max_concurrent_crawl: 1,
}

const SITE = 'http://127.0.0.1:8080/'

/** For each parameter of a path: returns the id of an object there that belongs to the team. */
const SAMPLES: Record<string, (side: Side) => Promise<string>> = {
  '/api/v1/user/teams/{id}': async ({ owner }) => owner.teamId,
  '/api/v1/user/teams/current/members/{id}': async ({ app, owner }) =>
    (await app.call(listMembers, { as: owner })).body.results[0]?.uuid ?? '',
  '/api/v1/user/teams/current/invitations/{id}': async ({ app, owner }) => {
    const invited = await app.call(listInvitations, { as: owner })
    return invited.body[0]?.uuid ?? ''
  },
  '/api/v1/user/profile/invitations/{id}': async ({ app, owner }) =>
    (await app.call(listOwnInvitations, { as: owner })).body[0]?.uuid ?? '',
  '/api/v1/user/api-keys/{id}': async ({ app, owner }) => (await app.call(listApiKeys, { as: owner })).body.results[0]?.uuid ?? '',
  '/api/v1/core/crawl-requests/{id}': (side) => endedRun(side, '/api/v1/core/crawl-requests/', { url: SITE }),
  '/api/v1/core/crawl-requests/{id}/results/{resultId}': async (side) => {
    const runId = await endedRun(side, '/api/v1/core/crawl-requests/', { url: SITE })
    return pageOf(side.app, runId)
  },
  '/api/v1/core/search/{id}': (side) => endedRun(side, '/api/v1/core/search/', { query: 'seine' }),
  '/api/v1/plan/subscriptions/{id}': (side) => subscriptionOf(side),
  '/api/v1/core/sitemaps/{id}': (side) => endedRun(side, '/api/v1/core/sitemaps/', { url: SITE }),
  '/api/v1/core/crawl-presets/{id}': async ({ app, owner }) => {
    const [known] = (await app.call(listPresets, { as: owner })).body
    return known?.uuid ?? (await app.call(createPreset, { as: owner, body: { name: 'Docs' } })).body.uuid
  },
  '/api/v1/core/crawl-schedules/{id}': async (side) => {
    const { app, owner } = side
    const [known] = (await app.call(listSchedules, { as: owner })).body.results
    if (known !== undefined) return known.uuid
    const crawl = await endedRun(side, '/api/v1/core/crawl-requests/', { url: SITE })
    const body = { crawl, name: 'Nightly', cron: '0 3 * * *', is_active: false }
    return (await app.call(createSchedule, { as: owner, body })).body.uuid
  },
  '/api/v1/core/webhooks/{id}': webhookOf,
  '/api/v1/core/webhooks/{id}/deliveries/{deliveryId}': async (side) => {
    const id = await webhookOf(side)
    return (await side.app.call(testWebhook, { as: side.owner, params: { id }, body: {} })).body.uuid
  },
  // Made only once: a second one with the same slug is refused.
  '/api/v1/core/proxy-servers/{slug}': async ({ app, owner }) => {
    const slug = `pool-of-${owner.userId}`
    await app.call(createProxy, { as: owner, body: { name: 'Pool', slug, host: '127.0.0.1', port: 8080, password: 'its password' } })
    return slug
  },
}

/** Switched off, and to a port where nothing listens. */
async function webhookOf({ app, owner }: Side): Promise<string> {
  const found = (await app.call(listWebhooks, { as: owner })).body.results[0]
  const body = { url: 'http://127.0.0.1:9/', events: ['run.ended'], is_enabled: false }
  return found?.uuid ?? (await app.call(createWebhook, { as: owner, body })).body.uuid
}

for (const version of ['v1', 'v2'])
  for (const job of ['crawl', 'batch/scrape', 'scrape', 'extract'])
    SAMPLES[`/${version}/${job}/{job}`] = async (side) => {
      const id = await endedRun(side, '/api/v1/core/crawl-requests/', { url: SITE })
      await pageOf(side.app, id)
      return id
    }

const monitorOf = async ({ app, owner }: Side): Promise<string> => {
  const listed = await app.request('GET', '/v2/monitor', { as: owner })
  const [known] = (listed.body as { data: { id: string }[] }).data
  if (known !== undefined) return known.id
  const body = { name: 'Nightly', schedule: { cron: '0 3 * * *' }, targets: [{ type: 'crawl', url: SITE }] }
  return ((await app.request('POST', '/v2/monitor', { as: owner, body })).body as { data: { id: string } }).data.id
}
SAMPLES['/v2/monitor/{monitor}'] = monitorOf
SAMPLES['/v2/monitor/{monitor}/checks/{check}'] = async (side) => {
  const monitor = await monitorOf(side)
  const [known] = ((await side.app.request('GET', `/v2/monitor/${monitor}/checks`, { as: side.owner })).body as { data: { id: string }[] })
    .data
  if (known !== undefined) return known.id
  const { id } = ((await side.app.request('POST', `/v2/monitor/${monitor}/run`, { as: side.owner })).body as { data: { id: string } }).data
  await pageOf(side.app, id)
  return id
}

/** Endpoints of the Firecrawl API, whose errors have another shape, and which refuse a malformed id with 400 and unknown fields too. */
const isFirecrawl = ({ path }: EndpointSpec) => /^\/v\d\//.test(path)
const FIRECRAWL_BODIES: Readonly<Record<string, object>> = {
  batch: { urls: [SITE] },
  extract: { urls: [SITE] },
  'params-preview': { url: SITE, prompt: 'its blog' },
  search: { query: 'seine', timeout: 1000 },
  crawl: { url: SITE },
  monitor: { name: 'taken over' },
  scrape: { url: SITE, timeout: 1000 },
  map: { url: SITE, timeout: 1000 },
}
/** No engine runs here, so each of these calls times out: one caller is enough. */
const waits = ({ path }: EndpointSpec) => /^\/v\d\/(?:scrape|map|search)$/.test(path)
const bodyFor = ({ path }: EndpointSpec): object => {
  const [, , first = '', second = ''] = path.split('/')
  return /^\/v\d\//.test(path) ? (FIRECRAWL_BODIES[second] ?? FIRECRAWL_BODIES[first] ?? {}) : BODY
}

/** A body that most endpoints accept; the ids in it do not exist. */
const BODY = {
  name: 'taken over',
  email: 'someone@example.org',
  url: SITE,
  urls: [SITE],
  query: 'seine',
  slug: 'taken-over',
  host: '127.0.0.1',
  port: 9,
  // No engine runs here: a caller that waits for a page gets the shortest time-out.
  timeout: 1000,
}

/** Endpoints that belong to no team. A caller with the token in their path may use them; an unknown token names nothing. */
const isOpen = ({ access }: EndpointSpec) => access === 'public' || access === 'signed'
const CLOSED = [...ENDPOINTS.values(), ...FIRECRAWL_ENDPOINTS.values()].filter((endpoint) => !isOpen(endpoint))
const PUBLIC_WITH_NAMES = [...ENDPOINTS.values()].filter((endpoint) => endpoint.access === 'public' && endpoint.path.includes('{'))
const SIGNED = [...ENDPOINTS.values()].filter(({ access }) => access === 'signed')

/** The parts of a path that name an object: `/a/{id}/b/{key}/c/` has `/a/{id}` and `/a/{id}/b/{key}`. */
const placesOf = (path: string) => [...path.matchAll(/\{\w+\}/g)].map((match) => path.slice(0, match.index + match[0].length))
const nameOf = (place: string) => /\{(\w+)\}$/.exec(place)?.[1] ?? ''

async function sampleOf(side: Side, { method, path }: EndpointSpec, place: string): Promise<string> {
  const make = SAMPLES[place]
  if (!make)
    throw new Error(`${method} ${path}: SAMPLES in tests/api/http/isolation-matrix.ts needs a row '${place}' that makes such a thing`)
  const id = await make(side)
  assert.ok(id, `a sample for ${place}`)
  return id
}

/** An ended run of the side, one per kind, made over the API. */
function endedRun({ app, owner, runs }: Side, path: string, body: object): Promise<string> {
  const run = runs.get(path) ?? make()
  runs.set(path, run)
  return run

  async function make() {
    const reply = await app.request('POST', path, { as: owner, body })
    assert.is(reply.status, 201, `${path}: ${reply.text}`)
    const { uuid } = reply.body as { uuid: string }
    await app.backend.database.updateTable('run').set({ status: 'finished', endedAt: 1 }).where('id', '=', uuid).execute()
    return uuid
  }
}

/** A subscription that an operator gave. */
async function subscriptionOf({ app: { backend }, owner }: Side): Promise<string> {
  const { database } = backend
  const known = await database.selectFrom('subscription').select('id').where('teamId', '=', owner.teamId).executeTakeFirst()
  if (known) return known.id
  const [entry] = readPlans([{ ...PLAN, uuid: randomUUID() }])
  await createCatalogue({ database, now: () => 1 }).keep([entry!])
  const id = randomUUID()
  await database.transaction().execute((transaction) => insertUnbilled(transaction, { id, teamId: owner.teamId, planId: entry!.id, at: 1 }))
  return id
}

/** A stored page of a crawl. */
async function pageOf({ backend: { database } }: App, runId: string): Promise<string> {
  const { no } = await database.selectFrom('run').select('no').where('id', '=', runId).executeTakeFirstOrThrow()
  const known = await database.selectFrom('page').select('id').where('runNo', '=', no).executeTakeFirst()
  if (known) return known.id
  const id = randomUUID()
  const facts = { httpStatus: 200, contentType: null, language: null, contentHash: '', eventSeq: 1, createdAt: 1 }
  const pageNo = no * 2 ** 24 + 1
  await database
    .insertInto('page')
    .values({ no: pageNo, id, runNo: no, keyHi: 1, keyLo: 1, url: SITE, title: 'secret title', ...facts })
    .execute()
  await database
    .insertInto('pageBody')
    .values({ pageNo, encoding: 0, rawBytes: 2, body: Buffer.from('{}') })
    .execute()
  await database.updateTable('run').set({ kept: 1, eventSeq: 1 }).where('no', '=', no).execute()
  return id
}

async function twoSides() {
  const app = await startApp()
  const side = async (owner: Caller, guest: string, friend: Caller): Promise<Side> => {
    await app.call(inviteMember, { as: owner, body: { email: guest } })
    await app.call(inviteMember, { as: friend, body: { email: owner.email } })
    return { app, owner, friend, runs: new Map() }
  }
  const friend = await app.signIn()
  const theirs = await side(await app.secondUser('mia@example.org'), 'guest-one@example.org', friend)
  const own = await side(await app.secondUser('ben@example.org'), 'guest-two@example.org', friend)
  return { app, theirs, own }
}

/** Every row with the id of the team or of its owner, in all tables. */
async function dump({ backend: { database } }: App, { owner }: Side): Promise<string> {
  const { rows } = await (
    isOverPostgres
      ? sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY table_name`
      : sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`
  ).execute(database)
  const told: unknown[] = []
  for (const { name } of rows) {
    const all = (await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(name)}`.execute(database)).rows
    told.push(...all.filter((row) => Object.values(row).some((value) => value === owner.teamId || value === owner.userId)))
  }
  assert.ok(told.length > 4, `${told.length} rows`)
  return JSON.stringify(told)
}

/** Unknown names in a path, and some that try to escape from it. */
const STRANGE = ['x', '0', '-1', 'null', '%00', '..%2f..', "1'%20OR%20'1'='1", '%F0%9F%8C%8A', 'a'.repeat(300)]

/** Each way to put something of another team into a path. Values are percent-encoded already. */
async function fillings(endpoint: EndpointSpec, theirs: Side, own: Side): Promise<{ what: string; path: string }[]> {
  const places = placesOf(endpoint.path)
  const filled = (values: string[]) =>
    places.reduce((path, place, at) => path.replace(`{${nameOf(place)}}`, values[at] ?? ''), endpoint.path)
  const theirIds = await Promise.all(places.map((place) => sampleOf(theirs, endpoint, place)))
  const ownIds = await Promise.all(places.map((place) => sampleOf(own, endpoint, place)))
  const last = places.length - 1
  const result = [
    { what: "the other team's", path: filled(theirIds) },
    { what: "the other team's, in capitals", path: filled(theirIds.map((id) => id.toUpperCase())) },
    { what: 'unknown', path: filled(places.map(() => randomUUID())) },
    ...STRANGE.map((text) => ({ what: JSON.stringify(text), path: filled(places.map(() => text)) })),
  ]
  // A child of another team's object cannot be reached through an own object, nor an own child through another team's object.
  if (last > 0) {
    result.push({ what: "own, then the other team's", path: filled([...ownIds.slice(0, last), ...theirIds.slice(last)]) })
    result.push({ what: "the other team's, then own", path: filled([...theirIds.slice(0, last), ...ownIds.slice(last)]) })
  }
  return result
}

function callersOf({ owner: stranger }: Side, { owner }: Side): [who: string, headers: Record<string, string>, isKey: boolean][] {
  const token = { authorization: `Bearer ${stranger.access}` }
  return [
    ['a user', token, false],
    ['a user who names the other team', { ...token, 'x-team-id': owner.teamId }, false],
    ['a key', { 'x-api-key': stranger.apiKey }, true],
    ['a key that names the other team', { 'x-api-key': stranger.apiKey, 'x-team-id': owner.teamId }, true],
    ['a bearer key that names the other team', { authorization: `Bearer ${stranger.apiKey}`, 'x-team-id': owner.teamId }, true],
  ]
}

isolation('T24 I11 S-TEA-05 no endpoint shows or changes data of another team, whatever ids the request contains', async () => {
  const { app, own, theirs } = await twoSides()
  const samples = new Map<string, string>()
  for (const endpoint of CLOSED) for (const place of placesOf(endpoint.path)) samples.set(place, await sampleOf(theirs, endpoint, place))
  const secrets: [what: string, text: string][] = [
    ...samples,
    ['team', theirs.owner.teamId],
    ['user', theirs.owner.userId],
    ['key', theirs.owner.apiKey],
    ['address', theirs.owner.email],
    ['page', 'secret title'],
  ]
  const ways = new Map<EndpointSpec, { what: string; path: string }[]>()
  for (const endpoint of CLOSED)
    ways.set(endpoint, endpoint.path.includes('{') ? await fillings(endpoint, theirs, own) : [{ what: 'nothing', path: endpoint.path }])
  const before = await dump(app, theirs)
  let asked = 0
  for (const [endpoint, named] of ways) {
    const { access, method, path, query } = endpoint
    for (const { what, path: url } of named)
      for (const [who, headers, isKey] of waits(endpoint) ? callersOf(own, theirs).slice(-1) : callersOf(own, theirs)) {
        const call = `${method} ${path} with ${what} as ${who}`
        const reply = await app.request(method, url, {
          headers,
          ...(query && { query: { prefetched: true } }),
          ...(method !== 'GET' && method !== 'DELETE' && { body: bodyFor(endpoint) }),
        })
        asked += 1
        if (isKey && access !== 'team') assert.is(reply.status, 401, call)
        else if (path.includes('{') && isFirecrawl(endpoint))
          assert.ok([400, 404].includes(reply.status), `${call}: ${reply.status} ${reply.text}`)
        else if (path.includes('{')) assert.is(reply.status, 404, call)
        else if (path === scrapePage.path) assert.is(reply.status, 504, call)
        else assert.ok(reply.status < 500 && ![401, 404, 405].includes(reply.status), `${call}: ${reply.status} ${reply.text}`)
        // An address takes only so many invitations an hour, and this one was repeated too often; no other call may hit a limit.
        if (reply.status === 429) assert.ok(path.includes('/invite/'), call)
        for (const [kind, text] of secrets) assert.not.ok(reply.text.includes(text), `${call} tells the ${kind}`)
      }
  }
  assert.ok(asked > 500, `asked ${asked} times`)
  assert.is(await dump(app, theirs), before)
})

isolation('T24 each sample request that another team is refused works for its own team', async () => {
  const { app, theirs } = await twoSides()
  const base = await app.listen()
  // A stream is read over a socket, and only its beginning.
  const opened = async (path: string) => {
    const aborter = new AbortController()
    const headers = { authorization: `Bearer ${theirs.owner.access}` }
    const { status } = await fetch(base + path, { headers, signal: aborter.signal })
    aborter.abort()
    return { status, text: '' }
  }
  for (const endpoint of CLOSED.filter(({ method, path }) => method === 'GET' && path.includes('{'))) {
    let url = endpoint.path
    for (const place of placesOf(endpoint.path)) url = url.replace(`{${nameOf(place)}}`, await sampleOf(theirs, endpoint, place))
    const reply = endpoint.media === 'text/event-stream' ? await opened(url) : await app.request('GET', url, { as: theirs.owner })
    // For a crawl without links, its own team gets another message than a stranger.
    const isHeld = reply.status === 200 || (reply.status === 404 && !reply.text.includes('"Not found."'))
    assert.ok(isHeld, `${endpoint.path}: ${reply.status} ${reply.text}`)
  }
})

isolation('T24 an API key acts for its own team, whatever team the header names', async () => {
  const { app, own, theirs } = await twoSides()
  const headers = { 'x-api-key': own.owner.apiKey, 'x-team-id': theirs.owner.teamId }
  const made = await app.call(createCrawl, { headers, body: { url: SITE } })
  assert.is(made.status, 201)
  const { teamId } = await app.backend.database
    .selectFrom('run')
    .select('teamId')
    .where('id', '=', made.body.uuid)
    .executeTakeFirstOrThrow()
  assert.is(teamId, own.owner.teamId)
})

isolation('T24 every endpoint that is not public gets 401 without a credential, whatever else is wrong', async () => {
  const app = await startApp()
  for (const endpoint of CLOSED)
    for (const body of [undefined, '{'])
      for (const id of [randomUUID(), 'x']) {
        const { method, path } = endpoint
        const reply = await app.request(method, path.replaceAll(/\{\w+\}/g, id), { body })
        assert.is(reply.status, 401, `${method} ${path}`)
        if (isFirecrawl(endpoint)) assert.equal(reply.body, { success: false, error: 'Unauthorized: Invalid token' })
        else assert.equal((reply.body as { errors: unknown }).errors, null)
      }
})

isolation('T24 a signed link opens its own file, and nothing of another team', async () => {
  const { app, own, theirs } = await twoSides()
  const runId = await endedRun(own, '/api/v1/core/crawl-requests/', { url: SITE })
  await pageOf(app, runId)
  const theirRun = await endedRun(theirs, '/api/v1/core/crawl-requests/', { url: SITE })
  const theirPage = await pageOf(app, theirRun)
  const { text } = await app.request('GET', `/api/v1/core/crawl-requests/${runId}/results/`, { as: own.owner })
  const link = /"result":"([^"]+)"/.exec(text)?.[1] ?? ''
  const url = new URL(link)
  assert.is((await app.request('GET', url.pathname + url.search)).status, 200)
  const ownPage = await pageOf(app, runId)
  for (const [from, to] of [
    [runId, theirRun],
    [ownPage, theirPage],
  ] as const) {
    if (!url.pathname.includes(from)) continue
    const changed = await app.request('GET', url.pathname.replace(from, to) + url.search)
    assert.is(changed.status, 403, to)
  }
  for (const { method, path } of SIGNED)
    for (const id of [theirRun, theirPage, randomUUID(), 'x'])
      for (const query of ['', url.search, '?expires=99999999999&signature=']) {
        const filled = path.replaceAll(/\{\w+\}/g, id).replace('*', 'result.json')
        // Without a proof the answer must not tell whether the file exists: 403 for a link, 404 where no file can be.
        const reply = await app.request(method, filled + query, { as: own.owner })
        assert.ok(reply.status >= 400 && reply.status < 500, `${method} ${filled}: ${reply.status}`)
      }
})

isolation('T24 guessed names in public paths open nothing', async () => {
  const app = await startApp()
  await app.signIn()
  for (const { method, path } of PUBLIC_WITH_NAMES)
    for (const name of [randomUUID(), 'A'.repeat(64), 'x', '%00', "1'%20OR%20'1'='1"]) {
      const body = { email: 'new@example.org', password: 'Another-Horse-8!', first_name: 'N', last_name: 'N' }
      const reply = await app.request(method, path.replaceAll(/\{\w+\}/g, name), { ...(method === 'POST' && { body }) })
      assert.is(reply.status, 404, `${method} ${path} with ${name}: ${reply.text}`)
    }
})

isolation.run()
