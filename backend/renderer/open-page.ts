/** Opens an empty page, with a browser context and a proxy of its own, into which a document is then loaded. */
import type { Browser, BrowserContext, CDPSession, Dialog, Page } from 'playwright-core'
import { openBrowserWay } from '#backend/crawler/fetch/browser-proxy.ts'
import type { BrowserWay } from '#backend/crawler/fetch/browser-proxy.ts'
import type { Egress } from '#backend/crawler/fetch/egress.ts'
import type { RenderJob } from '#backend/crawler/crawl/renderer.ts'
import { BEFORE_PAGE } from './page-scripts.ts'

const MOST_REQUESTS = 1500
/** The byte limit of everything that a page loads, as a multiple of the limit of its document. */
const BYTES_PER_DOCUMENT = 10
const MOBILE_AGENT = 'Mobile'
/** Longest wait for a context to close. */
const CLOSE_MS = 5000

const VIEWPORTS = {
  desktop: { viewport: { width: 1366, height: 900 } },
  mobile: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
} as const

/** The settings of a job that an empty page depends on. */
export type PageSettings = Pick<RenderJob, 'viewport' | 'locale' | 'proxy' | 'maxBytes'>

export type OpenPage = {
  context: BrowserContext
  page: Page
  cdp: CDPSession
  mainFrame: string
  way: BrowserWay
  /** Calls back whenever the page has stopped loading: also when the navigation of its own that ended its parsing came to nothing. */
  onStopped: (listener: () => void) => void
  /** Rejects when the page crashes or closes itself. */
  crash: Promise<never>
  /** Settles within five seconds; never rejects. */
  close: () => Promise<void>
}

/** Opens an empty page. Rejects when the browser cannot. */
export async function openPage(
  browser: Browser,
  { locale, maxBytes, proxy, viewport }: PageSettings,
  { egress, userAgent }: { egress: Egress; userAgent: string },
): Promise<OpenPage> {
  const way = await openBrowserWay({ egress, most: { bytes: maxBytes * BYTES_PER_DOCUMENT, requests: MOST_REQUESTS }, proxy })
  let context: BrowserContext | null = null
  try {
    context = await browser.newContext({
      ...VIEWPORTS[viewport],
      userAgent: viewport === 'mobile' ? `${userAgent} ${MOBILE_AGENT}` : userAgent,
      locale: localeOf(locale),
      proxy: { server: `http://127.0.0.1:${way.port}`, bypass: '<-loopback>' },
      serviceWorkers: 'block',
      acceptDownloads: false,
    })
    await context.addInitScript(BEFORE_PAGE)
    const page = await context.newPage()
    const crash = new Promise<never>((_resolve, reject) => {
      page.once('crash', () => reject(new Error('the page has crashed')))
      page.once('close', () => reject(new Error('the page has closed itself')))
    })
    crash.catch(() => undefined)
    page.on('dialog', (dialog) => void answer(dialog).catch(() => undefined))
    // Close windows that the browser opens all the same.
    context.on('page', (other) => void other.close().catch(() => undefined))
    const cdp = await context.newCDPSession(page)
    await cdp.send('Page.enable')
    const { frameTree } = await cdp.send('Page.getFrameTree')
    const mainFrame = frameTree.frame.id
    const onStopped = (listener: () => void) => cdp.on('Page.frameStoppedLoading', ({ frameId }) => frameId === mainFrame && listener())
    return { context, page, cdp, mainFrame, way, onStopped, crash, close: () => closeAll(way, context) }
  } catch (fault) {
    void closeAll(way, context)
    throw fault
  }
}

/** A page that asks whether it may be left is left: a click asked for it. */
const answer = (dialog: Dialog) => (dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss())

async function closeAll(way: BrowserWay, context: BrowserContext | null): Promise<void> {
  way.close()
  const closing = context?.close().catch(() => undefined)
  await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())])
}

/** The locale, or Chromium's default for one that it does not know. */
function localeOf(text: string): string {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? 'en-US'
  } catch {
    return 'en-US'
  }
}
