/** How the gateway closes: at once if no request is open, and never delayed by a silent connection. */
import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
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

closing('a request that comes on an open connection while the app closes is answered, and the connection is closed', async () => {
  const config = readConfig({ BACKEND_URL: 'http://127.0.0.1:9', SERVE_FRONTEND: 'false' })
  const app = await createApp({ config, log: createLog({ level: 'silent' }), publicDir: import.meta.dirname })
  const [isAsked, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  app.get('/slow', async (_request, reply) => {
    isAsked.resolve()
    await mayAnswer.promise
    return reply.send('slow')
  })
  app.addHook('preClose', async () => {
    const arrived = once(app.server, 'request')
    kept.write('GET /health/live HTTP/1.1\r\nHost: a.test\r\n\r\n')
    await arrived
    mayAnswer.resolve()
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const kept = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  const answers = text(kept)
  kept.write('GET /slow HTTP/1.1\r\nHost: a.test\r\n\r\n')
  await isAsked.promise
  await app.close()
  const [, first = '', second = ''] = (await answers).split('HTTP/1.1 ')
  assert.match(first, /^200 [^]*slow$/)
  assert.match(second, /^200 [^]*connection: close[^]*"status":"ok"/i)
})

closing.run()
