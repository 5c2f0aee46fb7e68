/**
 * F21, F22: the browser, the renderer and the product are killed in the middle of a page. The crawl goes on, each page is kept once, and
 * neither a process nor a file of the renderer is left.
 */
import { mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { findOrInstallBrowser } from '../../scripts/find-browser.ts'
import { isAlive, killNow, processesBelow } from '#tests/support/processes.ts'
import { crawlsOf } from '#tests/support/product-crawls.ts'
import { startProduct } from '#tests/support/product.ts'
import { startSite } from '#tests/support/sites/site.ts'
import { suite, untilEndOfFile } from '#tests/support/suite.ts'
import { until } from '#tests/support/until.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const killed = suite('kills in the middle of a page')

const BROWSER = /remote-debugging-pipe/
const RENDERER = /renderer-process/
const PAGES = 6
/** The page that waits for a call until the kill has been done. */
const HELD = 3

const home = temporaryFolder('seine-killed-')
const folders = { data: join(home, 'data'), files: mkdtempSync(join(home, 'files-')) }
const environment = {
  CHROMIUM_PATH: findOrInstallBrowser(),
  DATA_DIR: folders.data,
  RENDER_CONCURRENCY: '2',
  // All temporary files of the product, its renderer and its browsers stand here.
  TMPDIR: folders.files,
}
let product = await startProduct(environment)
let crawls = await crawlsOf(product)

const words = (no: number) => `Words of page ${no} that its script has made of the answer to a call. `.repeat(5)
const shell = (no: number) =>
  `<!doctype html><title>Page ${no}</title><body><div id="root"></div><script>
fetch('/words?${no}').then((answer) => answer.text()).then((said) => {
  root.innerHTML = '<h1>Page ${no}</h1><p>' + said + '</p>${no + 1 < PAGES ? `<a href="/${no + 1}">on</a><a href="/${(no + 2) % PAGES}">further on</a>` : ''}'
})</script>`

/** A site whose page `HELD` does not finish before `release`. */
async function startShells() {
  const held = Promise.withResolvers<void>()
  const site = await startSite(
    Object.fromEntries(
      Array.from({ length: PAGES }, (_, no) => [
        [`/${no}`, shell(no)],
        [`/words?${no}`, no === HELD ? { until: held.promise, body: words(no) } : words(no)],
      ]).flat() as [string, string][],
    ),
  )
  return { ...site, release: held.resolve }
}

/** Crawls the shells, calls this while one of them is being rendered, and returns the stored pages. */
async function crawled(kill: () => Promise<void> | void) {
  const site = await startShells()
  try {
    const id = await crawls.start(site.url('/0'), { spider_options: { max_depth: 10, page_limit: 50 } })
    await site.asked(`/words?${HELD}`)
    await kill()
    site.release()
    const crawl = await crawls.ended(id)
    const kept = (await crawls.results(id)).map(({ result, url }) => ({ path: new URL(url).pathname, text: JSON.stringify(result) }))
    return { crawl, kept, outcomes: await crawls.outcomes(id) }
  } finally {
    site.release()
    await site.close()
  }
}

function judge({ crawl, kept, outcomes }: Awaited<ReturnType<typeof crawled>>) {
  assert.equal([crawl.status, crawl.number_of_documents], ['finished', PAGES])
  assert.equal(
    kept.map(({ path }) => path).toSorted(),
    Array.from({ length: PAGES }, (_, no) => `/${no}`),
  )
  for (const { path, text } of kept) assert.match(text, words(Number(path.slice(1))).trim())
  for (const { detail, outcome, url } of outcomes) assert.match(`${outcome}, ${detail}`, /^kept, rendered: /, url)
}

const ours = (pattern: RegExp) => processesBelow(product.pid, pattern)
const foldersOfRenderers = () => readdirSync(folders.files).filter((name) => name.startsWith('seine-render-'))

if (process.platform === 'linux') {
  killed('F21 a killed browser is replaced, and the crawl goes on', async () => {
    judge(await crawled(() => ours(BROWSER).forEach(killNow)))
    assert.is(foldersOfRenderers().length, 1)
  })

  killed('F21 a killed renderer ends its browser, and its folder is removed', async () => {
    let browsers: number[] = []
    let folder: string[] = []
    judge(
      await crawled(() => {
        browsers = ours(BROWSER)
        folder = foldersOfRenderers()
        assert.ok(browsers.length > 0 && folder.length === 1)
        ours(RENDERER).forEach(killNow)
      }),
    )
    await until(() => !browsers.some(isAlive))
    assert.is(foldersOfRenderers().length, 1)
    assert.not.equal(foldersOfRenderers(), folder)
  })

  killed('F22 a killed product leaves no process behind, and the next product continues the crawl', async () => {
    const result = await crawled(async () => {
      const all = ours(/./)
      assert.ok(all.length > 3)
      killNow(product.pid)
      await until(() => !all.some(isAlive))
      assert.equal(foldersOfRenderers(), [])
      await product.close()
      product = await untilEndOfFile(() => startProduct(environment, { installed: false }))
      crawls = await crawlsOf(product)
    })
    judge(result)
  })

  killed('the product, its engine and its renderer are killed at once: the next product removes what they leave', async () => {
    const result = await crawled(async () => {
      const all = ours(/./)
      // The engine first: it would clean up behind its renderer.
      ours(/engine-process/).forEach(killNow)
      ours(RENDERER).forEach(killNow)
      killNow(product.pid)
      await until(() => !all.some(isAlive))
      await product.close()
      product = await untilEndOfFile(() => startProduct(environment, { installed: false }))
      crawls = await crawlsOf(product)
    })
    judge(result)
    assert.is(foldersOfRenderers().length, 1)
  })

  killed('no process and no file is left after the end', async () => {
    const all = ours(/./)
    await product.close()
    assert.equal(all.filter(isAlive), [])
    assert.equal(readdirSync(folders.files), [])
  })
}

killed.run()
