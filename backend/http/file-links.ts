/** Download links that need no header: signed over path and expiry, created at every read. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '#backend/errors.ts'
import { queryText } from './pagination.ts'
import type { Query } from './pagination.ts'

/**
 * @param key           secret for these links alone, derived from the service's own
 * @param validSeconds  lifetime of a link
 */
export function createFileLinks({ key, now, validSeconds }: { key: Buffer; now: () => number; validSeconds: number }) {
  return { sign, check }

  /** The absolute link to a path under this service. */
  function sign(baseUrl: string, path: string): string {
    const expires = Math.floor(now() / 1000) + validSeconds
    return `${baseUrl}${path}?expires=${expires}&signature=${signature(path, expires).toString('base64url')}`
  }

  /** Throws `bad_link` unless the query has a valid, unexpired signature for this path. */
  function check(path: string, query: Query): void {
    const expires = Number(queryText(query, 'expires'))
    const given = Buffer.from(queryText(query, 'signature') ?? '', 'base64url')
    if (!Number.isSafeInteger(expires) || expires * 1000 <= now()) throw new AppError('bad_link')
    const right = signature(path, expires)
    if (given.length !== right.length || !timingSafeEqual(given, right)) throw new AppError('bad_link')
  }

  function signature(path: string, expires: number): Buffer {
    return createHmac('sha256', key)
      .update(`${signedPath(path)}\n${expires}`)
      .digest()
  }
}

export type FileLinks = ReturnType<typeof createFileLinks>

// Ids ignore case, and so does the final slash. A generated client encodes slashes, because OpenAPI has only parameters of one segment. The
// link to a sitemap's JSON also opens its other formats, because one published client makes their URLs by replacing the end of the link.
const signedPath = (path: string) =>
  path
    .replaceAll(/%2f/gi, '/')
    .toLowerCase()
    .replace(/\/+$/, '')
    .replace(/\/sitemap\/(?:graph|markdown|xml)$/, '/sitemap/json')
