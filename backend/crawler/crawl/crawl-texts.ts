/** Texts for a crawl's feed that more than one module needs. */
import type { BrowserSpec } from '#backend/crawler/crawl-spec.ts'

const WORDS: Record<string, string> = {
  status: 'the server answered with an error',
  dns: 'the name could not be resolved',
  name_server: 'the name server does not answer',
  connect: 'no connection',
  no_socket: 'this machine cannot open more connections',
  timeout: 'it took too long',
  tls: 'no secure connection',
  reset: 'the connection broke off',
  refused_address: 'this address is not allowed',
  proxy: 'the proxy server failed',
  too_large: 'it is too large',
  bad_encoding: 'its encoding is broken or unknown',
  protocol: 'the answer is not HTTP',
  redirect_limit: 'too many redirects',
  redirect_loop: 'it redirects in a loop',
  bad_redirect: 'its redirect has no valid target',
  robots: 'robots.txt forbids it',
  robots_unreachable: 'its robots rules are unknown',
  unsupported_type: 'its type has no text',
  unparsable: 'it cannot be parsed',
  retry_after_too_long: 'it asks for too long a wait',
  host_dead: 'the host has stopped answering',
  host_busy: 'the host asks for fewer requests',
  render_failed: 'the browser could not render it',
}

/** An outcome in plain words. */
export const words = (outcome: string) => WORDS[outcome] ?? outcome

export const pages = (count: number) => `${count} ${count === 1 ? 'page' : 'pages'}`

export const listed = (parts: string[]) => [parts.slice(0, -1).join(', '), parts.at(-1)].filter(Boolean).join(' and ')

/** Names the options that need a browser. */
export function needsBrowser(browser: BrowserSpec | null): string[] {
  if (browser === null) return []
  const types = new Set(browser.captures.map(({ type }) => type))
  return [
    ...(types.has('screenshot') ? ['screenshots'] : []),
    ...(types.has('pdf') ? ['PDFs'] : []),
    ...(browser.consentSelector !== null ? ['clicking on a cookie banner'] : []),
    ...(browser.waitMs === null ? [] : ['waiting after load']),
  ]
}
