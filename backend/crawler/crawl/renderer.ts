/**
 * The Renderer port: how the engine has pages rendered by a browser.
 *
 * A failing site is no exception here. A rendering ends with the document as the browser has it, a redirect to another host, a body that is
 * no page, or a named reason; `unavailable` means that there is no browser.
 */
import type { BLOCKABLE } from '#contract/document-types.ts'
import type { FailureReason, HopVerdict } from '#backend/crawler/fetch/fetcher.ts'
import type { Proxy } from '#backend/crawler/fetch/proxy.ts'

/** Actions on a page before it is read, in order. `screenshot`, `pdf` and `scrape` capture it as it is at that moment. */
export type PageAction =
  | Shot
  | Print
  /** Captures its document and URL. */
  | { type: 'scrape' }
  /** The first element that the CSS selector names; with `all` every visible one, and it is no fault if there is none. */
  | { type: 'click'; selector: string; all?: true }
  | { type: 'type'; selector: string; text: string }
  /** A key by its name (`Enter`, `PageDown`), pressed on the element with the focus. */
  | { type: 'press'; key: string }
  /** In CSS pixels, of the page or of the first element that the selector names; null scrolls to the end of the page. */
  | { type: 'scroll'; pixels: number | null; selector?: string }
  /** Milliseconds, or until the selector matches a visible element. */
  | { type: 'wait'; ms: number }
  | { type: 'wait'; selector: string }

/** A screenshot; by default a PNG of the whole page. */
export type Shot = {
  type: 'screenshot'
  /** Only the visible part of the window. */
  area?: 'window'
  /** JPEG of this quality, 1 to 100. */
  quality?: number
  /** Size of the window while the picture is taken, in CSS pixels. */
  window?: { width: number; height: number }
}

/** A PDF; by default of the size that the page asks for, else Letter. */
export type Print = {
  type: 'pdf'
  /** Size of its pages in inches. */
  paper?: { width: number; height: number }
  isLandscape?: true
  /** 0.1 to 2. */
  scale?: number
}

export type RenderJob = {
  /** Absolute http(s) URL. */
  url: string
  /** BCP 47 tag. */
  locale: string
  /** Sent to the origin of `url` alone; names in lower case. */
  headers: Record<string, string>
  /** The proxy of all requests of the page; null without one. */
  proxy: Proxy | null
  /** Most milliseconds for loading. */
  timeoutMs: number
  /** Milliseconds to wait between the load of the page and its reading. */
  waitMs: number
  /** CSS selector of a button that is clicked when it appears: a cookie banner's. */
  consentSelector: string | null
  actions: PageAction[]
  viewport: 'desktop' | 'mobile'
  blocks: (typeof BLOCKABLE)[number][]
  /** Most bytes of the document. */
  maxBytes: number
}

/** A file that the renderer has written; the receiver deletes it. */
export type Capture = { type: 'screenshot' | 'pdf' | 'scrape'; path: string; bytes: number; isJpeg?: true }

/** Does the action capture the page rather than change it? */
export const isCapture = ({ type }: PageAction): boolean => type === 'screenshot' || type === 'pdf' || type === 'scrape'

export type Rendered = {
  kind: 'rendered'
  /** The URL that the document was requested by, even if scripts have changed the location since. */
  url: string
  status: number
  contentType: string | null
  retryAfter: string | null
  /** UTF-8; empty for a status without a page. */
  html: Uint8Array<ArrayBuffer>
  captures: Capture[]
  /** The result of each action, in plain words and in order. */
  actions: string[]
  /** Notes for the crawl's feed: `the screenshot was cut …`. */
  notes: string[]
  hops: string[]
  /** The URL on another host to which the page's scripts wanted to navigate. */
  leadsTo?: string
  firstByteMs: number
  tookMs: number
}

export type RenderOutcome =
  | Rendered
  /** To another host, which has not been asked. */
  | { kind: 'redirected'; to: string; status: number; hops: string[]; tookMs: number }
  /** A download, or a type other than HTML: for a plain fetch. */
  | { kind: 'no_page'; detail: string; tookMs: number }
  | { kind: 'failure'; reason: FailureReason | 'render_failed'; detail: string; status?: number; tookMs: number }
  | { kind: 'unavailable'; detail: string }

export type Renderer = {
  /** Pages at once. */
  readonly slots: number
  /** Never rejects for failures of the site, and ends within the times of the job and its actions plus 30 s. */
  render(job: RenderJob, watch: { signal: AbortSignal; beforeHop: (url: string) => Promise<HopVerdict> }): Promise<RenderOutcome>
  close(): Promise<void>
}
