import { NOBODY_THERE } from './robots-cache.ts'
import type { RobotsAnswer } from './robots-cache.ts'
import { MAX_ROBOTS_BYTES, decodeRobots, wholeLines } from './robots.ts'
import { decodePrefix, readEncodings } from '#backend/crawler/fetch/decode-body.ts'
import type { Fetched, Fetcher } from '#backend/crawler/fetch/fetcher.ts'
import type { Proxy } from '#backend/crawler/fetch/proxy.ts'
import type { Trail } from '#backend/crawler/fetch/trail.ts'
import { isWholeBody } from '#backend/crawler/fetch/whole-body.ts'

/** RFC 9309, 2.3.1.2 asks for at least five. The fetcher counts redirects within a host. */
const MAX_HOST_CHANGES = 5
export const ROBOTS_TIMEOUT_MS = 20_000

/**
 * Fetches a robots file, following redirects to other hosts. The guard judges each of them, and the rules apply to the origin that was
 * asked first. A file over 512 KiB is cut, not rejected.
 *
 * @param beforeHop  waits the pause of the next host; robots rules do not apply to a robots file
 */
export function robotsFetch({
  beforeHop,
  fetcher,
  timeoutMs = ROBOTS_TIMEOUT_MS,
}: {
  beforeHop?: (url: string, signal: AbortSignal, proxy: Proxy | null) => Promise<void>
  fetcher: Fetcher
  timeoutMs?: number
}) {
  return async (
    robotsUrl: string,
    signal: AbortSignal = new AbortController().signal,
    proxy: Proxy | null = null,
  ): Promise<RobotsAnswer> => {
    let url = robotsUrl
    let trail: Trail | undefined
    for (let changes = 0; changes <= MAX_HOST_CHANGES; changes += 1) {
      const fetched = await fetcher.fetch({
        url,
        headers: {},
        timeoutMs,
        maxBytes: MAX_ROBOTS_BYTES,
        overflow: 'cut',
        proxy,
        signal,
        trail,
        beforeHop: async (hop) => {
          await beforeHop?.(hop, signal, proxy)
          return 'go'
        },
      })
      if (fetched.kind === 'failure') {
        // The redirect target is down, which says nothing about the origin itself.
        const isElsewhere = changes > 0 && NOBODY_THERE.has(fetched.reason)
        return {
          kind: 'failure',
          reason: isElsewhere ? 'robots_unreachable' : fetched.reason,
          detail: isElsewhere ? `it redirects to a host that cannot be asked (${fetched.detail})` : fetched.detail,
          isSilent: changes === 0 && fetched.reason === 'timeout' && fetched.status === undefined,
        }
      }
      if (fetched.kind === 'fetched') {
        const { cacheControl, contentEncoding } = fetched.headers
        const bytes = await decodePrefix(fetched.body, contentEncoding, MAX_ROBOTS_BYTES)
        if (bytes === null)
          return { kind: 'failure', reason: 'bad_encoding', detail: `its encoding ${contentEncoding.slice(0, 40)} is broken or unknown` }
        const text = decodeRobots(bytes)
        const isCut = fetched.truncated || bytes.length === MAX_ROBOTS_BYTES || !(await isDecodedWhole(fetched))
        return { kind: 'answer', status: fetched.status, text: isCut ? wholeLines(text) : text, maxAgeMs: readMaxAge(cacheControl) }
      }
      url = fetched.to
      trail = fetched.trail
      await beforeHop?.(url, signal, proxy)
    }
    return { kind: 'failure', reason: 'redirect_limit' }
  }
}

/** False when an encoded file breaks off. */
async function isDecodedWhole({ body, headers }: Fetched): Promise<boolean> {
  return readEncodings(headers.contentEncoding).length === 0 || (await isWholeBody(body, headers, MAX_ROBOTS_BYTES))
}

/** Milliseconds for which `Cache-Control` allows caching: 0 when it forbids it, null when it says nothing. */
function readMaxAge(cacheControl: string | null): number | null {
  if (cacheControl === null) return null
  if (/\b(?:no-store|no-cache)\b/i.test(cacheControl)) return 0
  const seconds = /\bmax-age\s*=\s*"?(\d{1,9})\b/i.exec(cacheControl)
  return seconds === null ? null : Number(seconds[1]) * 1000
}
