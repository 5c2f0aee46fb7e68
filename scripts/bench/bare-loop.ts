/**
 * A minimal crawler for comparison: requests and decompresses every page of a list. With `work` as the third argument it also computes
 * everything that Seine stores, in one thread, and discards it. Prints pages per second and CPU seconds.
 */
import { gunzipSync } from 'node:zlib'
import { Pool } from 'undici'
import { createPageParser } from '#backend/crawler/page/parse-page.ts'
import { RULES } from './page.ts'

const [base = '', width = '32', task = ''] = process.argv.slice(2)
const read = task === 'work' ? parsed() : unpacked
const pool = new Pool(base, { connections: Number(width), pipelining: 1 })
const paths = (await (await pool.request({ path: '/manifest.txt', method: 'GET' })).body.text())
  .trim()
  .split('\n')
  .map((url) => new URL(url).pathname)
let next = 0
let bytes = 0
const started = performance.now()
const cpu = process.cpuUsage()
await Promise.all(Array.from({ length: Number(width) }, work))
const seconds = (performance.now() - started) / 1000
const { user, system } = process.cpuUsage(cpu)
console.log(JSON.stringify({ pages: paths.length, seconds, bytes, cpuSeconds: (user + system) / 1e6 }))
await pool.close()

async function work() {
  while (next < paths.length) {
    const path = paths[next]!
    next += 1
    const { body } = await pool.request({ path, method: 'GET', headers: { 'accept-encoding': 'gzip' } })
    bytes += await read(path, new Uint8Array(await body.arrayBuffer()))
  }
}

function unpacked(_path: string, packed: Uint8Array): number {
  return gunzipSync(packed, { maxOutputLength: 10 ** 7 }).length
}

function parsed() {
  const parse = createPageParser(RULES)
  return async (path: string, body: Uint8Array<ArrayBuffer>): Promise<number> => {
    const url = new URL(path, base).href
    const reply = await parse({
      id: 1,
      rules: RULES.name,
      body,
      contentEncoding: 'gzip',
      contentType: 'text/html; charset=utf-8',
      status: 200,
      url,
    })
    if (reply.kind !== 'page') throw new Error(`${url} was not read: ${reply.outcome}`)
    return reply.decodedBytes
  }
}
