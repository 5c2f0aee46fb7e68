// A process of its own, so that the load which `npm run bench -- requests` makes does not delay the clock: asks `/health/live` again and again.
//
//   node live-watch.js URL PID    until it is sent anything; then it tells the milliseconds of each answer, and those without the time
//                                 that the main thread of the process PID waited for a processor which others had
import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

const [url, pid] = process.argv.slice(2)
const PAUSE_MS = 10
const wall = []
const own = []
let isOver = false
try {
  // A clock must not wait for a processor itself.
  setPriority(-19)
} catch {
  // Only an administrator may.
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

/** 0 where the system does not tell. */
function waitedMs() {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
