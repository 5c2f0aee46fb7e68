import { getEventListeners } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pauseUntilOnline } from '#web/runs/shared/pause-until-online.ts'

const pause = suite('the pause before a stream is opened again')

const LONG_MS = 3_600_000

function start(ms: number) {
  const network = new EventTarget()
  const stop = new AbortController()
  return {
    network,
    stop,
    ended: pauseUntilOnline(ms, stop.signal, network),
    listeners: () => getEventListeners(network, 'online').length + getEventListeners(stop.signal, 'abort').length,
  }
}

pause('a pause that has ended listens to nothing any more', async () => {
  const { ended, listeners } = start(1)
  assert.is(listeners(), 2)
  await ended
  assert.is(listeners(), 0)
})

pause('it ends early when the network is back', async () => {
  const { ended, listeners, network } = start(LONG_MS)
  network.dispatchEvent(new Event('online'))
  await ended
  assert.is(listeners(), 0)
})

pause('it ends early when it is aborted, and at once if it was before', async () => {
  const { ended, listeners, network, stop } = start(LONG_MS)
  stop.abort()
  await ended
  assert.is(listeners(), 0)
  await pauseUntilOnline(LONG_MS, stop.signal, network)
  assert.is(listeners(), 0)
})

pause.run()
