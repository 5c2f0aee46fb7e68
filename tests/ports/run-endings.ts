/** A listener hears of each end, once the run has ended, and again when it could not act on it. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createRunEndings } from '#backend/store/run-endings.ts'
import type { RunEnded } from '#backend/store/run-endings.ts'
import { RUN_STORES, runsOver } from '#tests/support/run-stores.ts'

for (const [name, open] of Object.entries(RUN_STORES)) {
  const endings = suite(`ends of runs, ${name}`)

  endings('each listener hears of every end in order, over a restart too, and of those that it rejected again', async () => {
    const now = () => 1_000_000
    const opened = open(now)
    const { database } = opened
    const { start, stop } = await runsOver(opened, now)
    const end = async () => {
      const runNo = await start(['http://a.test/'])
      await stop(runNo)
      return runNo
    }
    const before = await end()
    const faults: string[] = []
    const make = () => createRunEndings({ database, onFault: (_, listener) => void faults.push(listener) })
    const first = make()
    const heard: Record<'mails' | 'hooks', RunEnded[]> = { mails: [], hooks: [] }
    await first.listen('mails', async (ended) => void heard.mails.push(ended))
    const one = await end()
    await first.look()
    assert.equal(heard.mails, [{ runNo: one, status: 'canceled', endedAt: 1_000_000 }], `not of ${before}, which had ended`)
    let isBroken = true
    await first.listen('hooks', async (ended) => {
      if (isBroken) throw new Error('no')
      heard.hooks.push(ended)
    })
    const missed = [await end(), await end()]
    await first.look()
    assert.equal([heard.hooks, faults], [[], ['hooks']])
    const again = make()
    isBroken = false
    await again.listen('hooks', async (ended) => void heard.hooks.push(ended))
    await again.listen('mails', async (ended) => void heard.mails.push(ended))
    assert.equal(
      heard.hooks.map(({ runNo }) => runNo),
      missed,
    )
    assert.equal(
      heard.mails.map(({ runNo }) => runNo),
      [one, ...missed],
      'nothing twice',
    )
    await end()
    const kept = await database.selectFrom('runEnding').select('no').execute()
    assert.is(kept.length, 1, 'what all have heard is not kept')
    await opened.close()
  })

  endings.run()
}
