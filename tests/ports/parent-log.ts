import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const lines = suite('log lines of child processes')

lines('`part` names the process, whatever fields the line has', async () => {
  const child = fork(fileURLToPath(new URL('fixtures/logging-process.ts', import.meta.url)))
  const [line] = await once(child, 'message')
  assert.equal(line, { type: 'log', level: 'info', facts: { run: 'r', part: 'engine' }, message: 'released' })
  await once(child, 'exit')
})

lines.run()
