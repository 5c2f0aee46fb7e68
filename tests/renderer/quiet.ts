/** When a page counts as settled: by its requests and by its scripts, without a browser. */
import { EventEmitter } from 'node:events'
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

quiet.run()
