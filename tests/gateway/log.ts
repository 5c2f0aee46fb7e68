import { randomBytes, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readConfig } from '#config/read-config.ts'
import { createApp } from '#gateway/app.ts'
import { createLog, safeUrl } from '#gateway/log.ts'
import { assertLinear, filled } from '#tests/support/linear.ts'

const log = suite('the log')

const TOKEN = randomBytes(32).toString('base64url')
const JWT = `eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiIxIn0.${TOKEN}`

log('A15: secrets in a URL are hidden by their position, name or shape', () => {
  for (const [url, shown] of [
    [`/reset-password/opensit`, '/reset-password/[hidden]'],
    [`/reset-password//opensit/`, '/reset-password//[hidden]/'],
    [`/api/v1/user/auth/reset-password///opensit`, '/api/v1/user/auth/reset-password///[hidden]'],
    [`/%72eset-password/opensit/`, '/%72eset-password/[hidden]/'],
    [`/VERIFY-EMAIL/opensit?a=1`, '/VERIFY-EMAIL/[hidden]?a=1'],
    [`/api/v1/user/auth/invitation/opensit/`, '/api/v1/user/auth/invitation/[hidden]/'],
    [`/x?access_token=opensit&page=2`, '/x?access_token=[hidden]&page=2'],
    [`/x?page=2&apikey=opensit`, '/x?page=2&apikey=[hidden]'],
    [`/x?X-API-Key=opensit&id_token=opensit&clientSecret=opensit`, '/x?X-API-Key=[hidden]&id_token=[hidden]&clientSecret=[hidden]'],
    [`/x?%74oken=opensit`, '/x?%74oken=[hidden]'],
    [`/x?invitation_code=opensit`, '/x?invitation_code=[hidden]'],
    [`/typo/${TOKEN}`, '/typo/[hidden]'],
    [`/x?q=${TOKEN}`, '/x?q=[hidden]'],
    [`/x?${TOKEN}`, '/x?[hidden]'],
    [`/x?q=${encodeURIComponent(JWT)}`, '/x?q=[hidden]'],
    [`/x?q=sn-${'a1'.repeat(16)}`, '/x?q=[hidden]'],
    [`/x/${randomBytes(16).toString('hex')}`, '/x/[hidden]'],
    [`/x?url=https%3A%2F%2Fana%3Aopensit%40a.test%2F`, '/x?url=[hidden]'],
  ] as const)
    assert.is(safeUrl(url), shown)
})

log('other values in a URL stay: ids, pages, filters, words', () => {
  const id = randomUUID()
  for (const url of [
    `/api/v1/core/crawl-requests/${id}/results/${id}/?prefetched=true`,
    '/api/v1/core/crawl-requests/?page=2&page_size=25&status__in=running,new',
    '/api/v1/core/crawl-requests/?url=https%3A%2F%2Fexample.com%2Fa-long-name-of-a-page-from-2026',
    '/reset-password/',
    '/reset-password?next=1',
    '/',
    '/?',
    '/%',
    '/x?=&&a',
  ])
    assert.is(safeUrl(url), url)
})

log('A1: the time to look for secrets grows linearly with the URL, whatever is repeated in it', async () => {
  for (const piece of ['-eyJa', '-eyJ.', '-sn-', '://', '/a', '&a=b', '%2DeyJ'])
    await assertLinear(piece, (size) => () => safeUrl(`/${filled(piece, size)}?a=${filled(piece, size)}`))
})

log('of an error the log says what happened and where, not what else its library has added', () => {
  const lines: string[] = []
  const logger = createLog({ level: 'info', write: (line) => lines.push(line) })
  // As the Redis client reports a password that it has sent.
  const refused = Object.assign(new Error('WRONGPASS'), { code: 'E1', command: { name: 'auth', args: ['opensit'] } })
  const cause = Object.assign(new Error('in the way'), { detail: 'Failing row contains (opensit)' })
  for (const err of [refused, new Error('outer', { cause }), new AggregateError([refused], '')]) logger.warn({ err }, 'it failed')
  assert.not.match(lines.join(''), /opensit/)
  const [one, two, three] = lines.map((line) => JSON.parse(line).err)
  assert.equal([one.message, one.code, two.message], ['WRONGPASS', 'E1', 'outer: in the way'])
  assert.match(one.stack, 'log.ts')
  assert.is(three.aggregateErrors[0].message, 'WRONGPASS')
})

log('a request has one line; health checks and the reading of metrics have none, unless they are refused', async () => {
  const lines: string[] = []
  const logger = createLog({ level: 'info', write: (line) => void lines.push(line) })
  const config = readConfig({ METRICS_TOKEN: 'a-token-of-the-tests-alone' })
  const api = async (app: FastifyInstance) => {
    app.get('/api/v1/thing', async () => 'thing')
    app.get('/health/ready', async () => 'ok')
  }
  const app = await createApp({ backend: { api }, config: { ...config, role: 'api' }, log: logger, publicDir: '/nowhere' })
  const authorization = 'Bearer a-token-of-the-tests-alone'
  for (const [url, headers] of [['/api/v1/thing'], ['/health/ready'], ['/metrics', { authorization }], ['/metrics']] as const)
    await app.inject({ url, headers: headers ?? {} })
  await app.close()
  assert.equal(
    lines.map((line) => JSON.parse(line) as { url: string; status: number }).map(({ status, url }) => [url, status]),
    [
      ['/api/v1/thing', 200],
      ['/metrics', 401],
    ],
  )
})

log.run()
