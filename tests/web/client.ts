import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { getProfile, login } from '#contract/accounts.ts'
import { getCrawl, listCrawls } from '#contract/crawls.ts'
import { createTeam, listTeams } from '#contract/teams.ts'
import { ApiError, createClient, queryString } from '#web/api/client.ts'
import type { KeyStorage } from '#web/state/browser-storage.ts'
import { createSession } from '#web/state/session.ts'
import { createTabLock } from '#web/state/tab-lock.ts'
import type { TabLock } from '#web/state/tab-lock.ts'
import { fakeStorage, tokenOf } from '#tests/support/browser/page.ts'

const NOW = Date.parse('2026-03-04T09:00:00Z')
const REFRESH = tokenOf({ token_type: 'refresh', exp: NOW / 1000 + 3600, user_id: 'u' })

type AnyLock = (work: () => Promise<unknown>) => Promise<unknown>
type Seen = { method: string; url: string; headers: Headers; body: unknown }

/** A client whose server is a function; it records every request. */
function start(
  answer: (seen: Seen) => Response | Promise<Response>,
  {
    access = 'old',
    refresh = REFRESH,
    team = null,
    apiUrl = '',
    storage = fakeStorage({ ...(access ? { access_token: access } : {}), ...(refresh ? { refresh_token: refresh } : {}) }),
    lock = (work: () => Promise<unknown>) => work(),
    isLeaving = () => false,
  }: Partial<{
    access: string
    refresh: string | null
    team: string | null
    apiUrl: string
    storage: KeyStorage
    lock: AnyLock
    isLeaving: () => boolean
  }> = {},
) {
  const session = createSession({ storage, now: () => NOW })
  const seen: Seen[] = []
  let doors = 0
  const client = createClient({
    apiUrl,
    session,
    lock: lock as TabLock,
    teamId: () => team,
    goToLogin: () => doors++,
    isLeaving,
    fetch: async (url, init) => {
      const one = {
        method: String(init?.method),
        url: url instanceof Request ? url.url : url.toString(),
        headers: new Headers(init?.headers),
        body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
      }
      seen.push(one)
      return answer(one)
    },
  })
  return {
    ...client,
    session,
    storage,
    seen,
    doors: () => doors,
    refreshes: () => seen.filter((one) => one.url.endsWith('/token/refresh/')).length,
  }
}

/** The error as what it must be. */
function refusal(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  throw new Error('not an ApiError', { cause: error })
}

const json = (value: unknown, status = 200, headers = {}) => new Response(JSON.stringify(value), { status, headers })
const refused = () => json({ code: 401, errors: null, message: 'Given token not valid for any token type' }, 401)
/** A server that knows one good token and gives it out on refresh. */
const renewing = (seen: Seen) =>
  seen.url.endsWith('/token/refresh/')
    ? json({ access: 'fresh' })
    : seen.headers.get('authorization') === 'Bearer fresh'
      ? json([])
      : refused()

const calls = suite('calling an endpoint')

calls('S-SES-06 a call sends the bearer token and the team, to the same origin', async () => {
  const app = start(() => json([]), { team: '6f1d1c0e-6a0e-4b8e-9a57-0d1f1f6f2a11' })
  await app.call(listTeams)
  assert.is(app.seen[0]?.url, '/api/v1/user/teams/')
  assert.is(app.seen[0]?.headers.get('authorization'), 'Bearer old')
  assert.is(app.seen[0]?.headers.get('x-team-id'), '6f1d1c0e-6a0e-4b8e-9a57-0d1f1f6f2a11')
})

calls('S-SES-06 a call sends no team if none is chosen, and no token without a session', async () => {
  const app = start(() => json({ access: 'a', refresh: 'r' }), { access: '', refresh: null })
  await app.call(login, { body: { email: 'a@b.example', password: 'x' } })
  assert.not(app.seen[0]?.headers.has('authorization'))
  assert.not(app.seen[0]?.headers.has('x-team-id'))
})

calls('a call goes to the configured API base', async () => {
  const app = start(() => json([]), { apiUrl: 'https://api.example' })
  await app.call(listTeams)
  assert.is(app.seen[0]?.url, 'https://api.example/api/v1/user/teams/')
})

calls('a call fills in the path, percent-encoded, and omits empty query values', async () => {
  const app = start(() => json({}))
  await app.call(getCrawl, { params: { id: 'a/b?c' } })
  await app.call(listCrawls, { query: { page: 2, status: undefined, url__contains: 'a b&c', prefetched: false, x: null } })
  assert.is(app.seen[0]?.url, '/api/v1/core/crawl-requests/a%2Fb%3Fc/')
  assert.is(app.seen[1]?.url, '/api/v1/core/crawl-requests/?page=2&url__contains=a+b%26c&prefetched=false')
  assert.is(queryString({}), '')
})

calls('a call sends its body as JSON', async () => {
  const app = start(() => json({}, 201))
  await app.call(createTeam, { body: { name: 'Docs' } })
  assert.is(app.seen[0]?.headers.get('content-type'), 'application/json')
  assert.equal(app.seen[0]?.body, { name: 'Docs' })
})

calls('a call throws the error of the server, with its fields and its waiting time', async () => {
  const body = { code: 400, errors: { name: ['This field may not be blank.'] }, message: 'Invalid input data.' }
  const app = start(() => json(body, 400, { 'retry-after': '7' }))
  const error = await app.call(createTeam, { body: { name: '' } }).catch((cause: unknown) => cause)
  assert.instance(error, ApiError)
  assert.is(refusal(error).status, 400)
  assert.equal(refusal(error).body, body)
  assert.is(refusal(error).retryAfter, 7)
})

calls('a call throws our own message if the answer is missing or not from our API', async () => {
  const html = await start(() => new Response('<h1>Bad gateway', { status: 502 }))
    .call(listTeams)
    .catch((cause: unknown) => cause)
  assert.is(refusal(html).status, 502)
  const dead = await start(() => Promise.reject(new TypeError('fetch failed')))
    .call(listTeams)
    .catch((cause: unknown) => cause)
  assert.is(refusal(dead).status, 0)
})

calls('a call that is aborted throws an abort error', async () => {
  const stop = new AbortController()
  const app = start(() => {
    stop.abort()
    throw stop.signal.reason
  })
  const error = await app.call(listTeams, {}, stop.signal).catch((cause: unknown) => cause)
  assert.is(error instanceof Error && error.name, 'AbortError')
})

const renewal = suite('an expired token')

renewal('S-SES-02 an expired token is refreshed once and the call is retried once', async () => {
  const app = start(renewing)
  assert.equal(await app.call(listTeams), [])
  assert.equal(
    app.seen.map((one) => one.headers.get('authorization')),
    ['Bearer old', null, 'Bearer fresh'],
  )
  assert.equal(app.seen[1]?.body, { refresh: REFRESH })
  assert.is(app.storage.getItem('access_token'), 'fresh')
})

renewal('S-SES-02 an expired token is refreshed once for all waiting calls', async () => {
  const app = start(renewing)
  await Promise.all(Array.from({ length: 12 }, () => app.call(listTeams)))
  assert.is(app.refreshes(), 1)
  assert.is(app.seen.length, 12 + 1 + 12)
})

renewal('S-SES-02 an expired token is not refreshed again for a call that was in progress during the refresh', async () => {
  const release = Promise.withResolvers<void>()
  const app = start(async (seen) => {
    if (seen.url.endsWith('/profile/') && seen.headers.get('authorization') === 'Bearer old') await release.promise
    return renewing(seen)
  })
  const slow = app.call(getProfile)
  await app.call(listTeams)
  release.resolve()
  await slow
  assert.is(app.refreshes(), 1)
})

renewal('S-SES-02 a call is retried once only: a second 401 is an error and causes no refresh', async () => {
  const app = start((seen) => (seen.url.endsWith('/token/refresh/') ? json({ access: 'fresh' }) : refused()))
  const error = await app.call(listTeams).catch((cause: unknown) => cause)
  assert.is(refusal(error).status, 401)
  assert.is(app.seen.length, 3)
  assert.is(app.refreshes(), 1)
})

for (const [what, answer] of [
  ['refused', () => refused()],
  ['broken', () => new Response('', { status: 500 })],
  ['unanswered', () => Promise.reject(new TypeError('fetch failed'))],
] as const) {
  renewal(`S-SES-03 the tokens are removed and the root page is shown when the refresh is ${what}`, async () => {
    const app = start((seen) => (seen.url.endsWith('/token/refresh/') ? answer() : refused()))
    const errors = await Promise.all([app.call(listTeams), app.call(getProfile)].map((one) => one.catch((cause: unknown) => cause)))
    for (const error of errors) assert.is(refusal(error).message, 'Failed to refresh token')
    assert.is(app.storage.getItem('access_token'), null)
    assert.is(app.storage.getItem('refresh_token'), null)
    assert.is(app.doors(), 1, 'once, however many calls waited')
    assert.is(app.refreshes(), 1)
  })
}

renewal('a refresh that the browser aborts because the page closes or reloads does not end the session', async () => {
  let left = false
  const app = start(
    (seen) => {
      if (!seen.url.endsWith('/token/refresh/')) return refused()
      left = true
      throw new TypeError('Failed to fetch')
    },
    { isLeaving: () => left },
  )
  const error = await app.call(listTeams).catch((cause: unknown) => cause)
  assert.is(refusal(error).status, 0)
  assert.is(app.storage.getItem('refresh_token'), REFRESH)
  assert.is(app.storage.getItem('access_token'), 'old')
  assert.is(app.doors(), 0)
})

renewal('S-SES-03 without a refresh token the session ends in the same way, and no refresh is sent', async () => {
  const app = start(refused, { refresh: null })
  const error = await app.call(listTeams).catch((cause: unknown) => cause)
  assert.is(refusal(error).message, 'Failed to refresh token')
  assert.is(app.doors(), 1)
  assert.is(app.seen.length, 1)
})

renewal('a refused login causes no refresh', async () => {
  const app = start(refused, { access: '', refresh: null })
  const error = await app.call(login, { body: { email: 'a@b.example', password: 'x' } }).catch((cause: unknown) => cause)
  assert.is(refusal(error).status, 401)
  assert.is(app.doors(), 0)
})

const tabs = suite('two tabs of one browser')

/** Tabs share storage and locks; none gets storage events of the others, as in a slow browser. */
function twoTabs(answer: (seen: Seen) => Response | Promise<Response>, kept: Record<string, string> = {}) {
  const storage = fakeStorage({ access_token: 'old', refresh_token: REFRESH, ...kept })
  let last: Promise<unknown> = Promise.resolve()
  const lock = (work: () => Promise<unknown>) => (last = last.then(work, work))
  const [one, other] = [start(answer, { storage, lock }), start(answer, { storage, lock })]
  return { one, other, storage, refreshes: () => one.refreshes() + other.refreshes() }
}

tabs('S-SES-02 two tabs share one refresh: one gets the token, the other reads it from the storage', async () => {
  const app = twoTabs(renewing)
  await Promise.all([app.one.call(listTeams), app.other.call(listTeams), app.other.call(getProfile)])
  assert.is(app.refreshes(), 1)
  assert.is(app.other.seen.at(-1)?.headers.get('authorization'), 'Bearer fresh')
})

tabs('S-SES-03 two tabs share a failed refresh: no tab retries with a refused token', async () => {
  const app = twoTabs(refused)
  const errors = await Promise.all([app.one, app.other].map((tab) => tab.call(listTeams).catch((cause: unknown) => cause)))
  assert.equal(
    errors.map((error) => refusal(error).message),
    ['Failed to refresh token', 'Failed to refresh token'],
  )
  assert.is(app.refreshes(), 1)
  assert.is(app.storage.getItem('refresh_token'), null)
  assert.equal([app.one.doors(), app.other.doors()], [1, 1])
})

tabs('S-SES-05 a refresh in progress in one tab does not undo a logout in the other', async () => {
  const asked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const app = twoTabs(async (seen) => {
    if (!seen.url.endsWith('/token/refresh/')) return renewing(seen)
    asked.resolve()
    await release.promise
    return json({ access: 'fresh' })
  })
  const under = app.one.call(listTeams).catch((cause: unknown) => cause)
  await asked.promise
  app.other.session.signOut()
  release.resolve()
  assert.is(refusal(await under).status, 401)
  assert.is(app.storage.getItem('access_token'), null)
  assert.is(app.storage.getItem('refresh_token'), null)
})

tabs('a failing refresh in one tab does not end a new login in the other', async () => {
  const asked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const app = twoTabs(async (seen) => {
    if (!seen.url.endsWith('/token/refresh/')) return renewing(seen)
    asked.resolve()
    await release.promise
    return refused()
  })
  const under = app.one.call(listTeams)
  await asked.promise
  const again = tokenOf({ token_type: 'refresh', exp: NOW / 1000 + 9000, user_id: 'u' })
  app.other.session.signIn({ access: 'fresh', refresh: again })
  release.resolve()
  assert.equal(await under, [])
  assert.is(app.storage.getItem('refresh_token'), again)
  assert.is(app.one.doors(), 0)
})

tabs('a call of one user is not sent with the session of the next', async () => {
  const old = tokenOf({ exp: NOW / 1000 - 1, user_id: 'u' })
  const app = twoTabs(refused, { access_token: old })
  app.other.session.signIn({ access: tokenOf({ exp: NOW / 1000 + 300, user_id: 'v' }), refresh: tokenOf({ exp: NOW / 1000 + 9000 }) })
  const error = await app.one.call(createTeam, { body: { name: 'Docs' } }).catch((cause: unknown) => cause)
  assert.is(refusal(error).message, 'Another user has signed in, in another tab.')
  assert.equal(
    app.one.seen.map((one) => one.headers.get('authorization')),
    [`Bearer ${old}`],
  )
  assert.ok(app.storage.getItem('refresh_token'), 'and the next person stays signed in')
})

const lock = suite('the lock of all tabs')

/** Tabs of a browser without locks. The clock moves when a test waits. */
function withoutLocks() {
  const storage = fakeStorage()
  let at = NOW
  let ids = 0
  const waiters: (() => void)[] = []
  const needs = { locks: undefined, storage, now: () => at, newId: () => `tab${++ids}` }
  return {
    storage,
    lock: createTabLock('refreshing', { ...needs, wait: () => new Promise((done) => waiters.push(done)) }),
    /** Lets all waiting tabs continue by one step. */
    async tick(ms: number) {
      at += ms
      for (const done of waiters.splice(0)) done()
      for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    },
  }
}

lock('the lock is the browser’s own if there is one', async () => {
  const names: string[] = []
  const locks = {
    request: (name: string, work: () => unknown) => {
      names.push(name)
      return Promise.resolve(work())
    },
  }
  const needs = { storage: fakeStorage(), now: () => NOW, newId: () => 'x', wait: () => Promise.reject(new Error('nothing to wait for')) }
  assert.is(await createTabLock('refreshing', { ...needs, locks: locks as unknown as LockManager })(async () => 7), 7)
  assert.equal(names, ['refreshing'])
  assert.is(needs.storage.getItem('refreshing'), null)
})

lock('the lock is a lease, too, where the browser refuses its own; an error of the work stays one', async () => {
  const needs = { storage: fakeStorage(), now: () => NOW, newId: () => 'x', wait: () => Promise.resolve() }
  const refusing = { request: () => Promise.reject(new DOMException('not allowed in this context', 'SecurityError')) }
  assert.is(await createTabLock('refreshing', { ...needs, locks: refusing as unknown as LockManager })(async () => 7), 7)
  const granting = { request: (_name: string, work: () => unknown) => Promise.resolve().then(work) }
  let times = 0
  const failing = () => Promise.reject(new Error(`no ${++times}`))
  const said = await createTabLock('refreshing', { ...needs, locks: granting as unknown as LockManager })(failing).catch(String)
  assert.is(said, 'Error: no 1')
})

lock('the lock is otherwise a lease in the storage: one tab works, the other waits for it', async () => {
  const app = withoutLocks()
  const story: string[] = []
  const release = Promise.withResolvers<void>()
  const one = app.lock(async () => {
    story.push('one begins')
    await release.promise
    story.push('one ends')
  })
  const other = app.lock(async () => void story.push('other'))
  for (let step = 0; step < 5; step++) await app.tick(40)
  assert.is(story.length, 1)
  release.resolve()
  for (let step = 0; step < 5; step++) await app.tick(40)
  await Promise.all([one, other])
  assert.is(story.length, 3)
  assert.is(story.indexOf('one ends') - story.indexOf('one begins'), 1, 'nothing came between')
  assert.is(app.storage.getItem('refreshing'), null, 'and it is given back')
})

lock('the lock is released when the work fails', async () => {
  const app = withoutLocks()
  const failing = app.lock(() => Promise.reject(new Error('no'))).catch((cause: unknown) => String(cause))
  await app.tick(40)
  assert.is(await failing, 'Error: no')
  assert.is(app.storage.getItem('refreshing'), null)
})

lock('the lock of a tab that was closed, or of a clock that was set back, blocks the others only briefly', async () => {
  for (const [left, after] of [
    [`gone ${NOW + 10_000}`, 10_001],
    [`gone ${NOW + 9_000_000}`, 0],
    ['nonsense', 0],
  ] as const) {
    const app = withoutLocks()
    app.storage.setItem('refreshing', left)
    const work = app.lock(async () => 'done')
    await app.tick(after)
    await app.tick(40)
    await app.tick(40)
    assert.is(await work, 'done', left)
  }
})

calls.run()
renewal.run()
tabs.run()
lock.run()
