/** Webhooks over the API, with receivers on loopback: who may manage them, what is sent, signed, tried again, logged and removed. */
import { createHmac } from 'node:crypto'
import * as assert from 'uvu/assert'
import { createCrawl, deleteCrawls, stopCrawl } from '#contract/crawls.ts'
import { MAX_WEBHOOKS } from '#contract/sizes.ts'
import { deleteTeam } from '#contract/teams.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  getWebhookDelivery,
  getWebhookSecret,
  listWebhookDeliveries,
  listWebhooks,
  replayWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '#contract/webhooks.ts'
import { startApp } from '#tests/support/app.ts'
import type { App, Caller } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { addMember } from '#tests/support/make.ts'
import { signatureOf, startReceiver } from '#tests/support/stubs/receiver.ts'
import type { Receiver } from '#tests/support/stubs/receiver.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { until } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'

const webhooks = suite('webhooks')

type Stage = { app: App; owner: Caller; receiver: Receiver; make: (body?: object) => Promise<{ uuid: string; secret: string }> }

async function onStage(
  work: (stage: Stage) => Promise<void>,
  options: Parameters<typeof startApp>[0] = {},
  answer?: Parameters<typeof startReceiver>[0],
): Promise<void> {
  const receiver = await startReceiver(answer)
  const app = await startApp({ ...options, config: { webhookRetrySeconds: [0.05, 0.1], ...options.config } })
  try {
    const owner = await app.signIn()
    const make = async (body: object = {}) => {
      const made = await app.call(createWebhook, {
        as: owner,
        body: { url: receiver.url(), events: ['run.started', 'run.ended'], ...body },
      })
      assert.is(made.status, 201, made.text)
      return made.body
    }
    await work({ app, owner, receiver, make })
  } finally {
    await app.close()
    await receiver.close()
  }
}

const errorsOf = ({ body }: { body: unknown }) => (body as { errors: Record<string, unknown> }).errors
const crawl = async ({ app, owner }: Pick<Stage, 'app' | 'owner'>, url = 'http://127.0.0.1:8080/', body: object = {}): Promise<string> =>
  ((await app.call(createCrawl, { as: owner, body: { url, ...body } })).body as { uuid: string }).uuid
/** An event that needs no engine: a crawl that is stopped before it began. */
async function stoppedCrawl(stage: Pick<Stage, 'app' | 'owner'>): Promise<string> {
  const id = await crawl(stage)
  await stage.app.call(stopCrawl, { as: stage.owner, params: { id } })
  return id
}
const deliveriesOf = async ({ app, owner }: Pick<Stage, 'app' | 'owner'>, id: string, query: Record<string, string> = {}) =>
  (await app.call(listWebhookDeliveries, { as: owner, params: { id }, query })).body.results
const isSettled = async (stage: Pick<Stage, 'app' | 'owner'>, id: string) =>
  (await deliveriesOf(stage, id)).every(({ status }) => status !== 'waiting')

// ---- endpoints

webhooks('an endpoint is created, listed, read, changed and removed; its secret and header values stay hidden unless requested', () =>
  onStage(async ({ app, owner, make, receiver }) => {
    const { secret, ...made } = await make({ name: ' CI ', headers: { 'X-Token': 'very secret' } })
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.equal(
      { ...made, uuid: '', created_at: '', updated_at: '' },
      {
        uuid: '',
        name: 'CI',
        url: receiver.url(),
        events: ['run.started', 'run.ended'],
        header_names: ['X-Token'],
        is_enabled: true,
        switched_off: null,
        switched_off_at: null,
        failing_since: null,
        last_attempt_at: null,
        last_status_code: null,
        previous_secret_until: null,
        created_at: '',
        updated_at: '',
      },
    )
    const params = { id: made.uuid }
    const listed = await app.call(listWebhooks, { as: owner })
    assert.equal([listed.body.count, listed.body.results], [1, [made]])
    assert.not.match(listed.text, /very secret|whsec_/)
    assert.equal((await app.call(getWebhook, { as: owner, params })).body, made)
    assert.is((await app.call(getWebhookSecret, { as: owner, params })).body.secret, secret)
    const changed = await app.call(changeWebhook, { as: owner, params, body: { name: 'Other', is_enabled: false } })
    assert.equal([changed.body.name, changed.body.is_enabled, changed.body.header_names], ['Other', false, ['X-Token']])
    const row = await app.backend.database.selectFrom('webhookEndpoint').selectAll().executeTakeFirstOrThrow()
    assert.not.match(JSON.stringify(row), /very secret|whsec_/, 'sealed at rest')
    assert.is((await app.call(deleteWebhook, { as: owner, params })).status, 204)
    assert.is((await app.call(getWebhook, { as: owner, params })).status, 404)
    assert.is((await app.call(deleteWebhook, { as: owner, params })).status, 404)
  }),
)

webhooks('an invalid endpoint is refused by its field', () =>
  onStage(async ({ app, owner, make }) => {
    const faultsOf = async (body: object) => {
      const reply = await app.call(createWebhook, { as: owner, body: { url: 'http://127.0.0.1:8080/', events: ['run.ended'], ...body } })
      assert.is(reply.status, 400)
      return errorsOf(reply)
    }
    assert.equal(await faultsOf({ url: 'ftp://example.org/' }), { url: ['Enter a valid URL.'] })
    assert.equal(await faultsOf({ url: 'https://ana:word@example.org/' }), {
      url: ['Put user name and password into a header, not into the URL.'],
    })
    assert.match(JSON.stringify(await faultsOf({ url: `https://example.org/${'a'.repeat(2048)}` })), /no more than 2048 characters/)
    assert.equal(await faultsOf({ events: [] }), { events: ['This list may not be empty.'] })
    assert.ok('events' in (await faultsOf({ events: ['run.exploded'] })))
    assert.match(JSON.stringify(await faultsOf({ headers: { 'Webhook-Signature': 'v1,forged' } })), /is set by the service itself/)
    assert.match(JSON.stringify(await faultsOf({ headers: { 'Content-Length': '1' } })), /is set by the service itself/)
    assert.match(JSON.stringify(await faultsOf({ headers: { 'X-A': 'one\r\nX-B: two' } })), /Enter a valid header value/)
    assert.match(
      JSON.stringify(await faultsOf({ headers: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`X-${i}`, ''])) })),
      /16/,
    )
    for (let made = 0; made < MAX_WEBHOOKS; made += 1) await make()
    assert.match(JSON.stringify(await faultsOf({})), /A team may have 20 webhook endpoints/)
  }),
)

webhooks('T34: private addresses are refused unless the operator allows them, also when an endpoint is changed', () =>
  onStage(
    async ({ app, owner }) => {
      for (const url of [
        'http://127.0.0.1:8080/',
        'http://[::1]/',
        'http://169.254.169.254/latest/',
        'http://localhost/',
        'http://10.1.2.3/',
      ]) {
        const refused = await app.call(createWebhook, { as: owner, body: { url, events: ['run.ended'] } })
        assert.equal([refused.status, errorsOf(refused)], [400, { url: ['This address is not allowed.'] }], url)
      }
      const made = await app.call(createWebhook, {
        as: owner,
        body: { url: 'https://93.184.216.34/', events: ['run.ended'], is_enabled: false },
      })
      assert.is(made.status, 201)
      const moved = await app.call(changeWebhook, { as: owner, params: { id: made.body.uuid }, body: { url: 'http://127.0.0.1/' } })
      assert.equal(errorsOf(moved), { url: ['This address is not allowed.'] })
    },
    { config: { egressAllow: [] } },
  ),
)

webhooks('members read endpoints and logs; secrets and changes are for the owner, and other teams see nothing', () =>
  onStage(async ({ app, owner, make }) => {
    const { uuid } = await make()
    const member = await app.secondUser()
    const other = { ...member }
    await addMember(app.backend, { teamId: owner.teamId, userId: member.userId })
    const as = { ...member, teamId: owner.teamId }
    const params = { id: uuid }
    assert.is((await app.call(getWebhook, { as, params })).status, 200)
    assert.is((await app.call(listWebhookDeliveries, { as, params })).status, 200)
    const refused = [
      await app.call(createWebhook, { as, body: { url: 'http://127.0.0.1:8080/', events: ['run.ended'] } }),
      await app.call(changeWebhook, { as, params, body: { name: 'mine' } }),
      await app.call(deleteWebhook, { as, params }),
      await app.call(getWebhookSecret, { as, params }),
      await app.call(rotateWebhookSecret, { as, params, body: {} }),
      await app.call(testWebhook, { as, params, body: {} }),
      await app.call(replayWebhook, { as, params, body: {} }),
    ]
    assert.equal(
      refused.map(({ status }) => status),
      [403, 403, 403, 403, 403, 403, 403],
    )
    assert.is((await app.call(getWebhook, { as: other, params })).status, 404)
    assert.is((await app.call(getWebhookSecret, { as: other, params })).status, 404)
    assert.is((await app.call(getWebhook, { key: owner.apiKey, params })).status, 401)
  }),
)

// ---- what is sent

webhooks('the events of a crawl are its start, its pages and its end, in this order, signed by Standard Webhooks', () =>
  onStage(
    async ({ app, owner, make, receiver }) => {
      const site = await startSite({ '/': pageOf('Home', ['/a', '/b']), '/a': pageOf('A'), '/b': pageOf('B') })
      const { secret, uuid } = await make({ events: ['run.started', 'run.pages', 'run.ended'], headers: { 'X-Token': 'mine' } })
      const id = await crawl({ app, owner }, site.url('/'), { options: { spider_options: { max_depth: 1, page_limit: 10 } } })
      await until(() => receiver.types().includes('run.ended'))
      const events = receiver.received.map(({ json }) => json)
      assert.equal([events[0]!.type, events.at(-1)!.type], ['run.started', 'run.ended'])
      const pages = events.filter(({ type }) => type === 'run.pages')
      assert.equal(
        pages
          .flatMap(({ data }) => data.pages as { url: string; status_code: number }[])
          .map(({ url, status_code }) => `${new URL(url).pathname} ${status_code}`)
          .toSorted((one, other) => one.localeCompare(other)),
        ['/ 200', '/a 200', '/b 200'],
      )
      assert.is(pages[0]!.data.first, 1)
      const { run } = events.at(-1)!.data
      assert.equal(
        [run.uuid, run.kind, run.status, run.results, run.path],
        [id, 'crawl', 'finished', 3, `/api/v1/core/crawl-requests/${id}/`],
      )
      assert.equal([events[0]!.data.run.uuid, events[0]!.data.run.status], [id, 'running'])
      for (const one of receiver.received) {
        assert.is(one.headers['webhook-signature'], signatureOf(one, secret))
        assert.ok(Math.abs(Number(one.headers['webhook-timestamp']) - Date.now() / 1000) < 60)
        assert.equal([one.headers['content-type'], one.headers['x-token']], ['application/json', 'mine'])
        assert.match(one.headers['user-agent']!, /^Seine-Webhooks\//)
      }
      const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
      assert.is(new Set(ids).size, ids.length, 'each event once')
      await until(() => isSettled({ app, owner }, uuid))
      assert.equal(
        (await deliveriesOf({ app, owner }, uuid)).map(({ uuid: one }) => one),
        ids.toReversed(),
      )
      assert.equal(await app.backend.database.selectFrom('webhookFeed').selectAll().execute(), [], 'nothing is left to be told')
    },
    { engine: true, config: { egressAllow: ['127.0.0.0/8'] } },
  ),
)

webhooks('an endpoint gets only the events it has chosen, and none while it is switched off', () =>
  onStage(async ({ app, owner, make, receiver }) => {
    await make({ url: receiver.url('/ends'), events: ['run.ended'] })
    await make({ url: receiver.url('/starts'), events: ['run.started'] })
    await make({ url: receiver.url('/off'), is_enabled: false })
    const id = await stoppedCrawl({ app, owner })
    await receiver.arrived(1)
    assert.equal(
      receiver.received.map(({ json, path }) => [path, json.type, json.data.run.uuid, json.data.run.status]),
      [['/ends', 'run.ended', id, 'canceled']],
      'a crawl that was stopped before it began has no start',
    )
    const { database } = app.backend
    await until(async () => (await database.selectFrom('webhookFeed').selectAll().execute()).length === 0)
    assert.is(receiver.received.length, 1)
  }),
)

webhooks('a run of a team without endpoints writes nothing to the tables of webhooks', () =>
  onStage(async ({ app, owner }) => {
    await stoppedCrawl({ app, owner })
    for (const table of ['webhookFeed', 'webhookDelivery'] as const)
      assert.equal(await app.backend.database.selectFrom(table).selectAll().execute(), [])
  }),
)

webhooks('a new secret is used together with the old one until the overlap ends, or alone at once', () => {
  const clock = createClock()
  return onStage(
    async ({ app, owner, make, receiver }) => {
      const first = await make()
      const params = { id: first.uuid }
      const rotated = await app.call(rotateWebhookSecret, { as: owner, params, body: { overlap_hours: 1 } })
      const { secret } = rotated.body
      assert.is.not(secret, first.secret)
      const send = async () => {
        await app.call(testWebhook, { as: owner, params, body: {} })
        return receiver.received.at(-1)!
      }
      const both = await send()
      assert.is(both.headers['webhook-signature'], `${signatureOf(both, secret)} ${signatureOf(both, first.secret)}`)
      clock.advance(3_600_000)
      Object.assign(owner, await app.signIn())
      const one = await send()
      assert.is(one.headers['webhook-signature'], signatureOf(one, secret))
      const last = await app.call(rotateWebhookSecret, { as: owner, params, body: { overlap_hours: 0 } })
      assert.is(last.body.previous_secret_until, null)
      const alone = await send()
      assert.is(alone.headers['webhook-signature'], signatureOf(alone, last.body.secret))
    },
    { clock },
  )
})

// ---- attempts

webhooks('I8: a failed delivery is sent again with the same id and body, and each attempt is logged with its answer', () =>
  onStage(
    async ({ app, owner, make, receiver }) => {
      const { uuid } = await make({ headers: { 'X-Token': 'very secret' } })
      await stoppedCrawl({ app, owner })
      await receiver.arrived(3)
      await until(() => isSettled({ app, owner }, uuid))
      const [first, ...others] = receiver.received
      for (const one of others) {
        assert.is(one.headers['webhook-id'], first!.headers['webhook-id'])
        assert.equal(one.raw, first!.raw)
      }
      const [delivery] = await deliveriesOf({ app, owner }, uuid)
      assert.equal([delivery!.status, delivery!.attempts, delivery!.status_code, delivery!.failure], ['delivered', 3, 200, null])
      const params = { id: uuid, deliveryId: delivery!.uuid }
      const details = await app.call(getWebhookDelivery, { as: owner, params })
      assert.is(details.body.body, first!.raw.toString())
      assert.equal(
        details.body.log.map(({ failure, status_code }) => [status_code, failure]),
        [
          [200, null],
          [503, 'HTTP 503'],
          [503, 'HTTP 503'],
        ],
      )
      const oldest = details.body.log.at(-1)!
      assert.equal([oldest.response_body, oldest.response_headers['x-reason'], oldest.is_response_cut], ['not now', 'tired', false])
      assert.equal([oldest.request_headers['X-Token'], oldest.request_headers['webhook-id']], ['•••', delivery!.uuid])
      assert.not.match(details.text, /very secret/)
      const endpoint = (await app.call(getWebhook, { as: owner, params: { id: uuid } })).body
      assert.equal([endpoint.is_enabled, endpoint.failing_since, endpoint.last_status_code], [true, null, 200])
    },
    {},
    (_received, response, times) => {
      if (times <= 2) response.writeHead(503, { 'x-reason': 'tired' }).end('not now')
      else response.writeHead(200).end('thanks')
    },
  ),
)

webhooks(
  'an endpoint that accepts nothing for a whole retry schedule is switched off, and its owner gets a mail and can switch it on again',
  () => {
    let isWell = false
    const warned: string[] = []
    return onStage(
      async ({ app, owner, make, receiver }) => {
        const { uuid } = await make()
        await stoppedCrawl({ app, owner })
        await until(async () => !(await app.call(getWebhook, { as: owner, params: { id: uuid } })).body.is_enabled)
        assert.is(receiver.received.length, 3, 'one attempt and two retries')
        const off = (await app.call(getWebhook, { as: owner, params: { id: uuid } })).body
        assert.equal([off.switched_off, off.last_status_code], ['failing', 500])
        assert.equal(
          (await deliveriesOf({ app, owner }, uuid, { status: 'failed' })).map(({ attempts, failure, next_attempt_at }) => [
            attempts,
            failure,
            next_attempt_at,
          ]),
          [[3, 'HTTP 500', null]],
        )
        await until(() => warned.some((line) => /A webhook was switched off/.test(line)))
        await stoppedCrawl({ app, owner })
        isWell = true
        await app.call(changeWebhook, { as: owner, params: { id: uuid }, body: { is_enabled: true } })
        const replayed = await app.call(replayWebhook, { as: owner, params: { id: uuid }, body: {} })
        assert.equal(replayed.body, { replayed: 1, remaining: 0 })
        await receiver.arrived(4)
        await until(() => isSettled({ app, owner }, uuid))
        assert.equal(
          (await deliveriesOf({ app, owner }, uuid)).map(({ status }) => status),
          ['delivered'],
          'what happened while it was off was not recorded',
        )
        assert.is(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
      },
      {
        log: {
          info: () => undefined,
          error: () => undefined,
          warn: (facts, message) => void warned.push(`${message} ${JSON.stringify(facts)}`),
        },
      },
      (_received, response) => response.writeHead(isWell ? 200 : 500).end(),
    )
  },
)

webhooks('attempts that take longer than their schedule are all made before the endpoint is switched off', () => {
  const clock = createClock()
  return onStage(
    async ({ app, owner, make, receiver }) => {
      const { uuid } = await make()
      await stoppedCrawl({ app, owner })
      await until(async () => {
        clock.advance(50)
        return !(await app.call(getWebhook, { as: owner, params: { id: uuid } })).body.is_enabled
      })
      assert.is(receiver.received.length, 3, 'one attempt and two retries')
      const [delivery] = await deliveriesOf({ app, owner }, uuid)
      assert.equal([delivery?.status, delivery?.attempts], ['failed', 3])
    },
    { clock },
    (_received, response) => {
      clock.advance(10_000)
      response.writeHead(500).end()
    },
  )
})

webhooks('an answer 410 ends the delivery and switches the endpoint off at once; a test is still sent', () =>
  onStage(
    async ({ app, owner, make, receiver }) => {
      const { uuid } = await make()
      await stoppedCrawl({ app, owner })
      await until(async () => !(await app.call(getWebhook, { as: owner, params: { id: uuid } })).body.is_enabled)
      assert.is((await app.call(getWebhook, { as: owner, params: { id: uuid } })).body.switched_off, 'gone')
      const tested = await app.call(testWebhook, { as: owner, params: { id: uuid }, body: {} })
      assert.equal([tested.status, tested.body.type, tested.body.status, tested.body.log.length], [200, 'webhook.test', 'failed', 1])
      assert.match(tested.body.failure!, /410/)
      assert.equal(receiver.types(), ['run.ended', 'webhook.test'])
    },
    {},
    (_received, response) => response.writeHead(410).end(),
  ),
)

webhooks('Retry-After is honoured, also for the other messages of the endpoint', () => {
  const clock = createClock()
  return onStage(
    async ({ app, owner, make, receiver }) => {
      const { uuid } = await make()
      await stoppedCrawl({ app, owner })
      await until(async () => (await deliveriesOf({ app, owner }, uuid))[0]?.status_code === 429)
      const second = await stoppedCrawl({ app, owner })
      await until(async () => (await deliveriesOf({ app, owner }, uuid)).length === 2)
      const waiting = await deliveriesOf({ app, owner }, uuid)
      const soonest = Math.min(...waiting.map(({ next_attempt_at }) => Date.parse(next_attempt_at!)))
      assert.ok(soonest >= clock.now() + 120_000, 'nothing is sent before')
      assert.is(receiver.received.length, 1)
      clock.advance(121_000)
      await app.call(changeWebhook, { as: owner, params: { id: uuid }, body: { is_enabled: true } })
      await receiver.arrived(3)
      assert.ok(receiver.received.some(({ json }) => json.data.run.uuid === second))
    },
    { clock },
    (_received, response, times) => {
      if (times === 1) response.writeHead(429, { 'retry-after': '120' }).end()
      else response.writeHead(200).end()
    },
  )
})

webhooks('T34: redirects are not followed, and only the first bytes of an endless answer are read', () =>
  onStage(
    async ({ app, owner, make, receiver }) => {
      const redirected = await make({ url: receiver.url('/redirect') })
      const endless = await make({ url: receiver.url('/endless') })
      const test = async (id: string) => (await app.call(testWebhook, { as: owner, params: { id }, body: {} })).body
      const first = await test(redirected.uuid)
      assert.equal([first.status, first.failure], ['failed', 'HTTP 307: redirects are not followed'])
      const second = await test(endless.uuid)
      assert.equal([second.status, second.log[0]!.is_response_cut, second.log[0]!.response_body.length], ['delivered', true, 2048])
      assert.equal(
        receiver.received.map(({ path }) => path),
        ['/redirect', '/endless'],
      )
    },
    {},
    ({ path }, response) => {
      if (path === '/redirect') return void response.writeHead(307, { location: '/canary' }).end()
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    },
  ),
)

webhooks('an endpoint that never answers does not delay other endpoints, of its team or of another', () => {
  const open = new Set<object>()
  let most = 0
  return onStage(
    async ({ app, owner, make, receiver }) => {
      for (let made = 0; made < 10; made += 1) await make({ url: receiver.url('/silent') })
      await make({ url: receiver.url('/well') })
      const other = await app.secondUser()
      const made = await app.call(createWebhook, { as: other, body: { url: receiver.url('/other'), events: ['run.ended'] } })
      assert.is(made.status, 201)
      await stoppedCrawl({ app, owner: other })
      await until(() => receiver.types('/other').length === 1)
      for (let run = 0; run < 4; run += 1) await stoppedCrawl({ app, owner })
      await until(() => receiver.types('/silent').length >= 8)
      await stoppedCrawl({ app, owner: other })
      await until(() => receiver.types('/other').length === 2)
      assert.is(most, 8, 'a team has eight places at most')
    },
    {},
    ({ path }, response) => {
      if (path !== '/silent') return void response.writeHead(204).end()
      open.add(response)
      most = Math.max(most, open.size)
      response.once('close', () => open.delete(response))
    },
  )
})

webhooks('the log is filtered, and selected deliveries are sent again on request', () =>
  onStage(async ({ app, owner, make, receiver }) => {
    const { uuid } = await make()
    const params = { id: uuid }
    await stoppedCrawl({ app, owner })
    await stoppedCrawl({ app, owner })
    await app.call(testWebhook, { as: owner, params, body: {} })
    await receiver.arrived(3)
    await until(() => isSettled({ app, owner }, uuid))
    assert.is((await deliveriesOf({ app, owner }, uuid, { type: 'webhook.test' })).length, 1)
    assert.is((await deliveriesOf({ app, owner }, uuid, { status: 'failed' })).length, 0)
    assert.is((await deliveriesOf({ app, owner }, uuid, { status: '' })).length, 3)
    const odd = await app.call(listWebhookDeliveries, { as: owner, params, query: { status: 'odd' } })
    assert.is(odd.status, 400)
    const chosen = (await deliveriesOf({ app, owner }, uuid, { type: 'run.ended' }))[1]!
    const replayed = await app.call(replayWebhook, { as: owner, params, body: { deliveries: [chosen.uuid] } })
    assert.equal(replayed.body, { replayed: 1, remaining: 0 })
    await receiver.arrived(4)
    assert.is(receiver.received[3]!.headers['webhook-id'], chosen.uuid)
    await until(() => isSettled({ app, owner }, uuid))
    const details = await app.call(getWebhookDelivery, { as: owner, params: { ...params, deliveryId: chosen.uuid } })
    assert.is(details.body.log.length, 2)
    const unknown = await app.call(replayWebhook, { as: owner, params, body: { deliveries: ['no-such-id'] } })
    assert.equal(unknown.body, { replayed: 0, remaining: 0 })
  }),
)

webhooks('webhook tests are rate limited: a team cannot scan for open ports', () =>
  onStage(async ({ app, owner, make }) => {
    const { uuid } = await make()
    const statuses = []
    for (let made = 0; made < 21; made += 1)
      statuses.push((await app.call(testWebhook, { as: owner, params: { id: uuid }, body: {} })).status)
    assert.equal(statuses, [...Array.from({ length: 20 }, () => 200), 429])
  }),
)

// ---- in the format of Firecrawl

webhooks(
  'the webhook of a Firecrawl crawl gets its start, each page with its document, and its end, signed with the secret of the same URL',
  () =>
    onStage(
      async ({ app, owner, make, receiver }) => {
        const site = await startSite({ '/': pageOf('Home', ['/a']), '/a': pageOf('A') })
        const { secret } = await make({ url: receiver.url('/fc'), is_enabled: false })
        const headers = { authorization: `Bearer ${owner.apiKey}` }
        const webhook = { url: receiver.url('/fc'), metadata: { job: 7 }, headers: { 'X-Own': 'yes' } }
        const started = await app.request('POST', '/v2/crawl', { headers, body: { url: site.url('/'), limit: 5, webhook } })
        assert.is(started.status, 200, started.text)
        const { id } = started.body as { id: string }
        await until(() => receiver.types().includes('crawl.completed'))
        assert.equal(receiver.types(), ['crawl.started', 'crawl.page', 'crawl.page', 'crawl.completed'])
        for (const { headers: sent, json, raw } of receiver.received) {
          assert.equal([json.success, json['id'], json['metadata'], sent['x-own']], [true, id, { job: 7 }, 'yes'])
          assert.is(json['webhookId'], sent['webhook-id'])
          assert.is(sent['x-firecrawl-signature'], `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`)
        }
        const documents = receiver.received.map(({ json }) => json.data as { markdown: string; metadata: { sourceURL: string } }[])
        assert.equal(
          documents.map(({ length }) => length),
          [0, 1, 1, 0],
        )
        assert.equal(new Set(documents.flat().map(({ metadata }) => new URL(metadata.sourceURL).pathname)), new Set(['/', '/a']))
        assert.match(documents[1]![0]!.markdown, /Words about/)
        assert.is((await app.call(listWebhooks, { as: owner })).body.count, 1, 'it is no endpoint of the team')
      },
      { engine: true, config: { egressAllow: ['127.0.0.0/8'] } },
    ),
)

webhooks('the webhook of a Firecrawl batch that is deleted gets its end', () =>
  onStage(async ({ app, owner, receiver }) => {
    const webhook = { url: receiver.url('/fc'), events: ['cancelled'] }
    const body = { urls: ['http://127.0.0.1:8080/'], webhook }
    const headers = { authorization: `Bearer ${owner.apiKey}` }
    const { id } = (await app.request('POST', '/v2/batch/scrape', { headers, body })).body as { id: string }
    assert.equal((await app.call(deleteCrawls, { as: owner, query: { ids: id, purge: true } })).body, { deleted: 1 })
    await receiver.arrived(1)
    assert.equal([receiver.types(), receiver.received[0]!.json['id']], [['batch_scrape.cancelled'], id])
  }),
)

webhooks('a Firecrawl webhook gets only its events; a forbidden URL or an unknown event gets 400', () =>
  onStage(
    async ({ app, owner, receiver }) => {
      const site = await startSite({ '/': pageOf('Home') })
      const headers = { authorization: `Bearer ${owner.apiKey}` }
      const ask = (webhook: unknown) => app.request('POST', '/v2/batch/scrape', { headers, body: { urls: [site.url('/')], webhook } })
      for (const webhook of [
        'http://10.0.0.1/',
        'nonsense',
        { url: receiver.url(), events: ['crawl.exploded'] },
        { url: receiver.url(), headers: { Host: 'x' } },
      ])
        assert.is((await ask(webhook)).status, 400, JSON.stringify(webhook))
      assert.is((await ask({ url: receiver.url(), events: ['batch_scrape.page', 'completed'] })).status, 200)
      await until(() => receiver.types().includes('batch_scrape.completed'))
      assert.equal(receiver.types(), ['batch_scrape.page', 'batch_scrape.completed'])
      assert.is(receiver.received[0]!.headers['x-firecrawl-signature'], undefined, 'nothing signs without an endpoint at the URL')
    },
    { engine: true, config: { egressAllow: ['127.0.0.0/8'] } },
  ),
)

// ---- restarts, retention, deletion

webhooks('F8: the next process sends waiting deliveries, and reports the runs that ended while no process ran', async () => {
  const receiver = await startReceiver((_received, response, times) => void response.writeHead(times === 1 ? 500 : 200).end())
  const first = await startApp({ config: { webhookRetrySeconds: [0.05] } })
  const config = { dataDir: first.dataDir, webhookRetrySeconds: [0.05] }
  const owner = await first.signIn()
  const made = await first.call(createWebhook, { as: owner, body: { url: receiver.url(), events: ['run.ended'] } })
  await stoppedCrawl({ app: first, owner })
  await receiver.arrived(1)
  await first.backend.close()
  const second = await startApp({ config })
  await receiver.arrived(2)
  await until(() => isSettled({ app: second, owner }, made.body.uuid))
  assert.is(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
  await second.close()
  await first.http.close()
})

webhooks("deliveries are removed after the log's number of days, those of deleted endpoints and teams at once", () => {
  const clock = createClock()
  const looks: (() => void)[] = []
  return onStage(
    async ({ app, owner, make, receiver }) => {
      const { database } = app.backend
      const count = async () => (await database.selectFrom('webhookDelivery').select('no').execute()).length
      const attempts = async () => (await database.selectFrom('webhookAttempt').select('no').execute()).length
      const old = await make()
      await stoppedCrawl({ app, owner })
      await receiver.arrived(1)
      await until(() => isSettled({ app, owner }, old.uuid))
      clock.advance(7 * 86_400_000 - 1000)
      Object.assign(owner, await app.signIn())
      await stoppedCrawl({ app, owner })
      await receiver.arrived(2)
      await until(() => isSettled({ app, owner }, old.uuid))
      clock.advance(2000)
      for (const look of looks) look()
      await until(async () => (await count()) === 1)
      assert.is(await attempts(), 1)
      await app.call(deleteWebhook, { as: owner, params: { id: old.uuid } })
      await until(async () => (await database.selectFrom('webhookEndpoint').select('id').execute()).length === 0)
      assert.equal([await count(), await attempts()], [0, 0])
      await make()
      await stoppedCrawl({ app, owner })
      await receiver.arrived(3)
      const { name } = await database.selectFrom('team').select('name').where('id', '=', owner.teamId).executeTakeFirstOrThrow()
      await app.call(deleteTeam, { as: owner, query: { confirm: name } })
      for (const look of looks) look()
      await until(async () => (await database.selectFrom('webhookEndpoint').select('id').execute()).length === 0)
      assert.equal([await count(), await attempts()], [0, 0])
    },
    { clock, every: (_ms, call) => (looks.push(call), () => undefined) },
  )
})

webhooks('deliveries with pages of a crawl are removed with the crawl', () =>
  onStage(
    async ({ app, owner, make, receiver }) => {
      const site = await startSite({ '/': pageOf('Home') })
      const { uuid } = await make({ events: ['run.pages', 'run.ended'] })
      const id = await crawl({ app, owner }, site.url('/'))
      await until(() => receiver.types().includes('run.ended'))
      await app.call(deleteCrawls, { as: owner, query: { ids: id, purge: true } })
      await until(async () => (await deliveriesOf({ app, owner }, uuid)).every(({ type }) => type !== 'run.pages'))
      assert.equal(
        (await deliveriesOf({ app, owner }, uuid)).map(({ type }) => type),
        ['run.ended'],
      )
    },
    { engine: true, config: { egressAllow: ['127.0.0.0/8'] } },
  ),
)

webhooks.run()
