// Requests `/health/live` again and again, in a process of its own, so that the load of `npm run bench -- requests` does not delay the
// clock.
//
//   node live-watch.js URL PID    runs until it gets a message; then it reports the milliseconds of each answer, also without the time
//                                 that the main thread of process PID waited for a busy processor
import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

const [url, pid] = process.argv.slice(2)
const PAUSE_MS = 10
const wall = []
const own = []
let isOver = false
try {
  // This process, which measures the time, must not wait for a processor.
  setPriority(-19)
} catch {
  // Needs root.
}
process.once('message', () => (isOver = true))

while (!isOver) {
  const waited = waitedMs()
  const started = performance.now()
  await (await fetch(url)).text()
  const took = performance.now() - started
  wall.push(took)
  own.push(Math.max(0, took - (waitedMs() - waited)))
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
}
process.send({ wall, own }, () => process.exit(0))

/** 0 where the system does not report it. */
function waitedMs() {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
