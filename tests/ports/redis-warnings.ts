import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connectRedis } from '#backend/platform/redis/redis.ts'
import { redisWarnings } from '#backend/platform/redis/redis-warnings.ts'
import { startRedis } from '#tests/support/stubs/servers.ts'

const redis = suite('warnings about Redis')
const server = await startRedis()
const client = connectRedis({ url: server.url, name: 'test', warn: () => undefined })
await new Promise((resolve) => client.once('ready', resolve))
redis.after(async () => {
  client.disconnect()
  await server.close()
})

redis('a server that may drop keys gets a warning; one without a limit, or that refuses writes instead, does not', async () => {
  await client.config('SET', 'maxmemory', '0', 'maxmemory-policy', 'allkeys-lru')
  assert.equal(await redisWarnings(client), [])
  await client.config('SET', 'maxmemory', '104857600')
  const warnings = await redisWarnings(client)
  assert.match(
    warnings.join(),
    /^the Redis of REDIS_URL may drop keys .*\(maxmemory-policy allkeys-lru\), .*: set maxmemory-policy to noeviction$/,
  )
  await client.config('SET', 'maxmemory-policy', 'noeviction')
  assert.equal(await redisWarnings(client), [])
})

redis('an old version gets a warning, and a server that does not tell gets none', async () => {
  const info = (text: string) => redisWarnings({ info: async () => text } as never)
  assert.match((await info('redis_version:4.0.9\r\nmaxmemory:0\r\n')).join(), /is version 4\.0\.9, but must be 5 or later/)
  assert.equal(await info('redis_version:7.2.4\r\nserver_name:valkey\r\n'), [])
  assert.equal(await redisWarnings({ info: async () => Promise.reject(new Error('NOPERM')) } as never), [])
})

redis.run()
