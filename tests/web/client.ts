import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { getProfile, login } from '#contract/accounts.ts'
import { getCrawl, listCrawls } from '#contract/crawls.ts'
import { createTeam, listTeams } from '#contract/teams.ts'
import { ApiError, createClient, queryString } from '#web/api/client.ts'
import { createSession } from '#web/state/session.ts'
import { fakeStorage, tokenOf } from '#tests/support/page.ts'

const NOW = Date.parse('2026-03-04T09:00:00Z')
const REFRESH = tokenOf({ token_type: 'refresh', exp: NOW / 1000 + 3600, user_id: 'u' })

type Seen = { method: string; url: string; headers: Headers; body: unknown }

/** A client whose server is a function; every request is noted. */
function start(
  answer: (seen: Seen) => Response | Promise<Response>,
  { access = 'old', refresh = REFRESH as string | null, team = null as string | null, apiUrl = '' } = {},
) {
  const storage = fakeStorage({ ...(access ? { access_token: access } : {}), ...(refresh ? { refresh_token: refresh } : {}) })
  const session = createSession({ storage, now: () => NOW })
  const seen: Seen[] = []
  let doors = 0
  const client = createClient({
    apiUrl,
    session,
    teamId: () => team,
    goToFrontDoor: () => doors++,
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

calls('S-SES-06 carries the bearer token and the team, to the same origin', async () => {
  const app = start(() => json([]), { team: '6f1d1c0e-6a0e-4b8e-9a57-0d1f1f6f2a11' })
  await app.call(listTeams)
  assert.is(app.seen[0]?.url, '/api/v1/user/teams/')
  assert.is(app.seen[0]?.headers.get('authorization'), 'Bearer old')
  assert.is(app.seen[0]?.headers.get('x-team-id'), '6f1d1c0e-6a0e-4b8e-9a57-0d1f1f6f2a11')
})

calls('S-SES-06 says no team where none is chosen, and no token where there is none', async () => {
  const app = start(() => json({ access: 'a', refresh: 'r' }), { access: '', refresh: null })
  await app.call(login, { body: { email: 'a@b.example', password: 'x' } })
  assert.not(app.seen[0]?.headers.has('authorization'))
  assert.not(app.seen[0]?.headers.has('x-team-id'))
})

calls('goes to the configured API base', async () => {
  const app = start(() => json([]), { apiUrl: 'https://api.example' })
  await app.call(listTeams)
  assert.is(app.seen[0]?.url, 'https://api.example/api/v1/user/teams/')
})

calls('fills in the path, percent-encoded, and leaves empty query values out', async () => {
  const app = start(() => json({}))
  await app.call(getCrawl, { params: { id: 'a/b?c' } })
  await app.call(listCrawls, { query: { page: 2, status: undefined, url__contains: 'a b&c', prefetched: false, x: null } })
  assert.is(app.seen[0]?.url, '/api/v1/core/crawl-requests/a%2Fb%3Fc/')
  assert.is(app.seen[1]?.url, '/api/v1/core/crawl-requests/?page=2&url__contains=a+b%26c&prefetched=false')
  assert.is(queryString({}), '')
})

calls('sends a body as JSON', async () => {
  const app = start(() => json({}, 201))
  await app.call(createTeam, { body: { name: 'Docs' } })
  assert.is(app.seen[0]?.headers.get('content-type'), 'application/json')
  assert.equal(app.seen[0]?.body, { name: 'Docs' })
})

calls('throws what the server refused, with its fields and its waiting time', async () => {
  const body = { code: 400, errors: { name: ['This field may not be blank.'] }, message: 'Invalid input data.' }
  const app = start(() => json(body, 400, { 'retry-after': '7' }))
  const error = await app.call(createTeam, { body: { name: '' } }).catch((cause: unknown) => cause)
  assert.instance(error, ApiError)
  assert.is(refusal(error).status, 400)
  assert.equal(refusal(error).body, body)
  assert.is(refusal(error).retryAfter, 7)
})

calls('throws in our words when the answer is not ours, or there is none', async () => {
  const html = await start(() => new Response('<h1>Bad gateway', { status: 502 }))
    .call(listTeams)
    .catch((cause: unknown) => cause)
  assert.is(refusal(html).status, 502)
  const dead = await start(() => Promise.reject(new TypeError('fetch failed')))
    .call(listTeams)
    .catch((cause: unknown) => cause)
  assert.is(refusal(dead).status, 0)
})

calls('leaves an abort an abort', async () => {
  const stop = new AbortController()
  const app = start(() => {
    stop.abort()
    throw stop.signal.reason
  })
  const error = await app.call(listTeams, {}, stop.signal).catch((cause: unknown) => cause)
  assert.is(error instanceof Error && error.name, 'AbortError')
})

const renewal = suite('a token that has run out')

renewal('S-SES-02 is refreshed once and the call tried once more', async () => {
  const app = start(renewing)
  assert.equal(await app.call(listTeams), [])
  assert.equal(
    app.seen.map((one) => one.headers.get('authorization')),
    ['Bearer old', null, 'Bearer fresh'],
  )
  assert.equal(app.seen[1]?.body, { refresh: REFRESH })
  assert.is(app.storage.getItem('access_token'), 'fresh')
})

renewal('S-SES-02 is refreshed once for everybody who waits', async () => {
  const app = start(renewing)
  await Promise.all(Array.from({ length: 12 }, () => app.call(listTeams)))
  assert.is(app.refreshes(), 1)
  assert.is(app.seen.length, 12 + 1 + 12)
})

renewal('S-SES-02 is not refreshed again for a call that was under way meanwhile', async () => {
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

renewal('S-SES-02 is retried once only: a second 401 is an error and no refresh', async () => {
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
  renewal(`S-SES-03 clears the tokens and goes to the root page when the refresh is ${what}`, async () => {
    const app = start((seen) => (seen.url.endsWith('/token/refresh/') ? answer() : refused()))
    const errors = await Promise.all([app.call(listTeams), app.call(getProfile)].map((one) => one.catch((cause: unknown) => cause)))
    for (const error of errors) assert.is(refusal(error).message, 'Failed to refresh token')
    assert.is(app.storage.getItem('access_token'), null)
    assert.is(app.storage.getItem('refresh_token'), null)
    assert.is(app.doors(), 1, 'once, however many calls waited')
    assert.is(app.refreshes(), 1)
  })
}

renewal('S-SES-03 without a refresh token ends the same way, and nothing is asked for a new one', async () => {
  const app = start(refused, { refresh: null })
  const error = await app.call(listTeams).catch((cause: unknown) => cause)
  assert.is(refusal(error).message, 'Failed to refresh token')
  assert.is(app.doors(), 1)
  assert.is(app.seen.length, 1)
})

renewal('leaves a refused login alone', async () => {
  const app = start(refused, { access: '', refresh: null })
  const error = await app.call(login, { body: { email: 'a@b.example', password: 'x' } }).catch((cause: unknown) => cause)
  assert.is(refusal(error).status, 401)
  assert.is(app.doors(), 0)
})

calls.run()
renewal.run()
