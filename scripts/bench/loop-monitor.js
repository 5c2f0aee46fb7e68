// Loaded before the product by `npm run bench -- requests`: tells how long its event loop has been held since it was last asked.
import { isMainThread } from 'node:worker_threads'

if (isMainThread && process.argv[1]?.endsWith('main.js') && process.send) {
  let at = performance.now()
  let cpu = cpuMs()
  let worst = { heldMs: 0, cpuMs: 0 }
  // A beat each millisecond: what is longer between two of them was spent in one go. The thread's own time tells what was the machine's fault.
  setInterval(() => {
    const now = performance.now()
    const used = cpuMs()
    worst = { heldMs: Math.max(worst.heldMs, now - at), cpuMs: Math.max(worst.cpuMs, used - cpu) }
    at = now
    cpu = used
  }, 1).unref()
  process.on('message', (message) => {
    if (message !== 'loop') return
    process.send({ loop: worst, rss: process.memoryUsage.rss() })
    worst = { heldMs: 0, cpuMs: 0 }
  })
  process.channel?.unref()
}

function cpuMs() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
