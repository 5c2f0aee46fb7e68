/** A database file that is moved away or damaged while the product runs: health and log say so, and no empty one takes its place. */
import { closeSync, existsSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import * as assert from 'uvu/assert'
import { startProduct } from '#tests/support/product.ts'
import { crawlsOf } from '#tests/support/product-crawls.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { until } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'

const lost = suite('a lost database')

const links = Array.from({ length: 40 }, (_, no) => `/${no}`)
const site = await startSite(Object.fromEntries(['/', ...links].map((path) => [path, { body: pageOf(`Page ${path}`, links) }])))

type Product = Awaited<ReturnType<typeof startProduct>>
type Crawls = Awaited<ReturnType<typeof crawlsOf>>

const isReady = async ({ url }: Product) => (await fetch(`${url}/health/ready`)).status === 200
const hasLogged = ({ said }: Product, words: string) => said.some((line) => line.includes('"level":"error"') && line.includes(words))

/** A product with a finished crawl. */
async function withCrawl(work: (product: Product, crawls: Crawls, id: string) => Promise<void>): Promise<void> {
  const product = await startProduct()
  const crawls = await crawlsOf(product)
  const id = await crawls.start(site.url('/'))
  await crawls.ended(id)
  await work(product, crawls, id)
}

/** Overwrites the pages of a table, as a broken disk does. */
function damage(file: string, table: string) {
  const connection = new SQLite(file)
  connection.pragma('wal_checkpoint(TRUNCATE)')
  const places = connection
    .prepare(`SELECT pgoffset FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pgoffset`)
    .pluck()
    .all(table) as number[]
  connection.close()
  const handle = openSync(file, 'r+')
  for (const place of places) writeSync(handle, Buffer.alloc(4096, 255), 0, 4096, place)
  closeSync(handle)
}

lost('a database file that was moved away is reported, and no process creates an empty one in its place', () =>
  withCrawl(async (product, crawls, id) => {
    const file = join(product.dataDir, 'seine.db')
    renameSync(file, `${file}.moved`)
    // A reader thread opens the file.
    const answer = await crawls.results(id).catch(() => 'no answer')
    assert.equal([answer, existsSync(file)], ['no answer', false])
    assert.not(await isReady(product))
    assert.ok(hasLogged(product, 'the database file was moved or replaced'))
  }),
)

lost('damage that a list meets is reported until the product is restarted', () =>
  withCrawl(async (product, crawls, id) => {
    damage(join(product.dataDir, 'seine.db'), 'page_body')
    assert.ok(await isReady(product))
    assert.is(await crawls.results(id).catch(() => 'no answer'), 'no answer')
    assert.not(await isReady(product))
    assert.ok(hasLogged(product, 'the database is damaged'))
  }),
)

lost('damage that the engine meets is reported, too', () =>
  withCrawl(async (product, crawls) => {
    damage(join(product.dataDir, 'seine.db'), 'page_body')
    await crawls.start(site.url('/'))
    await until(async () => !(await isReady(product)))
    assert.ok(hasLogged(product, 'the database is damaged'))
  }),
)

lost.run()
