/** What the headers of an answer say of its page, for pages and for documents that have no element to say it. */
import { refreshTarget } from './page.ts'
import { LinkResolver } from '#backend/crawler/url/resolve-url.ts'

/** Headers as they came; several `Link` headers are one list, several `X-Robots-Tag` are lines. */
export type SaidByAnswer = { link?: string; refresh?: string; robotsTag?: string }

/**
 * One link of the list: its target, and its parameters up to the next comma outside of quotes (RFC 8288, 3). A target holds no `<`, so that a row
 * of them is not read again for each.
 */
const LINK = /<([^<>]*)>((?:[^",]|"[^"]*")*)/g
const CANONICAL = /;\s*rel\s*=\s*(?:"(?:[^"]*\s)?canonical(?:\s[^"]*)?"|canonical\s*(?:;|$))/i
/** The link is one of another resource. */
const ANCHOR = /;\s*anchor\s*=/i

/** The URL that a `Link` header calls canonical (RFC 6596), absolute; null without one. */
export function canonicalOfAnswer({ link }: SaidByAnswer, url: string): string | null {
  if (link === undefined || !/canonical/i.test(link)) return null
  for (const [, target = '', parameters = ''] of link.matchAll(LINK))
    if (CANONICAL.test(parameters) && !ANCHOR.test(parameters)) return new LinkResolver(url, null).resolve(target.trim())
  return null
}

/** Where a `Refresh` header leads within ten seconds; null without one. */
export function refreshOfAnswer({ refresh }: SaidByAnswer, url: string): string | null {
  return refresh === undefined ? null : refreshTarget(refresh, url, new LinkResolver(url, null))
}
