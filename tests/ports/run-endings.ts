/** Each listener gets every end, in order. Its writes happen once, even if a process crashes at any moment. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Database } from '#backend/platform/database/database.ts'
import { localBus } from '#backend/platform/events/event-bus.ts'
import { createRunEndings } from '#backend/store/run-endings.ts'
import type { RunEnded } from '#backend/store/run-endings.ts'
import { RUN_STORES, runsOver } from '#tests/support/engine/run-stores.ts'
import { until } from '#tests/support/until.ts'

const NOW = 1_000_000

for (const [name, open] of Object.entries(RUN_STORES)) {
  const endings = suite(`ends of runs, ${name}`)

  /** `hear` starts a process that listens; `end` ends a run without notifying it. */
  async function setUp() {
    const opened = await open(() => NOW)
    const { database } = opened
    const { start, stop } = await runsOver(opened, () => NOW)
    const end = async () => {
      const runNo = await start(['http://a.test/'])
      await stop(runNo)
      return runNo
    }
    const warnings: object[] = []
    const make = (bus = localBus()) =>
      createRunEndings({ bus, database, every: () => () => undefined, warn: (facts) => void warnings.push(facts) })
    const hear = async (...names: string[]) => {
      const process = make()
      const heard = new Map(names.map((each) => [each, [] as RunEnded[]]))
      for (const each of names) process.onRunEnded(each, async (_, ended) => void heard.get(each)!.push(ended))
      await process.start()
      await process.look()
      return { heard: (each: string) => heard.get(each)!.map(({ runNo }) => runNo), ends: heard, process }
    }
    return { ...opened, end, hear, make, warnings }
  }

  endings('a listener gets the team and status of each end, in order, and no end before its start', async () => {
    const { close, database, end, hear } = await setUp()
    await end()
    const { ends, process } = await hear('mails')
    const runs = [await end(), await end()]
    await process.look()
    const rows = await database.selectFrom('run').where('no', 'in', runs).orderBy('no').selectAll().execute()
    assert.equal(
      ends.get('mails'),
      rows.map(({ id, no }) => ({ runNo: no, runId: id, teamId: 'team', kind: 'crawl', status: 'canceled', endedAt: NOW })),
    )
    await process.close()
    await close()
  })

  endings('the next process reports ends that no process received, to each listener from its own mark', async () => {
    const { close, end, hear } = await setUp()
    const first = await hear('mails')
    const one = await end()
    await first.process.look()
    await first.process.close()
    const missed = [await end(), await end()]
    await first.process.look()
    assert.equal(first.heard('mails'), [one], 'a closed one is told nothing')
    const second = await hear('mails', 'webhooks')
    assert.equal(second.heard('mails'), missed)
    assert.equal(second.heard('webhooks'), [], 'a new name hears of what ends from now on')
    await second.process.close()
    await close()
  })

  endings('the hint of an end is enough to report it, and a running run reports nothing', async () => {
    const { close, end, make } = await setUp()
    const bus = localBus()
    const process = make(bus)
    const heard: number[] = []
    process.onRunEnded('mails', async (_, { runNo }) => void heard.push(runNo))
    await process.start()
    await process.look()
    const runNo = await end()
    bus.publish({ runNo, eventSeq: 1, status: 'running' })
    assert.equal(heard, [])
    bus.publish({ runNo, eventSeq: 2, status: 'canceled' })
    await until(() => heard.length === 1)
    await process.close()
    await close()
  })

  endings('listeners are called after watchers, once for simultaneous ends, and not after the process closed', async () => {
    const { close, database, end } = await setUp()
    const bus = localBus()
    const waiting: (() => void)[] = []
    const later = (_: number, call: () => void) => {
      waiting.push(call)
      return () => void waiting.splice(waiting.indexOf(call), 1)
    }
    const process = createRunEndings({ bus, database, every: () => () => undefined, later, warn: () => assert.unreachable() })
    const heard: number[] = []
    process.onRunEnded('mails', async (_, { runNo }) => void heard.push(runNo))
    await process.start()
    await process.look()
    const ended = [await end(), await end()]
    for (const runNo of ended) bus.publish({ runNo, eventSeq: 2, status: 'canceled' })
    assert.equal([heard, waiting.length], [[], 1])
    waiting.shift()!()
    await until(() => heard.length === 2)
    assert.equal(heard, ended)
    bus.publish({ runNo: ended[0]!, eventSeq: 3, status: 'canceled' })
    assert.is(waiting.length, 1, 'the next end waits anew')
    await process.close()
    assert.is(waiting.length, 0)
    await close()
  })

  endings('a failing listener keeps its mark and its writes are rolled back; the other listeners are called meanwhile', async () => {
    const { close, database, end, hear, make, warnings } = await setUp()
    const process = make()
    const heard: number[] = []
    let tries = 0
    process.onRunEnded('webhooks', async (transaction, { runNo }) => {
      tries += 1
      await note(transaction, runNo)
      throw new Error('no')
    })
    process.onRunEnded('mails', async (_, { runNo }) => void heard.push(runNo))
    await process.start()
    await process.look()
    const runs = [await end(), await end()]
    await process.look()
    await process.look()
    assert.equal(heard, runs)
    assert.is(tries, 1, 'it rests before it is told again')
    assert.equal(
      warnings.map((facts) => (facts as { listener: string }).listener),
      ['webhooks'],
    )
    assert.equal(await notes(database), [])
    await process.close()
    const again = await hear('webhooks', 'mails')
    assert.equal(again.heard('webhooks'), runs)
    assert.equal(again.heard('mails'), [])
    await again.process.close()
    await close()
  })

  endings('a failed listener is called again without another end', async () => {
    const { close, end, make } = await setUp()
    const process = make()
    let tries = 0
    process.onRunEnded('webhooks', async () => {
      tries += 1
      if (tries === 1) throw new Error('no')
    })
    await process.start()
    await process.look()
    await end()
    await process.look()
    assert.is(tries, 1)
    await until(() => tries === 2)
    await process.close()
    await close()
  })

  endings('a process that is killed while a listener writes loses no end and writes none twice', async () => {
    const { close, database, end, file, hear, make } = await setUp()
    const first = await hear('webhooks')
    await first.process.close()
    const runs = [await end(), await end(), await end()]
    const program = fileURLToPath(new URL('./fixtures/listen-and-die.ts', import.meta.url))
    const child = spawn(process.execPath, [program, file], { stdio: ['ignore', 'inherit', 'inherit'] })
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
    assert.is(signal, 'SIGKILL')
    assert.equal(await notes(database), [`delivery ${runs[0]}`], 'the second was not committed')
    const second = make()
    second.onRunEnded('webhooks', async (transaction, { runNo }) => note(transaction, runNo))
    await second.start()
    await second.look()
    assert.equal(
      await notes(database),
      runs.map((runNo) => `delivery ${runNo}`),
    )
    await second.close()
    await close()
  })

  endings('ends are stored until all listeners have received them, except listeners that were removed', async () => {
    const { close, database, end, hear } = await setUp()
    const both = await hear('mails', 'old')
    await both.process.close()
    await end()
    await end()
    const kept = async () => (await database.selectFrom('runEnding').select('no').execute()).length
    assert.is(await kept(), 2)
    const one = await hear('mails')
    await end()
    assert.is(await kept(), 1)
    await one.process.close()
    await close()
  })

  endings('two listeners of one name, or a listener added after the start, throw', async () => {
    const { close, make } = await setUp()
    const process = make()
    const handle = async () => undefined
    process.onRunEnded('mails', handle)
    assert.throws(() => process.onRunEnded('mails', handle), /Two listeners/)
    await process.start()
    assert.throws(() => process.onRunEnded('webhooks', handle), /after the start/)
    await process.close()
    await close()
  })

  endings.run()
}

const note = async (transaction: Pick<Database, 'insertInto'>, runNo: number) =>
  void (await transaction
    .insertInto('setting')
    .values({ name: `delivery ${runNo}`, value: '' })
    .execute())

async function notes(database: Database): Promise<string[]> {
  const rows = await database.selectFrom('setting').where('name', 'like', 'delivery %').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}
