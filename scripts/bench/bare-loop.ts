/** The least that any crawler must do: ask for every page of a list and unpack it. Prints pages a second and CPU seconds. */
import { gunzipSync } from 'node:zlib'
import { Pool } from 'undici'

const [base = '', width = '32'] = process.argv.slice(2)
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
    bytes += gunzipSync(Buffer.from(await body.arrayBuffer()), { maxOutputLength: 10 ** 7 }).length
  }
}
