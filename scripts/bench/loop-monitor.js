// Loaded into the product by `npm run bench -- requests`: reports how long its event loop was blocked since the last report.
import { readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** Shorter turns are not analysed. */
const SHORT_MS = 4

if (isMainThread && process.argv[1]?.endsWith('main.js') && process.send) {
  let at = performance.now()
  let cpu = cpuMs()
  let waited = waitedMs()
  const none = { heldMs: 0, cpuMs: 0, ownMs: 0 }
  let worst = none
  // A beat each millisecond: a longer gap is one blocking turn. The thread's own counters separate the load of the machine: `cpuMs` is what
  // the thread computed, `ownMs` everything except waiting for a busy processor, so it includes waiting for the disk.
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

/** How long the main thread has waited for a busy processor; 0 where the system does not report it. */
function waitedMs() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
