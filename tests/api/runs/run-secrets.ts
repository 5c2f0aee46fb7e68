/** What the API shows of a run's headers and of credentials in its URLs: a mask, everywhere. */
import * as assert from 'uvu/assert'
import { CRAWLS, startCrawlApp } from '#tests/support/crawl-app.ts'
import { suite } from '#tests/support/suite.ts'

const secrets = suite('secrets of runs in answers')
const app = await startCrawlApp()

const URL_WITH_PASSWORD = 'http://anna:s3cret@shop.example/a'
const HEADERS = { Authorization: 'Bearer s3cret', 'X-Plain': 's3cret too' }

secrets('A12: the answer to the start, the crawl and the list show masks instead of secrets', async () => {
  const started = await app.create(URL_WITH_PASSWORD, {}, { extra_headers: HEADERS })
  for (const { status, text } of [
    { status: 200, text: JSON.stringify(started) },
    await app.call('GET', `${CRAWLS}${started.uuid}/`),
    await app.call('GET', CRAWLS),
  ]) {
    assert.is(status, 200)
    assert.not.match(text, /s3cret/)
    assert.match(text, /http:\/\/anna:\*\*\*@shop\.example\/a/)
  }
  assert.equal(started.options.page_options.extra_headers, { Authorization: '***', 'X-Plain': '***' })
})

secrets('A12: the URLs of a batch are masked too, and a result is found by its URL without the password', async () => {
  const urls = ['http://anna:s3cret@one.example/', 'http://two.example/', 'http://token-s3cret@three.example/']
  const { json, status } = await app.call('POST', `${CRAWLS}batch/`, { body: { urls, options: {} } })
  assert.is(status, 201)
  assert.equal(json.urls, ['http://anna:***@one.example/', 'http://two.example/', 'http://***@three.example/'])
  const found = await app.call('GET', `${CRAWLS}?url=${encodeURIComponent('http://one.example/')}`)
  assert.is(found.json.count, 1)
  assert.is(found.json.results[0].uuid, json.uuid)
})

secrets('A12: the same Idempotency-Key returns the same run, though its secrets are hidden', async () => {
  const body = { url: URL_WITH_PASSWORD, options: { page_options: { extra_headers: HEADERS } } }
  const headers = { 'idempotency-key': 'with-secrets' }
  const first = await app.call('POST', CRAWLS, { body, headers })
  const second = await app.call('POST', CRAWLS, { body, headers })
  assert.equal([first.status, second.status, second.json.uuid], [201, 201, first.json.uuid])
})

secrets('A12: a mask is not accepted as a password or header: the real value must be sent again', async () => {
  const url = await app.call('POST', CRAWLS, { body: { url: 'http://anna:***@shop.example/a', options: {} } })
  assert.equal([url.status, url.json.errors], [400, { url: ['The password is not shown: enter it again.'] }])
  const options = { page_options: { extra_headers: { Authorization: '***' } } }
  const header = await app.call('POST', CRAWLS, { body: { url: 'http://shop.example/', options } })
  assert.is(header.status, 400)
  assert.equal(header.json.errors, {
    options: { page_options: { extra_headers: { Authorization: ['The value is not shown: enter it again.'] } } },
  })
  const batch = await app.call('POST', `${CRAWLS}batch/`, { body: { urls: ['http://a.example/', 'http://***@b.example/'], options: {} } })
  assert.equal([batch.status, batch.json.errors], [400, { urls: { 1: ['The password is not shown: enter it again.'] } }])
})

secrets.run()
