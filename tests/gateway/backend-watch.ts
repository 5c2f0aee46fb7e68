import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readConfig } from '#config/read-config.ts'
import { createApp } from '#gateway/app.ts'
import { askBackend } from '#gateway/backend-watch.ts'
import { createLog } from '#gateway/log.ts'
import { startMockBackend } from '#tests/support/stubs/mock-backend.ts'
import { freePort } from '#tests/support/stubs/path-proxy.ts'
import { until } from '#tests/support/until.ts'

const watched = suite('watch of BACKEND_URL')

watched('a backend that answers is well, also while it is in trouble', async () => {
  const mock = await startMockBackend()
  assert.is(await askBackend(mock.url)(), null)
  mock.set('GET /api/v1/common/settings', { status: 503, body: Buffer.from('{}') })
  assert.is(await askBackend(mock.url)(), null)
  await mock.close()
})

watched('a URL at which nothing listens, or something else, is named with what to do', async () => {
  const other = createServer((_request, response) => void response.writeHead(404).end())
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  assert.match(
    (await askBackend(url)()) ?? '',
    /^BACKEND_URL is http:\S+, where no API answers \(status 404 .* set it to the URL of a process with ROLE=api$/,
  )
  other.close()
  const refusing = `http://127.0.0.1:${await freePort()}`
  assert.is(
    await askBackend(refusing)(),
    `BACKEND_URL is ${refusing}, which cannot be reached (ECONNREFUSED): API calls get 502 until it can`,
  )
})

watched('a gateway without its backend says so in the log and in its health check, and is ready to serve pages', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', write: (line) => void lines.push(line) })
  const BACKEND_URL = `http://127.0.0.1:${await freePort()}`
  const app = await createApp({ config: readConfig({ ROLE: 'gateway', BACKEND_URL }), log, publicDir: '/nowhere' })
  await until(() => lines.some((line) => line.includes('"level":"warn"') && line.includes('BACKEND_URL is')))
  const ready = await app.inject('/health/ready')
  assert.equal([ready.statusCode, ready.json()], [200, { status: 'ok', checks: { backend: 'failed' } }])
  await app.close()
})

watched.run()
