/** What runs have used of models, as the engine counts it. */
import { mock } from 'node:test'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runModels } from '#backend/models/run-models.ts'

const models = suite('models of a run')
models.after.each(() => mock.timers.reset())

const USE = { calls: 1, promptTokens: 20, answerTokens: 3, cost: 0.5 }
const needs = { sealer: {}, setup: { operator: null }, warn: () => undefined } as unknown as Omit<Parameters<typeof runModels>[0], 'ask'>
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** A database that fails with these codes, one after another, and then takes what it is given. */
function database(...codes: string[]) {
  const written: unknown[][] = []
  const ask = async (_sql: string, ...values: unknown[]) => {
    const code = codes.shift()
    if (code !== undefined) throw Object.assign(new Error(code), { code })
    written.push(values)
    return undefined
  }
  return { ask, written }
}

models('a use of a model is written again until the database can be written', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const { ask, written } = database('SQLITE_BUSY', 'SQLITE_FULL')
  const { access, close } = runModels({ ask, ...needs })
  access.count(7, 'team', 'small', USE)
  for (let turn = 0; turn < 3; turn += 1) {
    await settle()
    mock.timers.tick(1000)
  }
  assert.equal(written, [[7, 'team', 'small', 1, 20, 3, 500_000]])
  await close()
})

models('the end of the engine waits for a use that is being written, and not for a broken database', async () => {
  const { ask, written } = database('SQLITE_BUSY')
  const { access, close } = runModels({ ask, ...needs })
  access.count(7, 'team', 'small', USE)
  access.count(8, 'team', 'small', USE)
  await close()
  assert.equal(
    written.map(([runNo]) => runNo),
    [8],
  )
})

models('a use of a model that cannot be written is logged', async () => {
  const { ask, written } = database('SQLITE_CONSTRAINT')
  const lines: unknown[] = []
  const warn = (facts: object, message: string) => void lines.push([message, { ...facts, err: undefined }])
  const { access, close } = runModels({ ask, ...needs, warn })
  access.count(7, 'team', 'small', USE)
  await close()
  assert.equal(written, [])
  assert.equal(lines, [['the use of a model could not be counted', { err: undefined, runNo: 7, model: 'small', calls: 1 }]])
})

models.run()
