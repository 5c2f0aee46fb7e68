/** Performs the actions on a page before it is read: clicks, keys, scrolling, waiting, and captures. */
import { open, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import type { CDPSession, Page } from 'playwright-core'
import { isCapture } from '#backend/crawler/crawl/renderer.ts'
import type { Capture, PageAction, Print, Shot } from '#backend/crawler/crawl/renderer.ts'
import type { PageReader } from './page-reader.ts'
import { READ_DOCUMENT, SCROLL_TO_END } from './page-scripts.ts'

/** Screenshots are cut here, in CSS pixels: Chromium can draw no more at once. */
export const MOST_SHOT_HEIGHT = 16_384
const MOST_SHOT_WIDTH = 4096
const MOST_PDF_PAGES = 500
const MOST_PDF_BYTES = 100 * 1024 * 1024
/** Limit for the documents that the actions of one page capture: an answer contains all of them. */
const MOST_SCRAPED_BYTES = 10 * 1024 * 1024
const CAPTURE_MS = 15_000
const ACTION_MS = 5000
const MOST_WAIT_MS = 60_000
const MOST_CLICKS = 100
/** Wait for the page's layout after the window was resized. */
const RESIZED_MS = 100
const STREAM_BYTES = 1024 * 1024
/** Matches a page in a PDF that Chromium writes. */
const PDF_PAGE = /\/Type\s*\/Page\b(?!s)/g

/** The result of an action when the page no longer answers. */
export const TOO_LONG = 'it took too long'

export type ActionTools = {
  page: Page
  cdp: CDPSession
  reader: PageReader
  /** The URL that the document was requested by. */
  url: string
  folder: string
  captures: Capture[]
  notes: string[]
}

/** Performs one action. Never rejects; returns the result in plain words. */
export async function doAction(action: PageAction, tools: ActionTools): Promise<string> {
  try {
    return (await act(action, tools)) ?? 'done'
  } catch (fault) {
    return reasonOf(fault)
  }
}

/** Most milliseconds of an action. */
export function mostMsOf(action: PageAction): number {
  if (isCapture(action)) return CAPTURE_MS
  return action.type === 'wait' && 'ms' in action ? Math.min(action.ms, MOST_WAIT_MS) : ACTION_MS
}

async function act(action: PageAction, tools: ActionTools): Promise<string | undefined> {
  const { page } = tools
  switch (action.type) {
    case 'screenshot':
      return within(CAPTURE_MS, takeScreenshot(action, tools))
    case 'pdf':
      return within(CAPTURE_MS, printPdf(action, tools))
    case 'scrape':
      return within(CAPTURE_MS, captureDocument(tools))
    case 'click':
      if (action.all === true) return clickAll(page, action.selector)
      await page.locator(css(action.selector)).first().click({ timeout: ACTION_MS })
      return undefined
    case 'type':
      await page.locator(css(action.selector)).first().fill(action.text, { timeout: ACTION_MS })
      return undefined
    case 'press':
      await within(ACTION_MS, page.keyboard.press(action.key))
      return undefined
    case 'scroll':
      // Without `within`: an element that never appears does not mean that the page no longer answers.
      if (action.selector !== undefined) await page.locator(css(action.selector)).first().hover({ timeout: ACTION_MS })
      await within(ACTION_MS, scroll(tools, action))
      return undefined
    case 'wait':
      if ('ms' in action) await page.waitForTimeout(Math.min(action.ms, MOST_WAIT_MS))
      else await page.locator(css(action.selector)).first().waitFor({ state: 'visible', timeout: ACTION_MS })
      return undefined
  }
}

/** Marks a selector as CSS, because Playwright knows other languages too. */
export const css = (selector: string) => `css=${selector}`

/** Clicks every visible element that matches now, at most `MOST_CLICKS`, all of them in the time of one action. */
async function clickAll(page: Page, selector: string): Promise<string> {
  const end = performance.now() + ACTION_MS
  const found = await within(ACTION_MS, page.locator(css(selector)).all())
  // The elements themselves: the second of several locators would find the third element once a click has removed the first.
  const elements = await Promise.all(
    found.slice(0, MOST_CLICKS).map((locator) => locator.elementHandle({ timeout: ACTION_MS }).catch(() => null)),
  )
  for (const [at, element] of elements.entries()) {
    const left = Math.max(1, Math.ceil(end - performance.now()))
    try {
      if (element !== null && (await within(ACTION_MS, element.isVisible()))) await element.click({ timeout: left })
    } catch (fault) {
      if (!TIMED_OUT.test(textOf(fault))) throw fault
      throw new Error(`there was time for ${at} of ${found.length} only`, { cause: fault })
    }
  }
  return found.length > MOST_CLICKS ? `done, the first ${MOST_CLICKS} of ${found.length}` : 'done'
}

/** A wheel scrolls what is below the mouse; with a selector, the mouse is there already. */
async function scroll({ page, reader }: ActionTools, { pixels, selector }: PageAction & { type: 'scroll' }): Promise<void> {
  if (pixels === null) await reader.run(SCROLL_TO_END, ACTION_MS)
  else {
    const { height, width } = page.viewportSize()!
    if (selector === undefined) await page.mouse.move(width / 2, height / 2)
    await page.mouse.wheel(0, pixels)
  }
  await page.waitForTimeout(100)
}

async function takeScreenshot(shot: Shot, tools: ActionTools): Promise<string> {
  const before = tools.page.viewportSize()
  if (shot.window === undefined || before === null) return capture(shot, tools)
  await tools.page.setViewportSize(shot.window)
  try {
    await tools.page.waitForTimeout(RESIZED_MS)
    return await capture(shot, tools)
  } finally {
    await tools.page.setViewportSize(before)
  }
}

async function capture({ area, quality }: Shot, { captures, cdp, folder, notes }: ActionTools): Promise<string> {
  const { cssContentSize } = await cdp.send('Page.getLayoutMetrics')
  const width = Math.max(1, Math.min(Math.ceil(cssContentSize.width), MOST_SHOT_WIDTH))
  const whole = Math.max(1, Math.ceil(cssContentSize.height))
  const height = Math.min(whole, MOST_SHOT_HEIGHT)
  const { data } = await cdp.send('Page.captureScreenshot', {
    ...(quality === undefined ? { format: 'png' } : { format: 'jpeg', quality }),
    optimizeForSpeed: true,
    ...(area !== 'window' && { captureBeyondViewport: true, clip: { x: 0, y: 0, width, height, scale: 1 } }),
  })
  const bytes = Buffer.from(data, 'base64')
  const path = join(folder, `${randomUUID()}.${quality === undefined ? 'png' : 'jpg'}`)
  await writeWhole(path, (file) => file.writeFile(bytes))
  captures.push({ type: 'screenshot', path, bytes: bytes.length, ...(quality !== undefined && { isJpeg: true }) })
  if (area === 'window' || whole <= MOST_SHOT_HEIGHT) return 'done'
  notes.push(`the page is ${whole} pixels tall: its screenshot was cut at ${MOST_SHOT_HEIGHT}`)
  return `done, cut at ${MOST_SHOT_HEIGHT} of ${whole} pixels`
}

async function printPdf(wish: Print, { captures, cdp, folder, notes }: ActionTools): Promise<string> {
  const stream = await print(cdp, wish, `1-${MOST_PDF_PAGES}`)
  const path = join(folder, `${randomUUID()}.pdf`)
  let bytes = 0
  let pages = 0
  try {
    await writeWhole(path, async (file) => {
      for (;;) {
        const piece = await cdp.send('IO.read', { handle: stream, size: STREAM_BYTES })
        const data = Buffer.from(piece.data, piece.base64Encoded === true ? 'base64' : 'utf8')
        bytes += data.length
        if (bytes > MOST_PDF_BYTES) throw new Error(`more than ${MOST_PDF_BYTES} bytes`)
        pages += data.toString('latin1').match(PDF_PAGE)?.length ?? 0
        await file.writeFile(data)
        if (piece.eof) return
      }
    })
  } finally {
    await cdp.send('IO.close', { handle: stream }).catch(() => undefined)
  }
  captures.push({ type: 'pdf', path, bytes })
  if (pages < MOST_PDF_PAGES || !(await hasMorePages(cdp, wish))) return 'done'
  notes.push(`the PDF has its first ${MOST_PDF_PAGES} pages`)
  return `done, cut at ${MOST_PDF_PAGES} pages`
}

async function captureDocument({ captures, folder, page, reader, url }: ActionTools): Promise<string> {
  const used = captures.reduce((sum, { bytes, type }) => (type === 'scrape' ? sum + bytes : sum), 0)
  const read = (await reader.run(READ_DOCUMENT(MOST_SCRAPED_BYTES, url), CAPTURE_MS)) as { html: string } | { tooLarge: number }
  const content = 'html' in read ? Buffer.from(JSON.stringify({ url: page.url(), html: read.html })) : null
  if (content === null || used + content.length > MOST_SCRAPED_BYTES)
    return `its documents have more than ${MOST_SCRAPED_BYTES / 1024 ** 2} MB together`
  const path = join(folder, `${randomUUID()}.json`)
  await writeWhole(path, (file) => file.writeFile(content))
  captures.push({ type: 'scrape', path, bytes: content.length })
  return 'done'
}

/** Writes a file; if that fails, also on a full disk, nothing of it is left. */
async function writeWhole(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    const file = await open(path, 'w')
    await write(file).finally(() => file.close())
  } catch (fault) {
    await rm(path, { force: true })
    const { code, syscall } = fault as NodeJS.ErrnoException
    throw syscall === undefined ? fault : new Error(`its file could not be written (${code})`)
  }
}

/** Prints a PDF and returns a handle of its bytes. Rejects when the page has none of the requested PDF pages. */
async function print(cdp: CDPSession, { isLandscape, paper, scale }: Print, pageRanges: string): Promise<string> {
  const { stream } = await cdp.send('Page.printToPDF', {
    printBackground: true,
    preferCSSPageSize: paper === undefined,
    ...(paper !== undefined && { paperWidth: paper.width, paperHeight: paper.height }),
    ...(isLandscape === true && { landscape: true }),
    ...(scale !== undefined && { scale }),
    pageRanges,
    transferMode: 'ReturnAsStream',
  })
  if (stream === undefined) throw new Error('no PDF')
  return stream
}

/** Whether a PDF with the most pages was cut: tries to print one page more. */
async function hasMorePages(cdp: CDPSession, wish: Print): Promise<boolean> {
  const next = await print(cdp, wish, String(MOST_PDF_PAGES + 1)).catch(() => null)
  if (next === null) return false
  await cdp.send('IO.close', { handle: next }).catch(() => undefined)
  return true
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(TOO_LONG)), ms)
  })
  work.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** What Playwright says of an element that it has waited for in vain. */
const TIMED_OUT = /Timeout \d+ms exceeded/

const textOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault))

function reasonOf(fault: unknown): string {
  const text = textOf(fault)
  if (TIMED_OUT.test(text)) return 'nothing matched in time'
  if (/Unexpected token|is not a valid selector|while parsing (?:css )?selector/i.test(text)) return 'not a valid selector'
  if (/Unknown key/.test(text)) return 'not the name of a key'
  return text.split('\n', 1)[0]!.slice(0, 120)
}
