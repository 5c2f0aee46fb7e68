/** A renderer whose process cannot be started: its pages are answered instead of waiting for ever. */
import { writeFileSync } from 'node:fs'
import { mock } from 'node:test'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { rendererHost } from '#backend/renderer/renderer-host.ts'
import { renderJob } from '#tests/support/render-job.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const failing = suite('a renderer that cannot be started')

const temporary = process.env['TMPDIR']
const home = temporaryFolder('seine-failed-start-')
failing.after.each(() => {
  if (temporary === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = temporary
})

/** Asks for a page with this folder for temporary files; there is no browser. */
function ask(folder: string) {
  process.env['TMPDIR'] = folder
  const told = { errors: [] as string[], usable: [] as boolean[] }
  const host = rendererHost({
    dataDir: folder,
    settings: { browserPath: join(home, 'no-browser'), egressAllow: '', egressResolver: null, userAgent: 'x', slots: 1 },
    log: { info: () => undefined, warn: () => undefined, error: (_, message) => void told.errors.push(message) },
    onUsable: (isUsable) => void told.usable.push(isUsable),
  })
  const watch = { signal: new AbortController().signal, beforeHop: async () => 'go' as const }
  return { host, told, outcome: host.render(renderJob('http://127.0.0.1:9/'), watch) }
}

failing('after four failed starts there is no browser: pages are answered, and the health check knows', async () => {
  writeFileSync(join(home, 'file'), '')
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const { host, outcome, told } = ask(join(home, 'file'))
    for (const waitMs of [1000, 2000, 4000]) mock.timers.tick(waitMs)
    assert.equal(await outcome, { kind: 'unavailable', detail: 'its process could not be started' })
    assert.equal(told.usable, [false])
    assert.is(told.errors.filter((line) => line.includes('could not be started; it is started again')).length, 4)
    await host.close()
  } finally {
    mock.timers.reset()
  }
})

failing('a folder for temporary files that was removed is created again', async () => {
  const { host, outcome } = ask(join(home, 'removed', 'long ago'))
  const answer = await outcome
  assert.is(answer.kind, 'unavailable')
  assert.is.not('detail' in answer && answer.detail, 'its process could not be started', 'it says that there is no browser')
  await host.close()
})

failing.run()
