import { hash } from 'node:crypto'
import { urlIdentity } from '#backend/crawler/url/canonical-url.ts'
import { createCookieJar } from './cookie-jar.ts'
import type { CookieJar } from './cookie-jar.ts'

/**
 * The memory of a chain of redirects: its cookies, and the URLs that it has visited. Many sites set a cookie, redirect to another host and
 * back, and serve the page only with the cookie.
 */
export class Trail {
  readonly #jar: CookieJar
  /** The cookies that each URL was requested with, as digests. */
  readonly #requested: Map<string, ReadonlySet<string>>

  /** @param before  continued in a copy: a fetch that fails and is tried again must not find its own notes */
  constructor(before?: Trail) {
    this.#jar = before === undefined ? createCookieJar() : before.#jar.copy()
    this.#requested = new Map(before === undefined ? [] : before.#requested)
  }

  get hasCookies(): boolean {
    return !this.#jar.isEmpty()
  }

  cookieFor(url: string): string {
    return this.#jar.header(url)
  }

  /** Notes that a URL was requested with these cookies, and redirected. */
  note(url: string, cookie: string, setCookies: readonly string[]): void {
    this.#requested.set(url, new Set(this.#requested.get(url)).add(digestOf(cookie)))
    for (const each of setCookies) this.#jar.keep(each, url)
  }

  /** Whether the chain came through the URL; a slash at its end makes it no other. */
  wasAt(url: string): boolean {
    const identity = urlIdentity(url)
    return [...this.#requested.keys()].some((requested) => urlIdentity(requested) === identity)
  }

  /** Whether the URL was requested before with the cookies that it would get now. */
  hasLooped(url: string): boolean {
    return this.#requested.get(url)?.has(digestOf(this.cookieFor(url))) === true
  }
}

/** A header has up to 8 KiB, and a trail may wait with its URL for a long time. */
const digestOf = (cookie: string): string => (cookie === '' ? '' : hash('sha256', cookie, 'base64'))
