// The product with its Redis and its bucket, through the command that people start.
import { randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { login } from '#contract/accounts.ts'
import { scrapePage } from '#contract/scrape.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { startRedis, startS3 } from '#tests/support/stubs/servers.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { until } from '#tests/support/until.ts'

const shared = suite('the product with Redis and a bucket')
const s3 = await startS3()
const place = s3.placeOf(`${randomUUID()}/`)
const BUCKET = {
  BLOB_STORE: `s3://${place.bucket}/${place.prefix}?endpoint=${place.endpoint}&region=${place.region}`,
  AWS_ACCESS_KEY_ID: place.accessKeyId,
  AWS_SECRET_ACCESS_KEY: place.secretAccessKey,
}
shared.after(() => s3.close())

shared('the product crawls with a Redis that works, was emptied, or has ended, and stops in time without Redis', async () => {
  const site = await startSite({ '/': pageOf('One'), '/two': pageOf('Two'), '/three': pageOf('Three') })
  const redis = await startRedis()
  const product = await startProduct({ REDIS_URL: redis.url, ...BUCKET, LOG_LEVEL: 'warn' })
  try {
    const post = async (path: string, body: object, access?: string) => {
      const answer = await fetch(product.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(access && { authorization: `Bearer ${access}` }) },
        body: JSON.stringify(body),
      })
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    }
    const { access } = (await post(login.path, OWNER)).body as { access: string }
    const scrape = (path: string) => post(scrapePage.path, { url: site.url(path) }, access)
    assert.equal([(await scrape('/')).body['title'], product.said.filter((line) => line.includes('Redis'))], ['One', []])
    await redis.flush()
    assert.is((await scrape('/two')).body['title'], 'Two')
    await redis.close()
    assert.is((await scrape('/three')).body['title'], 'Three')
    assert.is((await post(login.path, OWNER)).status, 200, 'limits are counted without it')
  } finally {
    await product.close()
    await redis.close()
    await site.close()
  }
})

shared('the product starts with a key that the bucket refuses, since only captured files need it; one line names the options', async () => {
  const product = await startProduct(
    { CHROMIUM_PATH: 'none', LOG_LEVEL: 'warn', ...BUCKET, AWS_SECRET_ACCESS_KEY: 'wrong' },
    { installed: false },
  )
  const warnings = () => product.said.filter((line) => line.includes('"level":"warn"') && line.includes('BLOB_STORE'))
  await until(() => warnings().length > 0)
  const ready = await fetch(`${product.url}/health/ready`)
  assert.equal([ready.status, ((await ready.json()) as { checks: { bucket: string } }).checks.bucket], [200, 'failed'])
  assert.match(warnings().join(), /BLOB_STORE names the bucket blobs .*SignatureDoesNotMatch.*: correct AWS_ACCESS_KEY_ID/)
  assert.is(warnings().length, 1)
  await product.close()
})

shared.run()
