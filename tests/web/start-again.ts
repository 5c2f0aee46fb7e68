import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ApiError } from '#web/api/client.ts'
import { startAgain } from '#web/runs/logs/start-again.ts'

const again = suite('starting several runs again')

const RUNS = ['a', 'b', 'c'].map((uuid) => ({ uuid }))
const refusal = (status: number) => new ApiError(status, { code: status, errors: null, message: `refused with ${status}` })

/** Starts the runs; `causes` are the errors by run. */
async function start(causes: Record<string, Error> = {}) {
  const asked: string[] = []
  const { started, refusal } = await startAgain(RUNS, (uuid) => {
    asked.push(uuid)
    return causes[uuid] ? Promise.reject(causes[uuid]) : Promise.resolve()
  })
  return { asked: asked.join(''), started, reason: refusal?.message ?? null }
}

again('all are started', async () => {
  assert.equal(await start(), { asked: 'abc', started: 3, reason: null })
})

again('a run that cannot be started does not hold up the others; a limit ends it', async () => {
  assert.equal(await start({ a: refusal(404) }), { asked: 'abc', started: 2, reason: 'refused with 404' })
  assert.equal(await start({ b: refusal(402) }), { asked: 'ab', started: 1, reason: 'refused with 402' })
})

again('an error that is no refusal of the server is reported like one', async () => {
  assert.equal(await start({ b: new TypeError('out of memory') }), { asked: 'ab', started: 1, reason: 'out of memory' })
})

again.run()
