// Loaded before the product by `npm run bench -- requests`: tells how long its event loop has been held since it was last asked.
import { readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** A turn shorter than this is not looked at closely. */
const SHORT_MS = 4

if (isMainThread && process.argv[1]?.endsWith('main.js') && process.send) {
  let at = performance.now()
  let cpu = cpuMs()
  let waited = waitedMs()
  const none = { heldMs: 0, cpuMs: 0, ownMs: 0 }
  let worst = none
  // A beat each millisecond: what is longer between two of them was spent in one go. The thread's own time tells what was the machine's fault:
  // `cpuMs` is what it computed, `ownMs` all but the waiting for a processor that others had, so with the waiting for the disk.
  setInterval(() => {
    const now = performance.now()
    const used = cpuMs()
    const held = now - at
    if (held > SHORT_MS) {
      const waitedNow = waitedMs()
      worst = {
        heldMs: Math.max(worst.heldMs, held),
        cpuMs: Math.max(worst.cpuMs, used - cpu),
        ownMs: Math.max(worst.ownMs, held - (waitedNow - waited)),
      }
    }
    waited = waitedMs()
    at = performance.now()
    cpu = cpuMs()
  }, 1).unref()
  process.on('message', (message) => {
    if (message !== 'loop') return
    process.send({ loop: worst, rss: process.memoryUsage.rss() })
    worst = none
  })
  process.channel?.unref()
}

function cpuMs() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** How long the main thread has waited for a processor that others had; 0 where the system does not tell. */
function waitedMs() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
