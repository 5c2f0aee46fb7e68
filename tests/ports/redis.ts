/** Connections to Redis over a network that fails silently: bytes are lost, and nothing closes the connection. */
import { setImmediate } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { redisBus } from '#backend/platform/events/redis-bus.ts'
import { connectRedis } from '#backend/platform/redis/redis.ts'
import { startDatabaseProxy } from '#tests/support/scale/database-proxy.ts'
import { startName } from '#tests/support/scale/processes.ts'
import { startRedis } from '#tests/support/stubs/servers.ts'
import { until } from '#tests/support/until.ts'

const redis = suite('Redis over a network that loses connections')
const server = await startRedis()
redis.after(() => server.close())

/** A connection through a proxy, and what it has logged. */
async function connectThrough(options: { isBlocking?: boolean } = {}) {
  const proxy = await startDatabaseProxy(server.url)
  const warnings: string[] = []
  const connection = connectRedis({ url: proxy.url, name: 'test', warn: (_, message) => void warnings.push(message), ...options })
  await until(() => connection.status === 'ready')
  return { proxy, warnings, connection, close: () => (connection.disconnect(), proxy.close()) }
}

redis('when answers stop, the connection is given up within seconds, and commands then fail at once', async () => {
  const { proxy, warnings, connection, close } = await connectThrough()
  proxy.set('stall')
  await until(() => (void connection.get('key').catch(() => undefined), warnings.length > 0), 10_000)
  let isRefused = false
  void connection.get('key').catch(() => (isRefused = true))
  await setImmediate()
  assert.ok(isRefused)
  proxy.set('pass')
  await until(() => connection.status === 'ready')
  assert.is(await connection.get('key'), null)
  assert.equal(warnings, ['the Redis of REDIS_URL cannot be reached; it is tried again', 'Redis can be reached again'])
  await close()
})

redis('a process that only listens notices it too, and hears the others again', async () => {
  const { proxy, warnings, connection, close } = await connectThrough()
  const heard: number[] = []
  const publisher = connectRedis({ url: server.url, name: 'publisher', warn: () => undefined })
  redisBus({ publisher, subscriber: connection, channel: 'test' }).subscribeAll(({ eventSeq }) => void heard.push(eventSeq))
  const tell = (eventSeq: number) => {
    const message = { from: 'another process', hints: [{ runNo: 1, eventSeq, status: 'running' }] }
    publisher.publish('test', JSON.stringify(message)).catch(() => undefined)
    return heard.includes(eventSeq)
  }
  await until(() => tell(1))
  proxy.set('stall')
  await until(() => warnings.length > 0)
  proxy.set('pass')
  await until(() => tell(2))
  publisher.disconnect()
  await close()
})

redis('a connection that waits for jobs notices it too, and stays open while no job comes', async () => {
  const { proxy, warnings, connection, close } = await connectThrough({ isBlocking: true })
  assert.is(await connection.bzpopmin('jobs', 10), null)
  assert.equal(warnings, [])
  proxy.set('stall')
  const job = connection.bzpopmin('jobs', 1)
  await until(() => warnings.length > 0)
  proxy.set('pass')
  assert.is(await job, null)
  await close()
})

redis('after a failover, a connection to the old server, which refuses writes now, is opened again and reaches the new one', async () => {
  const [old, next] = [await startRedis(), await startRedis()]
  let current = old
  const name = await startName(() => [current])
  const warnings: string[] = []
  const url = name.url.replace('http:', 'redis:')
  const connection = connectRedis({ url, name: 'test', warn: (_, message) => void warnings.push(message) })
  await until(() => connection.status === 'ready')
  await connection.replicaof('127.0.0.1', new URL(next.url).port)
  current = next
  await until(() =>
    connection.set('key', 'value').then(
      () => true,
      () => false,
    ),
  )
  assert.is(warnings.length, 1, warnings.join('\n'))
  connection.disconnect()
  await name.close()
  await Promise.all([old.close(), next.close()])
})

redis('a user without the right to administrative commands is enough, and nothing is reported', async () => {
  const own = await startRedis()
  const owner = connectRedis({ url: own.url, name: 'owner', warn: () => undefined })
  await until(() => owner.status === 'ready')
  await owner.acl('SETUSER', 'app', 'on', '>secret', '~seine:*', '&seine:*', '+@all', '-@admin', '-@dangerous')
  const warnings: string[] = []
  const url = own.url.replace('//', '//app:secret@')
  const connection = connectRedis({ url, name: 'test', warn: (_, message) => void warnings.push(message) })
  await until(() => connection.status === 'ready')
  await connection.set('seine:key', 'value')
  assert.equal(warnings, [])
  await connection.set('key', 'value').catch(() => undefined)
  await until(() => warnings.length > 0)
  assert.match(warnings[0]!, /Redis refuses commands/)
  for (const one of [connection, owner]) one.disconnect()
  await own.close()
})

redis.run()
