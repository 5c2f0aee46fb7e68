import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createRobotsCache, robotsUrl } from '#backend/crawler/robots/robots-cache.ts'
import type { RobotsAnswer, RobotsVerdictSource, StoredRobots } from '#backend/crawler/robots/robots-cache.ts'
import { judgeRobots } from '#backend/crawler/robots/robots.ts'

const cache = suite('the cache of robots rules')

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const HOST = 'https://example.com:443'
const RULES = 'User-agent: *\nDisallow: /closed'

/** The store has answered. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

function start(answers: RobotsAnswer[] = []) {
  const clock = { at: 1_000_000 }
  const asked: string[] = []
  const stored = new Map<string, StoredRobots>()
  const pending: (() => void)[] = []
  const make = () =>
    createRobotsCache({
      fetch: (url) => {
        asked.push(url)
        const answer = answers.shift() ?? { kind: 'failure', reason: 'reset' }
        return new Promise((resolve) => pending.push(() => resolve(answer)))
      },
      load: async (key) => stored.get(key) ?? null,
      now: () => clock.at,
      productToken: 'SeineBot',
      save: (key, entry) => void stored.set(key, JSON.parse(JSON.stringify(entry)) as StoredRobots),
    })
  const robots = make()
  const ask = async (key = HOST): Promise<RobotsVerdictSource> => {
    const answer = robots.get(key)
    await turn()
    pending.shift()?.()
    return answer
  }
  return { ask, asked, clock, make, pending, robots, stored }
}

const ok = (text: string, maxAgeMs: number | null = null): RobotsAnswer => ({ kind: 'answer', status: 200, text, maxAgeMs })
const status = (code: number): RobotsAnswer => ({ kind: 'answer', status: code, text: 'User-agent: *\nDisallow: /', maxAgeMs: null })
const allows = (source: RobotsVerdictSource, path: string): boolean =>
  source.kind === 'rules' && judgeRobots(source.robots, `https://example.com${path}`).allowed

cache('the file of an origin is requested once for all callers that wait for it', async () => {
  const { asked, pending, robots } = start([ok(RULES)])
  assert.is(robots.known(HOST), null)
  const answers = Promise.all([robots.get(HOST), robots.get(HOST), robots.get(HOST)])
  await turn()
  assert.is(pending.length, 1)
  pending.shift()!()
  for (const answer of await answers) assert.not.ok(allows(answer, '/closed'))
  assert.equal(asked, ['https://example.com/robots.txt'])
  assert.is(robots.known(HOST)?.kind, 'rules')
})

cache('rules are kept for a day', async () => {
  const { ask, asked, clock, robots } = start([ok(RULES), ok('')])
  await ask()
  clock.at += DAY - 1
  assert.not.ok(allows(robots.known(HOST)!, '/closed'))
  clock.at += 1
  assert.is(robots.known(HOST), null)
  assert.ok(allows(await ask(), '/closed'))
  assert.is(asked.length, 2)
})

for (const [maxAgeMs, ttlMs] of [
  [HOUR, HOUR],
  [0, 5 * MINUTE],
  [7 * DAY, DAY],
] as const) {
  cache(`a max-age of ${maxAgeMs} ms in Cache-Control keeps the rules for ${ttlMs} ms`, async () => {
    const { ask, clock, robots } = start([ok(RULES, maxAgeMs)])
    await ask()
    clock.at += ttlMs - 1
    assert.ok(robots.known(HOST))
    clock.at += 1
    assert.is(robots.known(HOST), null)
  })
}

for (const code of [400, 401, 403, 404, 410, 451]) {
  cache(`${code} means that there are no rules`, async () => {
    assert.ok(allows(await start([status(code)]).ask(), '/anything'))
  })
}

for (const code of [429, 500, 502, 503, 599]) {
  cache(`${code} forbids everything for now`, async () => {
    const { ask, clock } = start([status(code)])
    assert.equal(await ask(), { kind: 'unreachable', retryAt: clock.at + MINUTE, detail: `HTTP ${code}` })
  })
}

for (const reason of ['dns', 'connect', 'timeout', 'tls', 'reset', 'refused_address', 'bad_encoding', 'protocol'] as const) {
  cache(`a failure (${reason}) forbids everything for now`, async () => {
    assert.is((await start([{ kind: 'failure', reason }]).ask()).kind, 'unreachable')
  })
}

for (const reason of ['dns', 'refused_address'] as const) {
  cache(`an origin that does not exist (${reason}) is reported as such, and tried again soon`, async () => {
    const { ask, asked, clock } = start([{ kind: 'failure', reason }, ok(RULES)])
    assert.equal(await ask(), { kind: 'unreachable', retryAt: clock.at + 10_000, reason })
    await ask()
    assert.is(asked.length, 1)
    clock.at += 10_000
    assert.is((await ask()).kind, 'rules')
  })
}

for (const [reason, isSilent, soonMs] of [
  ['tls', false, 10_000],
  ['connect', false, 1000],
  ['timeout', true, 1000],
] as const) {
  cache(`H5: an origin that does not answer (${reason}) is reported as such, and tried again in ${soonMs} ms`, async () => {
    const { ask, clock } = start([{ kind: 'failure', reason, detail: 'why', isSilent }, ok(RULES)])
    assert.equal(await ask(), { kind: 'unreachable', retryAt: clock.at + soonMs, reason, detail: 'why' })
    clock.at += soonMs
    assert.is((await ask()).kind, 'rules')
  })
}

cache('H5: a robots.txt that stops midway closes the origin for now, with the reason in words', async () => {
  const { ask, clock } = start([{ kind: 'failure', reason: 'timeout', detail: 'the body stopped', isSilent: false }])
  assert.equal(await ask(), { kind: 'unreachable', retryAt: clock.at + MINUTE, detail: 'the body stopped' })
})

for (const reason of ['redirect_limit', 'redirect_loop', 'bad_redirect'] as const) {
  cache(`redirects that lead nowhere (${reason}) mean that there are no rules`, async () => {
    assert.ok(allows(await start([{ kind: 'failure', reason }]).ask(), '/x'))
  })
}

cache('an unreachable origin is retried after growing pauses of up to an hour', async () => {
  const { ask, asked, clock, robots } = start()
  const waits: number[] = []
  for (let i = 0; i < 9; i += 1) {
    const answer = await ask()
    assert.is(answer.kind, 'unreachable')
    if (answer.kind !== 'unreachable') continue
    waits.push((answer.retryAt - clock.at) / MINUTE)
    clock.at = answer.retryAt - 1
    assert.is(robots.known(HOST)?.kind, 'unreachable')
    assert.is((await robots.get(HOST)).kind, 'unreachable')
    clock.at += 1
  }
  assert.equal(waits, [1, 2, 4, 8, 16, 32, 60, 60, 60])
  assert.is(asked.length, 9)
})

cache('an older copy is used for a week when the origin cannot be reached', async () => {
  const { ask, clock } = start([ok(RULES)])
  await ask()
  clock.at += DAY
  const day2 = await ask()
  assert.is(day2.kind, 'rules')
  assert.not.ok(allows(day2, '/closed'))
  assert.ok(allows(day2, '/open'))
  clock.at += 6 * DAY - 1
  assert.is((await ask()).kind, 'rules')
  clock.at += HOUR
  assert.is((await ask()).kind, 'unreachable')
})

cache('rules survive a restart', async () => {
  const { ask, asked, make } = start([ok(RULES)])
  await ask()
  const restarted = make()
  assert.is(restarted.known(HOST), null)
  const source = await restarted.recall(HOST)
  assert.ok(source)
  assert.equal(restarted.known(HOST), source)
  assert.not.ok(allows(source, '/closed'))
  assert.is(asked.length, 1)
})

cache('a canceled request changes nothing in the cache', async () => {
  const { ask, robots, stored } = start([{ kind: 'failure', reason: 'canceled' }, ok(RULES)])
  assert.is((await ask()).kind, 'unreachable')
  assert.is(stored.size, 0)
  assert.is(robots.known(HOST), null)
  assert.is((await ask()).kind, 'rules')
})

cache("the cache knows the URL of an origin's robots.txt", () => {
  assert.is(robotsUrl('http://example.com:80'), 'http://example.com/robots.txt')
  assert.is(robotsUrl('https://example.com:443'), 'https://example.com/robots.txt')
  assert.is(robotsUrl('http://example.com:443'), 'http://example.com:443/robots.txt')
  assert.is(robotsUrl('http://[::1]:80'), 'http://[::1]/robots.txt')
})

cache.run()
