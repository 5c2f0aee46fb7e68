/** Starts the browser once, as the product would, and renders a page of its own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export async function tryBrowser(path: string): Promise<{ version: string; hasSandbox: boolean } | { fault: string }> {
  const { createBrowsers } = await import('./browsers.ts')
  const folder = await mkdtemp(join(tmpdir(), 'seine-doctor-'))
  let hasSandbox = true
  const browsers = createBrowsers({
    ended: () => undefined,
    folder,
    log: { info: () => undefined, warn: () => (hasSandbox = false) },
    path,
    slots: 1,
    started: () => undefined,
  })
  try {
    const { browser, release } = await browsers.take()
    const page = await browser.newPage()
    await page.setContent('<p>rendered</p>')
    const text = await page.textContent('p')
    const version = browser.version()
    release()
    return text === 'rendered' ? { version, hasSandbox } : { fault: 'it rendered another page than it was given' }
  } catch (fault) {
    return { fault: String(fault).split('\n', 1)[0]!.slice(0, 300) }
  } finally {
    await browsers.close()
    await rm(folder, { recursive: true, force: true })
  }
}
