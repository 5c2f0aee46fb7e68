// Loaded by `node --import` before anything else: keeps the heap of the API's process small. A flag that is set here and unknown to V8 costs a
// line on stderr; on the command line it would keep Node from starting.
//
// The young generation grows to 4 MiB and stays there, as with `--max-semi-space-size=2`. Most of what a request leaves behind is garbage soon,
// and a generation that has grown to 16 MiB by the end of the start is not given back.
//
// The old generation is collected when it holds half more than what lived after its last collection. Left alone, V8 waits for up to four times
// as much while requests come fast; then nothing allocates any more, so nothing collects, and what it has taken from the system it keeps even
// after a collection. Measured: 20 callers for 10 s at the index page left 84 MiB above the idle server, with this 19 (with 100 for 50: 47).
//
// Optimizing waits until the server is ready: what a start computes is computed once. Compiling two hundred functions at the same time as they
// run takes memory that V8's threads do not give back. Measured, idle: 95 MiB, in each of many starts; 101 to 128 with optimizing.
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
