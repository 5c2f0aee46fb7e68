/**
 * The Fetcher port: what the engine asks of the code that fetches a URL.
 *
 * Nothing the web does is an exception here. A fetch ends in one of three ways: bytes (`fetched`, whatever the status),
 * a redirect that leaves the host (`redirected`, to be judged as a URL of its own) or a named reason (`failure`).
 */
import type { Proxy } from './proxy.ts'

/** Why a fetch failed. The table in `politeness.ts` says what follows from each reason. */
export type FailureReason =
  | 'dns'
  | 'connect'
  | 'timeout'
  | 'tls'
  | 'reset'
  | 'refused_address'
  | 'proxy'
  | 'too_large'
  | 'bad_encoding'
  | 'protocol'
  | 'redirect_limit'
  | 'redirect_loop'
  | 'bad_redirect'
  | 'robots'
  | 'robots_unreachable'
  | 'canceled'

/**
 * Takes the pieces of a body in order; the next one waits for the promise, and meanwhile nothing more is read from the connection.
 * `enough` ends the answer as it is (`truncated`); what it throws ends the fetch as `canceled`.
 */
export type BodySink = (chunk: Uint8Array) => void | 'enough' | Promise<void | 'enough'>

export type FetchRequest = {
  /** Absolute http(s) URL as it shall be fetched, without fragment and userinfo. */
  url: string
  /** Extra headers. They are sent to this host key only; nothing of them reaches another one. */
  headers: Record<string, string>
  /** Most milliseconds for all hops together, waiting in `beforeHop` and for memory not counted. */
  timeoutMs: number
  /** Most bytes of the body on the wire. */
  maxBytes: number
  /** Opaque key: whose part of the memory for bodies it takes. */
  share?: string
  signal: AbortSignal
  /** What all hops leave through, and nothing else ever; null and absent: no proxy. */
  proxy?: Proxy | null
  /**
   * What a body over `maxBytes` comes to: `fail` (default) is the failure `too_large`, `cut` keeps the first `maxBytes`
   * and says so in `truncated`. `cut_html` cuts HTML that neither declared its length nor is packed, and fails for all else: the beginning of
   * a page is worth reading, that of an archive is not.
   */
  overflow?: 'fail' | 'cut' | 'cut_html'
  /** Asked when the head of an answer is there; true leaves the body unread (`truncated`, empty). */
  skipBody?: (contentType: string | null, status: number) => boolean
  /**
   * Asked when the head of an answer is there; a function takes the body piece by piece as it is on the wire, and `body` stays empty.
   * Null, or a redirect that is followed: the body goes its usual way.
   */
  stream?: (head: { url: string; status: number; contentType: string | null; contentEncoding: string }) => BodySink | null
  /** Asked a few times a second while nothing comes, with the milliseconds of silence; true ends the fetch as `timeout`. */
  isLate?: (silentMs: number) => boolean
  /** Asked before each further hop on the same host key: waits the host's pause and judges its robots rules. */
  beforeHop?: (url: string) => Promise<'go' | FailureReason>
}

export type Fetched = {
  kind: 'fetched'
  /** The URL the body came from: of the request, or of its last hop (then in canonical spelling). */
  url: string
  status: number
  headers: {
    contentType: string | null
    /** Lower-case list as the server named it; empty when the body is plain. */
    contentEncoding: string
    /** From `Retry-After`, seconds or date; null when absent or not understood. */
    retryAfterMs: number | null
    cacheControl: string | null
    /** As the origin wrote them. */
    etag?: string | null
    lastModified?: string | null
    location?: string
  }
  /** As on the wire, still content-encoded, in an ArrayBuffer of its own. */
  body: Uint8Array<ArrayBuffer>
  /** True when the body is not whole: cut at `maxBytes` (only with `overflow` other than `fail`), left by `skipBody`, or a 206. */
  truncated: boolean
  /** The URLs that redirected, in order; empty when none did. */
  hops: string[]
  /** Request sent to first byte of the answer, of the last hop. */
  firstByteMs: number
  tookMs: number
}

export type Redirected = {
  kind: 'redirected'
  /** Absolute canonical target on another host key. It has not been asked. */
  to: string
  status: number
  hops: string[]
  tookMs: number
}

export type FetchFailure = {
  kind: 'failure'
  reason: FailureReason
  /** One line for logs and feeds; names no address that a stranger should not learn. */
  detail: string
  status?: number
  retryAfterMs?: number | null
  tookMs: number
}

export type FetchOutcome = Fetched | Redirected | FetchFailure

export type Fetcher = {
  /** Never rejects for what the web does. At most one outcome, and after it nothing more is sent for this request. */
  fetch(request: FetchRequest): Promise<FetchOutcome>
  /** Ends fetches in progress as `canceled` and takes no more. Connections belong to the egress, which its creator closes. */
  close(): Promise<void>
}
