/** How the gateway closes: at once if no request is open, and never delayed by a silent connection. */
import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createApp } from '#gateway/app.ts'
import { createLog } from '#gateway/log.ts'
import { readConfig } from '#config/read-config.ts'

const closing = suite('closing the gateway')

closing('connections that are silent or idle are closed', async () => {
  const config = readConfig({ BACKEND_URL: 'http://127.0.0.1:9', SERVE_FRONTEND: 'false' })
  const app = await createApp({ config, log: createLog({ level: 'silent' }), publicDir: import.meta.dirname })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const dialled = once(app.server, 'connection')
  const silent = connect(port, '127.0.0.1')
  await dialled
  const kept = connect(port, '127.0.0.1')
  kept.write('GET /health/live HTTP/1.1\r\nHost: a.test\r\n\r\n')
  await once(kept, 'data')
  const gone = [once(silent, 'close'), once(kept, 'close')]
  const from = performance.now()
  await app.close()
  await Promise.all(gone)
  assert.ok(performance.now() - from < 10_000)
})

closing.run()
