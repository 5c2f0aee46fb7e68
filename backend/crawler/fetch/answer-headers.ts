import { parseZoned } from './zoned-dates.ts'
import { isUtf8 } from 'node:buffer'
import { encodeBytes } from '#backend/crawler/url/encode-bytes.ts'

/** The response headers that the crawler reads. */
export type AnswerHeaders = {
  cacheControl: string | null
  contentEncoding: string
  contentLength: number | null
  contentType: string | null
  date: string | null
  etag: string | null
  lastModified: string | null
  link: string | null
  /** Several different ones are `conflict`. */
  location: string | null | { conflict: true }
  refresh: string | null
  retryAfter: string | null
  /** Several `X-Robots-Tag` are lines: each may begin with the name of a crawler. */
  robotsTag: string | null
  setCookies: string[]
  /** A `Transfer-Encoding` that we did not ask for and cannot decode: all but `chunked` and `identity`. */
  transferCoding: string | null
  isChunked: boolean
}

/** The statuses whose Location is followed; other 3xx count as plain answers. */
export function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308
}

/**
 * Converts `Retry-After`, seconds or a date, to milliseconds from now; null when it is neither (RFC 9110, 10.2.3).
 *
 * @param sentAt  the header `Date`: the clock of the server may be wrong, and both dates are of that clock
 */
export function readRetryAfter(value: string, now: number, sentAt: string | null = null): number | null {
  const text = value.trim()
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER)
  const at = readHttpDate(text)
  if (at === null) return null
  const untilThen = at - now
  const stated = sentAt === null ? null : readHttpDate(sentAt)
  if (stated === null) return Math.max(0, untilThen)
  // An answer from a cache has an old date, and then our clock tells better.
  return Math.max(0, untilThen > 0 ? Math.min(untilThen, at - stated) : at - stated)
}

/** An instant in one of the three forms of RFC 9110, 5.6.7, all of them in UTC; null when it is none. */
export function readHttpDate(text: string): number | null {
  if (!/^[A-Za-z]{3,9},? /.test(text)) return null
  // The old form of C's `asctime` names no zone.
  const at = parseZoned(text)
  return Number.isNaN(at) ? null : at
}

/** Reads our headers from undici's list of names and values. Where a header may occur once, the first one counts, but of media types the last. */
export function readHeaders(raw: Buffer[]): AnswerHeaders {
  const headers: AnswerHeaders = {
    cacheControl: null,
    contentEncoding: '',
    contentLength: null,
    contentType: null,
    date: null,
    etag: null,
    lastModified: null,
    link: null,
    location: null,
    refresh: null,
    retryAfter: null,
    robotsTag: null,
    setCookies: [],
    transferCoding: null,
    isChunked: false,
  }
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!
    // compare lengths first: most headers are not ours
    switch (name.length) {
      case 4:
        if (isName(name, 'etag')) headers.etag ??= latin(raw[i + 1]!)
        else if (isName(name, 'date')) headers.date ??= latin(raw[i + 1]!)
        else if (isName(name, 'link')) headers.link = joined(headers.link, raw[i + 1]!.toString('utf8'))
        break
      case 7:
        if (isName(name, 'refresh')) headers.refresh ??= raw[i + 1]!.toString('utf8')
        break
      case 8:
        if (isName(name, 'location')) headers.location = oneLocation(headers.location, raw[i + 1]!)
        break
      case 10:
        if (isName(name, 'set-cookie') && headers.setCookies.length < 50) headers.setCookies.push(latin(raw[i + 1]!))
        break
      case 11:
        if (isName(name, 'retry-after')) headers.retryAfter ??= latin(raw[i + 1]!)
        break
      case 12:
        if (isName(name, 'content-type')) headers.contentType = lastType(headers.contentType, latin(raw[i + 1]!))
        else if (isName(name, 'x-robots-tag')) headers.robotsTag = [headers.robotsTag, latin(raw[i + 1]!)].filter(Boolean).join('\n')
        break
      case 13:
        if (isName(name, 'cache-control')) headers.cacheControl = joined(headers.cacheControl, latin(raw[i + 1]!))
        else if (isName(name, 'last-modified')) headers.lastModified ??= latin(raw[i + 1]!)
        break
      case 14:
        if (isName(name, 'content-length')) headers.contentLength = Number(latin(raw[i + 1]!))
        break
      case 16:
        if (isName(name, 'content-encoding'))
          headers.contentEncoding = joined(headers.contentEncoding || null, latin(raw[i + 1]!).toLowerCase())
        break
      case 17:
        // RFC 9112, 7: as we send no `TE`, only a single `chunked` is allowed.
        if (isName(name, 'transfer-encoding')) {
          const coding = latin(raw[i + 1]!).trim()
          headers.isChunked ||= coding.toLowerCase() === 'chunked'
          if (!/^(?:chunked|identity)?$/i.test(coding)) headers.transferCoding = coding
        }
        break
    }
  }
  if (headers.contentLength !== null && !(headers.contentLength >= 0)) headers.contentLength = null
  return headers
}

function isName(name: Buffer, lower: string): boolean {
  return latin(name).toLowerCase() === lower
}

function latin(bytes: Buffer): string {
  return bytes.toString('latin1')
}

/** Of several media types the last one that can be read (Fetch, "extract a MIME type"); the same one without a charset leaves that of the first. */
function lastType(before: string | null, value: string): string {
  if (!value.includes(',')) return laterType(before, value)
  const types = value.match(LIST_ITEM) ?? []
  return types.reduce((last: string | null, type) => laterType(last, type.trim()), before) ?? value
}

/** An item of a list, up to the next comma outside of quotes (RFC 9110, 5.6.1). */
const LIST_ITEM = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g

function laterType(before: string | null, value: string): string {
  if (before === null) return value
  const type = typeOf(value)
  const isKept = type === null || type === '*/*' || (type === typeOf(before) && !/;\s*charset\s*=/i.test(value))
  return isKept ? before : value
}

function typeOf(value: string): string | null {
  return /^\s*([^\s/;,]+\/[^\s/;,]+)\s*(?:;|$)/.exec(value)?.[1]?.toLowerCase() ?? null
}

function joined(before: string | null, value: string): string {
  return before === null ? value : `${before}, ${value}`
}

/**
 * In practice Location is UTF-8. Bytes of another encoding go back to the server as they came, percent-encoded. Two different ones may be
 * an attack (response splitting), so neither counts.
 */
function oneLocation(before: AnswerHeaders['location'], value: Buffer): AnswerHeaders['location'] {
  const text = (isUtf8(value) ? value.toString('utf8') : encodeBytes(latin(value))).trim()
  return before === null || before === text ? text : { conflict: true }
}
