/**
 * The Renderer port: how the engine has pages rendered by a browser.
 *
 * Nothing the web does is an exception here. A rendering ends with the document as the browser had it, a redirect that leaves the host, a
 * body that is no page, or a named reason; `unavailable` says that there is no browser to ask.
 */
import type { BLOCKABLE } from '#contract/document-types.ts'
import type { FailureReason } from '#backend/crawler/fetch/fetcher.ts'
import type { Proxy } from '#backend/crawler/fetch/proxy.ts'

/** What is done on a page before it is read, in order. `screenshot` and `pdf` capture it as it is at that moment. */
export type PageAction =
  | Shot
  | { type: 'pdf' }
  /** The first element that the CSS selector names. */
  | { type: 'click'; selector: string }
  | { type: 'type'; selector: string; text: string }
  /** A key by its name (`Enter`, `PageDown`), for the element that has the focus. */
  | { type: 'press'; key: string }
  /** By so many CSS pixels; without a number to the end of the page. */
  | { type: 'scroll'; pixels: number | null }
  /** For so many milliseconds, or until the selector names a visible element. */
  | { type: 'wait'; ms: number }
  | { type: 'wait'; selector: string }

/** A picture: PNG of the whole page unless told. */
export type Shot = {
  type: 'screenshot'
  /** Only what stands in the window. */
  area?: 'window'
  /** JPEG of this quality, 1 to 100. */
  quality?: number
  /** Size of the window while the picture is taken, in CSS pixels. */
  window?: { width: number; height: number }
}

export type RenderJob = {
  /** Absolute http(s) URL. */
  url: string
  /** BCP 47 tag. */
  locale: string
  /** Sent to the origin of `url` alone; names in lower case. */
  headers: Record<string, string>
  /** What all requests of the page leave through; null: no proxy. */
  proxy: Proxy | null
  /** Most milliseconds of loading. */
  timeoutMs: number
  /** Milliseconds between the load of the page and its reading. */
  waitMs: number
  /** CSS selector of a button that is clicked when it appears. */
  consentSelector: string | null
  actions: PageAction[]
  viewport: 'desktop' | 'mobile'
  blocks: (typeof BLOCKABLE)[number][]
  /** Most bytes of the document. */
  maxBytes: number
}

/** A file of the renderer; the receiver removes it. */
export type Capture = { type: 'screenshot' | 'pdf'; path: string; bytes: number; isJpeg?: true }

export type Rendered = {
  kind: 'rendered'
  /** The address that the document was asked by, whatever scripts have made of it since. */
  url: string
  status: number
  contentType: string | null
  retryAfter: string | null
  /** UTF-8; empty for a status that brings no page. */
  html: Uint8Array<ArrayBuffer>
  captures: Capture[]
  /** What came of each action, in words, in the order of the job's. */
  actions: string[]
  /** What people should be told of this page: `the screenshot was cut …`. */
  notes: string[]
  hops: string[]
  firstByteMs: number
  tookMs: number
}

export type RenderOutcome =
  | Rendered
  /** To another host; it has not been asked. */
  | { kind: 'redirected'; to: string; status: number; hops: string[]; tookMs: number }
  /** A download, or a type that is no HTML: plain HTTP brings it. */
  | { kind: 'no_page'; detail: string; tookMs: number }
  | { kind: 'failure'; reason: FailureReason | 'render_failed'; detail: string; status?: number; tookMs: number }
  | { kind: 'unavailable'; detail: string }

export type Renderer = {
  /** Pages at once. */
  readonly slots: number
  /** Never rejects for what the web does, and ends within the job's times and half a minute. */
  render(job: RenderJob, watch: { signal: AbortSignal; beforeHop: (url: string) => Promise<'go' | FailureReason> }): Promise<RenderOutcome>
  close(): Promise<void>
}
