/** Receivers of the hostile site through the running product: those that end within seconds. `npm run test:hostile` runs all ten. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { judgeWebhooks } from '#tests/support/sites/hostile-webhooks.ts'

const hostile = suite('webhooks to hostile receivers')

/**
 * Those that wait for a time-out four times, or for a slow answer; and the one whose receiver sends on until we leave. We leave in the turn
 * in which the first piece arrives (`crawler/fetch/bounded-socket.ts`). The case counts what the receiver's own kernel has taken from it:
 * 4 MB within 3 ms even from a client that reads nothing, which is how long a busy machine may let a thread of ours wait for the processor.
 */
const LEFT_OUT = ['hook-silent', 'hook-slow-ack', 'hook-endless']
const verdicts = await judgeWebhooks((id) => !LEFT_OUT.includes(id))

hostile('the group has its cases', () => assert.is(verdicts.length, 7))

for (const { ended, faults, id } of verdicts) hostile(id, () => assert.equal(faults, [], `${id} ended as ${ended}`))

hostile.run()
