import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ThreadEnded } from '#backend/platform/threads/asked-thread.ts'
import { startThread } from '#backend/platform/threads/start-thread.ts'
import { threadOnDemand } from '#backend/platform/threads/thread-on-demand.ts'

const threads = suite('threads')
const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))

for (const codec of ['zstd', 'inflate']) {
  threads(`a process survives the end of threads that are busy with ${codec}`, () => {
    const { signal, stderr, stdout } = spawnSync(process.execPath, [fixture('end-busy-threads.ts'), codec, 'gate'], { encoding: 'utf8' })
    assert.is(stderr, '')
    assert.is(signal, null)
    assert.is(stdout, 'all have ended\n')
  })
}

threads('a thread that holds its gate is ended after releasing it, and a thread in any other loop at once', async () => {
  const seen: string[] = []
  const thread = startThread(new URL('fixtures/holding-thread.ts', import.meta.url), { data: {} })
  const told = Promise.withResolvers<void>()
  thread.worker.on('message', (message: string) => {
    seen.push(message)
    if (message === 'holds') told.resolve()
  })
  await told.promise
  await Promise.all([thread.end(), thread.end()])
  assert.equal(seen, ['holds', 'lets go'])

  const looping = startThread(new URL('fixtures/holding-thread.ts', import.meta.url), { data: { loops: true } })
  await new Promise((told) => looping.worker.once('message', told))
  await looping.end()
  assert.is(looping.worker.threadId, -1, 'it is no more')
})

threads('a thread that has crashed is ended without a wait', async () => {
  const thread = startThread(new URL('fixtures/holding-thread.ts', import.meta.url), { data: { dies: true } })
  await new Promise((exit) => thread.worker.once('exit', exit))
  await thread.end()
})

const answering = () =>
  threadOnDemand<number | string, number>({
    program: new URL('fixtures/answering-thread.ts', import.meta.url),
    mostHeapMb: 16,
    idleMs: 60_000,
  })

threads('the error of a thread has the code of its cause', async () => {
  const thread = answering()
  const fault = await thread.ask('SQLITE_BUSY').catch((thrown) => thrown)
  assert.is(fault.code, 'SQLITE_BUSY')
  assert.is(fault.message, 'no answer')
  assert.is(await thread.ask(2), 4)
  await thread.close()
})

threads('a question whose thread ends fails, the next one starts another thread, and none does after the close', async () => {
  const thread = answering()
  const failed = (question: number | string) =>
    thread.ask(question).then(
      () => false,
      (fault) => fault instanceof ThreadEnded,
    )
  assert.equal(await Promise.all([failed('exit'), failed(1)]), [true, true])
  assert.is(await thread.ask(2), 4)
  await thread.close()
  assert.ok(await failed(2))
})

threads('a question that cannot be copied to the thread fails, and does not wait for an answer', async () => {
  const thread = answering()
  const fault = await thread.ask((() => 1) as never).catch((thrown) => thrown)
  assert.is(fault.name, 'DataCloneError')
  assert.is(thread.waiting, 0)
  assert.is(await thread.ask(2), 4)
  await thread.close()
})

threads('a question whose signal has aborted before is canceled', async () => {
  const thread = answering()
  assert.is(await thread.ask('until canceled', AbortSignal.abort()), 0)
  await thread.close()
})

threads.run()
