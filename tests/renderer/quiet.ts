/** When a page counts as settled: by its requests and by its scripts, without a browser. */
import { EventEmitter } from 'node:events'
import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { watchQuiet } from '#backend/renderer/quiet.ts'

const quiet = suite('when a page has settled')

const REQUEST_MS = 150
const page = () => new EventEmitter()
const requestOf = (type: string) => ({ resourceType: () => type }) as unknown as Request
const watched = (events: EventEmitter) => watchQuiet(events as unknown as Page)

quiet('a page has settled when no request for its text is open; images do not count', async () => {
  const events = page()
  const { requests, settled } = watched(events)
  events.emit('request', requestOf('image'))
  await settled(10_000)
  assert.is(requests(), 0)

  const call = requestOf('fetch')
  events.emit('request', call)
  let isOpen = true
  setTimeout(() => {
    isOpen = false
    events.emit('requestfinished', call)
  }, REQUEST_MS)
  await settled(10_000)
  assert.is(isOpen, false)
  assert.is(requests(), 1)
})

quiet('a page has not settled before its scripts are idle, nor if they start a request until then', async () => {
  const events = page()
  const { settled } = watched(events)
  const calls: Request[] = []
  let asked = 0
  await settled(10_000, async () => {
    asked += 1
    if (asked > 3) return
    const call = requestOf('xhr')
    calls.push(call)
    events.emit('request', call)
    setImmediate(() => events.emit('requestfinished', call))
  })
  assert.is(asked, 4)
  assert.is(calls.length, 3)
})

quiet('a page counts as settled after the given time, whatever it does', async () => {
  const events = page()
  const { settled } = watched(events)
  events.emit('request', requestOf('fetch'))
  await settled(1, async () => assert.unreachable('its scripts are not asked'))
})

/** Time that passes only when the test says so. */
function stillTime() {
  mock.timers.enable({ apis: ['setTimeout'] })
  let now = 1000
  mock.method(performance, 'now', () => now)
  return async (ms: number) => {
    now += ms
    mock.timers.tick(ms)
    await nextTurn()
  }
}
quiet.after.each(() => mock.reset())

for (const end of ['requestfinished', 'requestfailed'])
  quiet(`a page has settled 60 ms after its last request has ended (${end})`, async () => {
    const pass = stillTime()
    const events = page()
    const { settled } = watched(events)
    const [one, other] = [requestOf('fetch'), requestOf('script')]
    events.emit('request', one)
    events.emit('request', other)
    let isSettled = false
    void settled(10_000).then(() => (isSettled = true))
    await pass(500)
    events.emit(end, one)
    await pass(500)
    events.emit(end, other)
    await pass(59)
    assert.is(isSettled, false)
    await pass(1)
    assert.is(isSettled, true)
  })

quiet('the given time is waited in full', async () => {
  const pass = stillTime()
  const events = page()
  const { settled } = watched(events)
  events.emit('request', requestOf('fetch'))
  let isOver = false
  void settled(700, async () => assert.unreachable('its scripts are not asked')).then(() => (isOver = true))
  await pass(699)
  assert.is(isOver, false)
  await pass(1)
  assert.is(isOver, true)
})

quiet.run()
