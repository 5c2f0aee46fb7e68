// Captured files of a page: listed with its result, opened by a signed link, deleted with its crawl.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createCrawl, downloadCrawl, getResult, listResults, stopCrawl } from '#contract/crawls.ts'
import { fillPath } from '#contract/endpoint.ts'
import { scrapePage } from '#contract/scrape.ts'
import { attachmentKey } from '#backend/crawls/attachments.ts'
import { keepsCaptures } from '#backend/crawls/keep-captures.ts'
import { localBlobs, openBlobs } from '#backend/platform/blobs/open-blobs.ts'
import type { BlobPlace } from '#backend/platform/blobs/open-blobs.ts'
import { createIds } from '#backend/platform/ids.ts'
import { startApp } from '#tests/support/app.ts'
import type { App, Caller } from '#tests/support/app.ts'
import { engineRows } from '#tests/support/engine/engine-rows.ts'
import { startS3 } from '#tests/support/stubs/servers.ts'
import { unzip } from '#tests/support/unzip.ts'
import { until } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'

const SITE = 'http://127.0.0.1:8080/'
const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const server = await startS3()

/** The product with blobs in a folder or a bucket. */
const PLACES = {
  'in the data folder': async () => withBlobs(await startApp()),
  'in a bucket': async () => {
    const blobs = { kind: 's3', ...server.placeOf(`${randomUUID()}/`) } as const
    return withBlobs(await startApp({ config: { blobPlace: blobs } }), blobs)
  },
}
const withBlobs = (app: App, blobs: BlobPlace = localBlobs(app.dataDir)) => ({ ...app, blobs })
type Opened = ReturnType<typeof withBlobs>

/** A crawl with two pages, of which the first has a screenshot and a PDF. */
async function crawlWith(app: Opened, as: Caller) {
  const { database } = app.backend
  const { body } = await app.call(createCrawl, { as, body: { url: SITE } })
  const engine = engineRows({ bus: { publish: () => undefined }, database, now: Date.now })
  const no = await engine.take(body.uuid)
  await engine.commit(no, { pages: [{ url: SITE }, { url: `${SITE}b` }] })
  const newId = createIds(Date.now)
  const keep = async (file: { runNo: number; pageNo: number; type: 'screenshot' | 'pdf'; filename: string }, content: Buffer) => {
    const id = newId()
    const { bytes } = await openBlobs(app.blobs).put(attachmentKey(file.runNo, id), content)
    await database
      .insertInto('runBlob')
      .values({ ...file, id, bytes, createdAt: Date.now() })
      .execute()
  }
  const pageNo = no * 2 ** 24 + 1
  await keep({ runNo: no, pageNo, type: 'screenshot', filename: 'screenshot.png' }, PNG)
  await keep({ runNo: no, pageNo, type: 'pdf', filename: 'page.pdf' }, Buffer.from('%PDF-1.7'))
  await engine.commit(no, { end: { status: 'finished' } })
  return { id: body.uuid, no, pageNo, keep }
}

async function files({ blobs }: Opened): Promise<string[]> {
  const found: string[] = []
  for await (const { key } of openBlobs(blobs).list('')) found.push(key)
  return found
}

const scraped = suite('attachments of a scrape')
scraped('the answer of a scrape has links to the captured files, as the list of results has', async () => {
  const app = withBlobs(await startApp())
  const me = await app.signIn()
  const { id } = await crawlWith(app, me)
  const { body } = await app.call(scrapePage, { as: me, body: { url: SITE, max_age: 3600 } })
  assert.equal([body.cache, body.crawl_request], ['hit', id])
  assert.equal(
    body.attachments.map(({ attachment_type, filename }) => [attachment_type, filename]),
    [
      ['screenshot', 'screenshot.png'],
      ['pdf', 'page.pdf'],
    ],
  )
  const link = new URL(body.attachments[0]!.attachment)
  assert.equal((await app.http.inject({ url: link.pathname + link.search })).rawPayload, PNG)
})
scraped.run()

const names = suite('names of captured files')
names('a capture is named after its page as people read its URL, without the query', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'captures-'))
  const path = join(folder, 'capture')
  const { keep } = keepsCaptures({ blobs: openBlobs(localBlobs(folder)), newId: randomUUID })
  const nameOf = async (url: string, type: 'screenshot' | 'pdf') => {
    writeFileSync(path, PNG)
    return (await keep({ path, type, bytes: PNG.length }, 1, url)).filename
  }
  try {
    assert.is(
      await nameOf('https://xn--mnchen-3ya.example/%C3%BCber/stra%C3%9Fe?key=secret', 'screenshot'),
      'münchen.example_über_straße.png',
    )
    assert.is(await nameOf('https://shop.example/%E8%8C%B6', 'pdf'), 'shop.example_茶.pdf')
    assert.is(await nameOf('https://shop.example/..%2F%22%0D%0A%5C%00.exe', 'pdf'), 'shop.example_._.exe.pdf')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

names('the link of a capture names its file in both forms of RFC 6266, and no name ends its header early', async () => {
  const app = withBlobs(await startApp())
  const me = await app.signIn()
  const { id, keep, no, pageNo } = await crawlWith(app, me)
  for (const filename of ['shop.example_茶.png', 'a"; x="b\\\r\n.png'])
    await keep({ runNo: no, pageNo: pageNo + 1, type: 'screenshot', filename }, PNG)
  const { body } = await app.call(listResults, { as: me, params: { id } })
  const links = body.results[1]!.attachments.map(({ attachment }) => new URL(attachment))
  const replies = await Promise.all(links.map(({ pathname, search }) => app.http.inject({ url: pathname + search })))
  assert.equal(
    replies.map(({ headers }) => headers['content-disposition']),
    [
      `inline; filename="shop.example__.png"; filename*=UTF-8''shop.example_%E8%8C%B6.png`,
      `inline; filename="a_; x=_b__.png"; filename*=UTF-8''a%22%3B%20x%3D%22b%5C%0D%0A.png`,
    ],
  )
})
names.run()

const away = suite('attachments of results while the bucket cannot be reached')
away('their links answer 503 with Retry-After, and lists answer as before', async () => {
  const place = { kind: 's3', ...server.placeOf(`${randomUUID()}/`) } as const
  // Nothing listens on this port, to which users cannot connect either.
  const app = withBlobs(await startApp({ config: { blobPlace: { ...place, endpoint: 'http://127.0.0.1:1' } } }), place)
  const me = await app.signIn()
  const { id } = await crawlWith(app, me)
  const { body } = await app.call(listResults, { as: me, params: { id } })
  const link = new URL(body.results[0]!.attachments[0]!.attachment)
  const refused = await app.http.inject({ url: link.pathname + link.search })
  assert.equal([refused.statusCode, refused.headers['retry-after']], [503, '5'])
  assert.match(refused.body, 'The store of captured files does not answer')
})
away.run()

for (const [place, open] of Object.entries(PLACES)) {
  const attachments = suite(`attachments of results, ${place}`)

  attachments('lists and single results contain the attachments, embedded or not, and their links open the stored files', async () => {
    const app = await open()
    const me = await app.signIn()
    const { id } = await crawlWith(app, me)
    for (const query of [{}, { prefetched: true }] as Record<string, boolean>[]) {
      const { body } = await app.call(listResults, { as: me, params: { id }, query })
      assert.equal(
        body.results.map((result) => result.attachments.map(({ attachment_type: type, filename }) => [type, filename])),
        [
          [
            ['screenshot', 'screenshot.png'],
            ['pdf', 'page.pdf'],
          ],
          [],
        ],
        JSON.stringify(query),
      )
      const resultId = body.results[0]?.uuid ?? ''
      const one = await app.call(getResult, { as: me, params: { id, resultId }, query })
      assert.equal(
        one.body.attachments.map(({ uuid }) => uuid),
        body.results[0]?.attachments.map(({ uuid }) => uuid),
      )
    }
    const { body } = await app.call(listResults, { as: me, params: { id } })
    const [png, pdf] = (body.results[0]?.attachments ?? []).map(({ attachment }) => new URL(attachment))
    const opened = await app.http.inject({ url: png!.pathname + png!.search })
    assert.equal(
      [opened.statusCode, opened.headers['content-type'], opened.headers['content-length']],
      [200, 'image/png', String(PNG.length)],
    )
    assert.equal(opened.rawPayload, PNG)
    assert.is(opened.headers['x-content-type-options'], 'nosniff')
    assert.match(String(opened.headers['content-security-policy']), 'sandbox')
    assert.is((await app.http.inject({ url: pdf!.pathname + pdf!.search })).headers['content-type'], 'application/pdf')
    // The signature of one link does not open another file.
    assert.is((await app.request('GET', pdf!.pathname + png!.search)).status, 403)
    assert.is((await app.request('GET', png!.pathname)).status, 403)
  })

  attachments('HEAD answers the size and the type of a file without opening it', async () => {
    const app = await open()
    const me = await app.signIn()
    const { id } = await crawlWith(app, me)
    const { body } = await app.call(listResults, { as: me, params: { id } })
    const link = new URL(body.results[0]!.attachments[0]!.attachment)
    const blobs = openBlobs(app.blobs)
    for await (const { key } of blobs.list('')) await blobs.delete(key)
    const url = link.pathname + link.search
    const head = await app.http.inject({ method: 'HEAD', url })
    assert.equal(
      [head.statusCode, head.headers['content-type'], head.headers['content-length'], head.body],
      [200, 'image/png', String(PNG.length), ''],
    )
    assert.is((await app.http.inject({ url })).statusCode, 404)
  })

  attachments('the archive contains attachments on request, in a folder, each under a unique name', async () => {
    const app = await open()
    const me = await app.signIn()
    const { id, no, keep } = await crawlWith(app, me)
    await keep({ runNo: no, pageNo: no * 2 ** 24 + 2, type: 'screenshot', filename: 'screenshot.png' }, PNG)
    const download = async (query: string) =>
      unzip(
        (await app.http.inject({ url: `${fillPath(downloadCrawl.path, { id })}${query}`, headers: { 'x-api-key': me.apiKey } })).rawPayload,
      )
    assert.equal(
      [...(await download('')).keys()].filter((name) => name.startsWith('attachments/')),
      [],
    )
    // Python writes flags with a capital letter.
    for (const flag of ['true', 'True', '1']) {
      const entries = await download(`?attachments=${flag}`)
      assert.equal(
        [...entries.keys()].filter((name) => name.startsWith('attachments/')),
        ['attachments/screenshot.png', 'attachments/page.pdf', 'attachments/screenshot-2.png'],
        flag,
      )
    }
  })

  attachments(
    'deleting a crawl ends the links of its attachments at once, then removes rows and files; those of other crawls stay',
    async () => {
      const app = await open()
      const me = await app.signIn()
      const [deleted, kept] = [await crawlWith(app, me), await crawlWith(app, me)]
      assert.is((await files(app)).length, 4)
      const { body } = await app.call(listResults, { as: me, params: { id: deleted.id } })
      const link = new URL(body.results[0]?.attachments[0]?.attachment ?? '')
      await app.call(stopCrawl, { as: me, params: { id: deleted.id }, query: { purge: true } })
      assert.is((await app.request('GET', link.pathname + link.search)).status, 404)
      await until(async () => (await files(app)).length === 2)
      const { database } = app.backend
      await until(async () => (await database.selectFrom('run').select('no').where('no', '=', deleted.no).execute()).length === 0)
      const rows = await database.selectFrom('runBlob').select('runNo').execute()
      assert.equal(
        rows.map(({ runNo }) => runNo),
        [kept.no, kept.no],
      )
      const still = (await app.call(listResults, { as: me, params: { id: kept.id } })).body.results[0]?.attachments[0]?.attachment ?? ''
      const { pathname, search } = new URL(still)
      assert.is((await app.http.inject({ url: pathname + search })).statusCode, 200)
    },
  )

  if (place === 'in a bucket') attachments.after(() => server.close())
  attachments.run()
}
