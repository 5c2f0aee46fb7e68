/**
 * The Fetcher port: what the engine asks of the code that fetches a URL.
 *
 * A failing site is no exception here. A fetch ends in one of three ways: bytes (`fetched`, whatever the status), a redirect to another
 * host (`redirected`, to be judged as a URL of its own) or a named reason (`failure`).
 */
import type { Proxy } from './proxy.ts'
import type { Trail } from './trail.ts'

/** Why a fetch failed. The table in `politeness.ts` has the consequences of each reason. */
export type FailureReason =
  | 'dns'
  /** The name server failed or did not answer: the name may exist. */
  | 'name_server'
  /** This machine has no file handle, port or memory for one more connection. */
  | 'no_socket'
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
 * Receives the pieces of a body in order. The next piece waits for the promise, and meanwhile nothing more is read from the connection.
 * `enough` ends the body there (`truncated`); an error ends the fetch as `canceled`.
 */
export type BodySink = (chunk: Uint8Array) => void | 'enough' | Promise<void | 'enough'>

export type FetchRequest = {
  /** Absolute http(s) URL, fetched as it is; without fragment and userinfo. */
  url: string
  /** Extra headers. They are sent to this host key only. */
  headers: Record<string, string>
  /** Most milliseconds for all hops together, without the time in `beforeHop` and the wait for memory. */
  timeoutMs: number
  /** Most bytes of the body on the wire. */
  maxBytes: number
  /** Opaque key of the share whose memory for bodies is used. */
  share?: string
  signal: AbortSignal
  /** The proxy of all hops; null and absent: none. The fetcher never goes around it. */
  proxy?: Proxy | null
  /**
   * What happens to a body over `maxBytes`: `fail` (default) fails as `too_large`; `cut` keeps the first `maxBytes` and sets `truncated`;
   * `cut_html` cuts HTML that neither declares its length nor is compressed, and fails for all else, because the beginning of a page is
   * useful and that of an archive is not.
   */
  overflow?: 'fail' | 'cut' | 'cut_html'
  /** Called with the head of an answer; true skips the body (`truncated`, empty). */
  skipBody?: (contentType: string | null, status: number) => boolean
  /**
   * Called with the head of an answer. May return a sink, which receives the body piece by piece as on the wire; `body` stays empty. Null,
   * or a redirect that is followed: the body is read as usual.
   */
  stream?: (head: { url: string; status: number; contentType: string | null; contentEncoding: string }) => BodySink | null
  /** Called a few times a second while nothing arrives, with the milliseconds of silence; true ends the fetch as `timeout`. */
  isLate?: (silentMs: number) => boolean
  /** Of the redirects from other hosts to this URL. */
  trail?: Trail | undefined
  /** Called before each further hop on the same host key: waits the host's pause and checks its robots rules. */
  beforeHop?: (url: string) => Promise<HopVerdict>
}

/** Whether a redirect within a host is followed. `redirected`: the fetch ends there, as if the target were on another host. */
export type HopVerdict = 'go' | 'redirected' | FailureReason

export type Fetched = {
  kind: 'fetched'
  /** The URL that the body came from: the requested one, or the last hop in canonical spelling. */
  url: string
  status: number
  headers: {
    contentType: string | null
    /** The header's list in lower case; empty without an encoding. */
    contentEncoding: string
    /** From `Retry-After`, seconds or date; null when absent or invalid. */
    retryAfterMs: number | null
    cacheControl: string | null
    /** Spelled as the origin sent them. */
    etag?: string | null
    lastModified?: string | null
    location?: string
    link?: string
    refresh?: string
    /** A line for each header. */
    robotsTag?: string
  }
  /** As on the wire, still content-encoded, in an ArrayBuffer of its own. */
  body: Uint8Array<ArrayBuffer>
  /** The body is not complete: cut at `maxBytes` (only with `overflow` other than `fail`), skipped by `skipBody`, or a 206. */
  truncated: boolean
  /** The URLs that redirected, in order; empty without redirects. */
  hops: string[]
  /** From the request to the first byte of the answer, on the last hop. */
  firstByteMs: number
  tookMs: number
}

export type Redirected = {
  kind: 'redirected'
  /** Absolute canonical target, on another host key unless `beforeHop` ended the fetch. It has not been requested. */
  to: string
  status: number
  hops: string[]
  tookMs: number
  /** For the request of the target. */
  trail?: Trail
}

export type FetchFailure = {
  kind: 'failure'
  reason: FailureReason
  /** One line for logs and feeds, without internal addresses. */
  detail: string
  status?: number
  retryAfterMs?: number | null
  tookMs: number
}

export type FetchOutcome = Fetched | Redirected | FetchFailure

export type Fetcher = {
  /** Never rejects for failures of the site. Returns one outcome, and sends nothing more for this request afterwards. */
  fetch(request: FetchRequest): Promise<FetchOutcome>
  /** Ends fetches in progress as `canceled` and accepts no more. The connections belong to the egress, which its creator closes. */
  close(): Promise<void>
}
