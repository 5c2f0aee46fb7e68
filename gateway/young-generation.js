// Loaded by `node --import` before anything else: V8's young generation grows to 4 MiB and stays there. Most of what a request leaves behind
// is garbage soon, and a generation that has grown to 16 MiB by the end of the start is not given back.
//
// `--max-semi-space-size=2` on the command line does the same, but a Node that does not know a flag there refuses to start. A flag that is
// set here and unknown costs a line on stderr.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

const WANTED_BYTES = 4 * 1024 * 1024
/** Half a megabyte each, in small objects: enough of them survive a collection for the generation to grow. */
const MOST_ROUNDS = 20

const youngBytes = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? WANTED_BYTES
grow()
setFlagsFromString('--semi-space-growth-factor=1')

function grow() {
  const kept = []
  for (let round = 0; round < MOST_ROUNDS && youngBytes() < WANTED_BYTES; round += 1)
    for (let one = 0; one < 8000; one += 1) kept.push({ one })
}
