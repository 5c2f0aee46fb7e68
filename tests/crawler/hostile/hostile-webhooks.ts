/** Receivers of the hostile site through the running product: those that end within seconds. `npm run test:hostile` runs all ten. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { judgeWebhooks } from '#tests/support/sites/hostile-webhooks.ts'

const hostile = suite('webhooks to a web that means harm')

/**
 * Those that wait for a time-out four times, or for a slow answer; and the one whose receiver sends on until we leave: on a busy machine,
 * that may take longer than a megabyte over loopback.
 */
const LEFT_OUT = ['hook-silent', 'hook-slow-ack', 'hook-endless']
const verdicts = await judgeWebhooks((id) => !LEFT_OUT.includes(id))

hostile('the group has its cases', () => assert.is(verdicts.length, 7))

for (const { ended, faults, id } of verdicts) hostile(id, () => assert.equal(faults, [], `${id} ended as ${ended}`))

hostile.run()
