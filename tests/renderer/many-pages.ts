/** Many pages do not change a renderer: memory, processes, open files, temporary files. `RENDERED_PAGES=1000` asks for more of them. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { rendererHost } from '#backend/renderer/renderer-host.ts'
import { findOrInstallBrowser } from '../../scripts/find-browser.ts'
import { isAlive, openFiles, processesBelow } from '#tests/support/processes.ts'
import { startSite } from '#tests/support/sites/site.ts'
import { suite } from '#tests/support/suite.ts'
import { until } from '#tests/support/until.ts'
import { renderJob } from '#tests/support/render-job.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const many = suite('many rendered pages', { seconds: 900 })

/** More than one browser draws before it is replaced. */
const PAGES = Number(process.env['RENDERED_PAGES'] ?? 110)
const WARM = 10
const AT_ONCE = 4
/** Pages whose requests leave much behind in the renderer's process. */
const BUSY_PAGES = 16
const BUSY_REQUESTS = 400
/** Memory that may remain in the process: compiled code, and heap that V8 keeps. Measured: 37; 79 where nothing collects. */
const MOST_LEFT_MIB = 60

const files = temporaryFolder('seine-many-')
process.env['TMPDIR'] = files
const site = await startSite({
  '/': `<!doctype html><div id="root"></div><script>root.innerHTML = '<p>' + 'Words that a script has made. '.repeat(20) + '</p>'</script>`,
  '/busy': `<!doctype html><div id="root"></div><script>
const asked = Array.from({ length: ${BUSY_REQUESTS} }, (_, no) => fetch('/word?' + no).then((answer) => answer.text()))
Promise.all(asked).then((words) => { root.innerHTML = '<p>' + words.join(' ') + '</p>' })
</script>`,
  ...Object.fromEntries(Array.from({ length: BUSY_REQUESTS }, (_, no) => [`/word?${no}`, 'word'])),
})
const quiet = () => undefined
/** The browsers that further ones have replaced. */
let replaced: number[] = []
/** Resident memory of the renderer after its first pages. */
let mib = 0
const host = rendererHost({
  dataDir: files,
  settings: {
    browserPath: findOrInstallBrowser(),
    egressAllow: `127.0.0.1:${site.port}`,
    egressResolver: null,
    userAgent: 'SeineBot/test',
    slots: AT_ONCE,
  },
  log: { info: quiet, warn: quiet, error: quiet },
})
many.after(async () => {
  await host.close()
})

async function draw(pages: number, path = '/') {
  let left = pages
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (; left > 0;) {
        left -= 1
        const job = renderJob(site.url(path), { locale: 'en', timeoutMs: 30_000 })
        const outcome = await host.render(job, { signal: new AbortController().signal, beforeHop: async () => 'go' })
        assert.is(outcome.kind, 'rendered', JSON.stringify(outcome))
      }
    }),
  )
}

const browsers = () => processesBelow(process.pid, /remote-debugging-pipe/)
const renderer = () => processesBelow(process.pid, /renderer-process/)[0]!
const residentMib = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]) / 1024
/** Profiles and files of the browsers and their driver. */
const temporary = () => readdirSync(join(files, readdirSync(files)[0]!)).length

if (process.platform === 'linux')
  many('many rendered pages leave no further processes, open files or temporary files', async () => {
    await draw(WARM)
    const first = browsers()
    replaced = first
    const before = {
      browsers: browsers().length,
      pid: renderer(),
      files: openFiles(renderer()),
      ours: openFiles(process.pid),
      temporary: temporary(),
    }
    mib = residentMib(before.pid)
    await draw(PAGES)
    // The browser before this one has ended, with its processes and its profile.
    await until(() => !first.some(isAlive) && browsers().length <= before.browsers && temporary() <= before.temporary)
    await until(() => openFiles(before.pid) <= before.files && openFiles(process.pid) <= before.ours)
    assert.is(renderer(), before.pid)
    await until(() => residentMib(before.pid) <= mib + MOST_LEFT_MIB)
    if (PAGES >= 1000)
      console.log(
        `resident memory of the renderer: ${mib.toFixed(0)} MiB after ${WARM} pages, ${residentMib(before.pid).toFixed(0)} after ${PAGES} more`,
      )
  })

if (process.platform === 'linux')
  many('many rendered pages release their memory, although an idle process does not collect garbage by itself', async () => {
    const pid = renderer()
    await draw(BUSY_PAGES, '/busy')
    const most = residentMib(pid)
    await until(() => residentMib(pid) <= mib + MOST_LEFT_MIB)
    assert.is(renderer(), pid)
    if (PAGES >= 1000) console.log(`${most.toFixed(0)} MiB after ${BUSY_PAGES} busy pages, ${residentMib(pid).toFixed(0)} a moment later`)
  })

if (process.platform === 'linux')
  many('when the renderer ends, the numbers of browsers that ended before are not killed: other processes may have them', async () => {
    const { kill } = process
    const killed: number[] = []
    process.kill = (pid) => (killed.push(Math.abs(pid)), true)
    try {
      await host.close()
    } finally {
      process.kill = kill
    }
    assert.ok(replaced.length > 0)
    assert.equal(
      replaced.filter((pid) => killed.includes(pid)),
      [],
    )
  })

many.run()
