import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openShared } from '#backend/open-shared.ts'
import { localBus } from '#backend/platform/events/event-bus.ts'
import type { EventBus, RunHint } from '#backend/platform/events/event-bus.ts'
import { redisBus } from '#backend/platform/events/redis-bus.ts'
import { connectRedis } from '#backend/platform/redis/redis.ts'
import type { Redis } from '#backend/platform/redis/redis.ts'
import { startRedis } from '#tests/support/stubs/servers.ts'
import { until } from '#tests/support/until.ts'

const server = await startRedis()
const connections: Redis[] = []
const warnings: string[] = []

function connect(name: string): Redis {
  const connection = connectRedis({ url: server.url, name, warn: (_, message) => void warnings.push(message) })
  connections.push(connection)
  return connection
}

let channels = 0
/** The bus of a process of its own. */
const processBus = (channel = `test:${(channels += 1)}`) =>
  redisBus({ publisher: connect('commands'), subscriber: connect('events'), channel })

const ADAPTERS: Record<string, () => EventBus> = { 'in process': localBus, 'over Redis': processBus }

for (const [name, open] of Object.entries(ADAPTERS)) {
  const bus = suite(`event bus, ${name}`)
  const hint = (runNo: number, eventSeq: number): RunHint => ({ runNo, eventSeq, status: 'running' })

  bus('a hint reaches every listener of its run, in order, and no others', () => {
    const { publish, subscribe } = open()
    const [one, two, other]: RunHint[][] = [[], [], []]
    subscribe(1, (each) => one?.push(each))
    subscribe(1, (each) => two?.push(each))
    subscribe(2, (each) => other?.push(each))
    for (const eventSeq of [1, 2, 3]) publish(hint(1, eventSeq))
    assert.equal(one, [hint(1, 1), hint(1, 2), hint(1, 3)])
    assert.equal(two, one)
    assert.equal(other, [])
  })

  bus('a hint reaches neither former nor later listeners, and a listener that unsubscribes does not affect the others', () => {
    const { publish, subscribe } = open()
    const heard: string[] = []
    const leave = subscribe(1, () => {
      heard.push('first')
      leave()
    })
    subscribe(1, () => void heard.push('second'))
    publish(hint(1, 1))
    publish(hint(1, 2))
    subscribe(1, () => void heard.push('late'))
    leave()
    assert.equal(heard, ['first', 'second', 'second'])
  })

  bus('a listener to all runs gets the hints of each run until it unsubscribes', () => {
    const { publish, subscribeAll } = open()
    const heard: RunHint[] = []
    const leave = subscribeAll((each) => void heard.push(each))
    publish(hint(1, 1))
    publish(hint(2, 1))
    leave()
    publish(hint(1, 2))
    assert.equal(heard, [hint(1, 1), hint(2, 1)])
  })

  bus('a hint without listeners is accepted', () => {
    open().publish(hint(7, 1))
  })

  bus.run()
}

const across = suite('event bus, between processes')
const hintOf = (runNo: number, eventSeq: number): RunHint => ({ runNo, eventSeq, status: 'running' })

/** Two processes that get each other's events. */
async function pair() {
  const channel = `test:${(channels += 1)}`
  const [one, other] = [processBus(channel), processBus(channel)]
  const heard: RunHint[] = []
  const leave = other.subscribe(0, (each) => void heard.push(each))
  await until(() => {
    one.publish(hintOf(0, 0))
    return heard.length > 0
  })
  leave()
  return { one, other }
}

across('installations may share a Redis, even in one of its databases: each hears its own events only', async () => {
  const open = (secretKey: string, database = 0) =>
    openShared({ redisUrl: new URL(`/${database}`, server.url).href, secretKey }, { warn: () => undefined }, () => performance.now())
  const all = await Promise.all([open('one'), open('one'), open('two'), open('two'), open('three', 1), open('three', 1)])
  const heard = all.map(({ bus }) => {
    const numbers: number[] = []
    bus.subscribeAll(({ runNo }) => void numbers.push(runNo))
    return numbers
  })
  // Each pair until both hear each other.
  await until(() => {
    for (const [at, { bus }] of all.entries()) bus.publish(hintOf(at, 0))
    return all.every((_, at) => heard[at]!.includes(at ^ 1))
  })
  for (const [at, numbers] of heard.entries()) assert.equal(new Set(numbers), new Set([at, at ^ 1]))
  for (const { close } of all) await close()
})

across('each process gets the events of the other once and in order, and its own events only once', async () => {
  const { one, other } = await pair()
  const [here, there, all]: [RunHint[], RunHint[], RunHint[]] = [[], [], []]
  one.subscribe(1, (each) => void here.push(each))
  other.subscribe(1, (each) => void there.push(each))
  other.subscribeAll((each) => void (each.runNo !== 0 && all.push(each)))
  const sent = Array.from({ length: 200 }, (_, at) => hintOf(1 + (at % 2), at))
  for (const each of sent) {
    one.publish(each)
    if (each.eventSeq % 7 === 0) await new Promise(setImmediate)
  }
  await until(() => all.length >= sent.length)
  // A hint of its own that came back would come before this one.
  other.publish(hintOf(1, 1000))
  await until(() => here.at(-1)?.eventSeq === 1000)
  const ofRun = sent.filter(({ runNo }) => runNo === 1)
  assert.equal(here, [...ofRun, hintOf(1, 1000)])
  assert.equal(there, [...ofRun, hintOf(1, 1000)])
  assert.equal(all, [...sent, hintOf(1, 1000)])
})

across(
  'without Redis each process notifies its own listeners, nothing throws, and afterwards the processes notify each other again',
  async () => {
    const { one, other } = await pair()
    const [here, there]: [number[], number[]] = [[], []]
    one.subscribe(1, ({ eventSeq }) => void here.push(eventSeq))
    other.subscribe(1, ({ eventSeq }) => void there.push(eventSeq))
    for (const connection of connections) connection.disconnect(true)
    one.publish(hintOf(1, 1))
    assert.equal(here, [1])
    let no = 1
    await until(() => {
      one.publish(hintOf(1, (no += 1)))
      return there.length > 0
    })
    assert.equal(
      there,
      there.toSorted((a, b) => a - b),
    )
    assert.is(here.length, no)
  },
)

across.after(async () => {
  for (const connection of connections) connection.disconnect()
  await server.close()
})
across.run()
