// The product with its Redis and its bucket, through the command that people start.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { text } from 'node:stream/consumers'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { login } from '#contract/accounts.ts'
import { scrapePage } from '#contract/scrape.ts'
import { cleanEnvironment } from '#tests/support/environment.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { startRedis, startS3 } from '#tests/support/stubs/servers.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { START } from '../../scripts/start-command.ts'

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

shared('the product does not start with a key that the bucket refuses, and says so in one line', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'seine-shared-'))
  // Not the call that waits: the bucket is in this process.
  const child = spawn(process.execPath, [...START.flags, START.file], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: cleanEnvironment({
      DATA_DIR: dataDir,
      PORT: '0',
      CHROMIUM_PATH: 'none',
      ...BUCKET,
      AWS_SECRET_ACCESS_KEY: 'wrong',
    }),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [stderr, status] = await Promise.all([text(child.stderr), new Promise((resolve) => child.once('exit', resolve))])
  rmSync(dataDir, { recursive: true })
  assert.is(status, 78, stderr)
  assert.match(stderr, 'BLOB_STORE names the bucket blobs')
  assert.match(stderr, 'SignatureDoesNotMatch')
  assert.is(stderr.trim().split('\n').length, 1, stderr)
})

shared.run()
