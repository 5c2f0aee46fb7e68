import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connectRedis } from '#backend/platform/redis/redis.ts'
import { startRedis } from '#tests/support/stubs/servers.ts'
import { until } from '#tests/support/until.ts'

const redis = suite('sign-in at Redis')

redis('a wrong password is reported as such, with the option to correct', async () => {
  const server = await startRedis()
  const warnings: string[] = []
  const admin = connectRedis({ url: server.url, name: 'admin', warn: () => undefined })
  await until(() => admin.status === 'ready')
  await admin.call('ACL', 'SETUSER', 'seine', 'on', '>right', '~*', '&*', '+@all')
  const url = new URL(server.url)
  Object.assign(url, { username: 'seine', password: 'wrong' })
  const connection = connectRedis({ url: url.href, name: 'test', warn: (_, message) => void warnings.push(message) })
  await until(() => warnings.length > 0)
  assert.equal(warnings, [
    'the Redis of REDIS_URL refuses the user or the password: correct them; until then, each process works on its own',
  ])
  connection.disconnect()
  admin.disconnect()
  await server.close()
})

redis.run()
