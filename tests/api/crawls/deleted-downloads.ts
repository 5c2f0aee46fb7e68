/** Files of a run that is deleted while they are downloaded: they break off, because a file that looks complete must be complete. */
import fastify from 'fastify'
import * as assert from 'uvu/assert'
import { createCrawlFiles } from '#backend/crawls/crawl-files.ts'
import { sendError } from '#backend/http/reply.ts'
import { sendPieces } from '#backend/http/send-pieces.ts'
import type { Database } from '#backend/platform/database/database.ts'
import type { Pieces } from '#backend/platform/database/readers.ts'
import type { Run } from '#backend/runs/run.ts'
import { whileStored } from '#backend/runs/while-stored.ts'
import { createSiteFiles } from '#backend/sitemaps/site-files.ts'
import { startCrawlApp } from '#tests/support/crawl-app.ts'
import { suite } from '#tests/support/suite.ts'

const downloads = suite('downloads of deleted runs')

/** More results than one read of an archive returns. */
const PAGES = 110
const app = await startCrawlApp()

async function crawlOfMany(): Promise<Run> {
  const { id, no } = await app.started()
  const pages = Array.from({ length: PAGES }, (_, n) => ({ url: `https://shop.example/${n}`, title: 'T', document: { markdown: 'x' } }))
  await app.engine.commit(no, { pages })
  return app.runs.readById('crawl', id)
}

/** What a deletion does: the mark at once, then row after row. */
async function remove({ no }: Run, database: Database) {
  await database.updateTable('run').set({ deletedAt: 1 }).where('no', '=', no).execute()
  for (const table of ['page', 'runUrl'] as const) await database.deleteFrom(table).where('runNo', '=', no).execute()
}

async function textOf(pieces: Pieces): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += Buffer.from(piece).toString('latin1')
  return text
}

const faultOf = (work: () => Promise<unknown>) =>
  work().then(
    () => 'none',
    (fault: Error) => fault.message,
  )

const { database } = app
const files = createCrawlFiles(database)
const sites = createSiteFiles(database)

const FORMS: Record<string, (run: Run) => Pieces> = {
  ...Object.fromEntries(
    (['json', 'markdown', 'jsonl', 'llms'] as const).map((format) => [
      `archive (${format})`,
      (run: Run) => files.archive(format, run, null),
    ]),
  ),
  'extracted data': (run) => files.extractions('json', run),
  'list of links': files.list,
  'tree of links': files.tree,
  'Markdown list of links': (run) => files.markdown(run, { asJson: false }),
  'export of results (csv)': (run) => files.exported(run, 'results', 'csv'),
  'export of results (jsonl)': (run) => files.exported(run, 'results', 'jsonl'),
  'export of URLs (csv)': (run) => files.exported(run, 'urls', 'csv'),
  'export of URLs (jsonl)': (run) => files.exported(run, 'urls', 'jsonl'),
  'sitemap (json)': ({ no }) => sites.list(no),
  'sitemap (tree)': ({ no }) => sites.tree(no),
  'sitemap (xml)': ({ no }) => sites.urlset(no, { from: 0, to: 10 }),
}

for (const [name, make] of Object.entries(FORMS))
  downloads(`${name}: breaks off when its run is deleted after the first piece`, async () => {
    const run = await crawlOfMany()
    const source = make(run)[Symbol.asyncIterator]()
    const first = await source.next()
    assert.not.ok(first.done)
    await remove(run, database)
    assert.match(await faultOf(() => textOf({ [Symbol.asyncIterator]: () => source })), /deleted/)
  })

downloads('no file of a run that stays breaks off', async () => {
  const run = await crawlOfMany()
  for (const [name, make] of Object.entries(FORMS)) assert.ok((await textOf(make(run))).length > 0, name)
})

downloads('a long download notices the deletion within seconds, not only at its end', async () => {
  const run = await crawlOfMany()
  let at = 0
  async function* endless() {
    for (;;) yield 'piece'
  }
  const source = whileStored(database, run.no, endless(), () => at)
  for (let n = 0; n < 10; n += 1) assert.is((await source.next()).value, 'piece')
  await remove(run, database)
  assert.is((await source.next()).value, 'piece')
  at = 6000
  assert.match(await faultOf(() => source.next()), /deleted/)
})

downloads('a part that is missing because the run is deleted is reported as the deletion; another fault stays as it is', async () => {
  const run = await crawlOfMany()
  async function* broken() {
    yield 'piece'
    throw new Error('A document is missing.')
  }
  const read = () => textOf(whileStored(database, run.no, broken()))
  assert.match(await faultOf(read), 'A document is missing.')
  await remove(run, database)
  assert.match(await faultOf(read), 'The job was deleted')
})

downloads('a file of a run that is deleted before the first piece is 404; a later deletion is no error in the log', async () => {
  const lines: { level: number; msg: string }[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) }
  const server = fastify({ logger: { level: 'info', stream } })
  server.setErrorHandler((error, _request, reply) => sendError(reply, error))
  const run = await crawlOfMany()
  async function* deleting() {
    yield 'piece'
    await remove(run, database)
  }
  // A reader thread joins the pieces of a short file, so it fails with its first one.
  async function* nothing() {}
  server.get('/first', (_request, reply) => sendPieces(reply, whileStored(database, run.no, deleting())))
  server.get('/second', (_request, reply) => sendPieces(reply, whileStored(database, run.no, nothing())))
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  assert.is.not(await faultOf(async () => (await fetch(`${url}/first`)).text()), 'none')
  assert.is((await fetch(`${url}/second`)).status, 404)
  assert.equal(
    lines.filter(({ msg }) => !/^(incoming request|request completed|Server listening)/.test(msg)).map(({ level, msg }) => [level, msg]),
    [[30, 'a download was broken off']],
  )
  await server.close()
})

downloads.run()
