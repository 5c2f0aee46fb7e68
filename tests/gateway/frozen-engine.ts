/** The engine's process inside the product: frozen in the middle of a crawl, it is killed and replaced. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { login } from '#contract/accounts.ts'
import { createCrawl, getCrawl, stopCrawl } from '#contract/crawls.ts'
import { fillPath } from '#contract/endpoint.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'

const frozen = suite('a frozen engine')

frozen('O7: a frozen engine is killed and replaced, delays no API call, and loses no work queued meanwhile', async () => {
  const site = await startSite({ '/': { body: pageOf('Home'), until: new Promise(() => undefined) } })
  const product = await startProduct()
  try {
    const signedIn = (await ask('POST', login.path, OWNER)) as { body: { access: string } }
    const headers = { authorization: `Bearer ${signedIn.body.access}` }
    const body = { url: site.url('/'), options: { spider_options: {}, page_options: {}, plugin_options: {} } }
    const run = (await ask('POST', createCrawl.path, body, headers)).body as { uuid: string }
    const path = fillPath(getCrawl.path, { id: run.uuid })
    const statusOf = async () => ((await ask('GET', path, undefined, headers)).body as { status: string }).status
    await until(async () => (await statusOf()) === 'running')
    const [engine = 0] = enginesOf(product.pid)
    await until(async () => isFrozenOutsideCommit(engine, join(product.dataDir, 'seine.db')))

    assert.is((await ask('DELETE', fillPath(stopCrawl.path, { id: run.uuid }), undefined, headers)).status, 204)
    assert.is((await ask('GET', '/health/ready')).status, 200)
    const next = await ask('POST', createCrawl.path, body, headers)
    assert.is(next.status, 201)
    assert.equal(enginesOf(product.pid), [engine], 'all of this was answered while it was frozen')
    await until(async () => (await statusOf()) === 'canceled')
    const now = enginesOf(product.pid)
    assert.is(now.length, 1)
    assert.is.not(now[0], engine)
    const nextPath = fillPath(getCrawl.path, { id: (next.body as { uuid: string }).uuid })
    await until(async () => ((await ask('GET', nextPath, undefined, headers)).body as { status: string }).status === 'running')
    assert.ok(product.said.some((line) => /"level":"error".*the engine does not answer and is killed/.test(line)))
  } finally {
    await product.close()
    await site.close()
  }

  async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const reply = await fetch(product.url + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    return { status: reply.status, body: text === '' ? null : (JSON.parse(text) as unknown) }
  }
})

frozen.run()

/** Freezes the process, unless it is in the middle of a commit: its lock would block all other writers until it is killed. */
function isFrozenOutsideCommit(engine: number, file: string): boolean {
  process.kill(engine, 'SIGSTOP')
  const database = new SQLite(file, { timeout: 0 })
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK')
    return true
  } catch {
    process.kill(engine, 'SIGCONT')
    return false
  } finally {
    database.close()
  }
}

/** The processes of engines below the server's. */
function enginesOf(pid: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  return lines.flatMap((line) => {
    const [, own, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return Number(parent) === pid && args.includes('engine-process') ? [Number(own)] : []
  })
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const late = performance.now() + 60_000
  while (!(await holds())) {
    if (performance.now() > late) throw new Error('waited in vain')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
