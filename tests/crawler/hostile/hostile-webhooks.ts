/** Receivers of the hostile site through the running product: those that end within seconds. `npm run test:hostile` runs all ten. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { judgeWebhooks } from '#tests/support/sites/hostile-webhooks.ts'

const hostile = suite('webhooks to hostile receivers')

/** Those that wait for a time-out four times, or for a slow answer. */
const LEFT_OUT = ['hook-silent', 'hook-slow-ack']
const verdicts = await judgeWebhooks((id) => !LEFT_OUT.includes(id))

hostile('the group has its cases', () => assert.is(verdicts.length, 8))

for (const { ended, faults, id } of verdicts) hostile(id, () => assert.equal(faults, [], `${id} ended as ${ended}`))

hostile.run()
