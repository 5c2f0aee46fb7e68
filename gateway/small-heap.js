// Loaded by `node --import` before anything else: keeps the heap of the API's process small. A flag that is set here and unknown to V8 costs a
// line on stderr; on the command line it would keep Node from starting.
//
// The young generation grows to 4 MiB and stays there, as with `--max-semi-space-size=2`. Most objects of a request are garbage soon,
// and V8 does not shrink a generation that has grown to 16 MiB during the start.
//
// V8 collects the old generation when it is half as large again as after its last collection. By default V8 waits for up to four times
// that size while requests come fast; then nothing allocates any more, so nothing collects, and V8 keeps the memory even
// after a collection. Measured: 20 callers for 10 s at the index page left 84 MiB above the idle server, with this 19 (with 100 for 50: 47).
//
// Optimizing waits until the server is ready: the start runs its code once. Compiling two hundred functions while they
// run takes memory that V8's threads do not free. Measured, idle: 95 MiB, in each of many starts; 101 to 128 with optimizing.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

const WANTED_BYTES = 4 * 1024 * 1024
/** Half a megabyte each, in small objects: enough of them survive a collection for the generation to grow. */
const MOST_ROUNDS = 20

const youngBytes = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? WANTED_BYTES
setFlagsFromString('--no-maglev')
setFlagsFromString('--no-opt')
process.once('seine:ready', () => {
  setFlagsFromString('--maglev')
  setFlagsFromString('--opt')
})
grow()
setFlagsFromString('--semi-space-growth-factor=1')
setFlagsFromString('--heap-growing-percent=50')

function grow() {
  const kept = []
  for (let round = 0; round < MOST_ROUNDS && youngBytes() < WANTED_BYTES; round += 1)
    for (let one = 0; one < 8000; one += 1) kept.push({ one })
}
