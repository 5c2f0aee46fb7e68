/** Tests a proxy: requests the caller's public address through it. */
import type { AnswerOf, BodyOf, FieldErrors } from '#contract/endpoint.ts'
import type { testProxy as endpoint } from '#contract/proxies.ts'
import { decodePrefix } from '#backend/crawler/fetch/decode-body.ts'
import type { FailureReason, Fetched, FetchOutcome, FetchRequest } from '#backend/crawler/fetch/fetcher.ts'
import type { Proxy } from '#backend/crawler/fetch/proxy.ts'
import { AppError, fieldError } from '#backend/errors.ts'
import type { MayDial, Proxies } from './proxies.ts'
import { checkPasswordStays } from './proxy-rows.ts'

const TIMEOUT_MS = 10_000
const MOST_BYTES = 16 * 1024

type Body = BodyOf<typeof endpoint>
type Echo = AnswerOf<typeof endpoint>

/**
 * @param dialled  returns the team's proxy by slug, with its password
 * @param echoUrl  answers with `{"origin": …}`, the address that a request came from
 * @param fetch    the engine's, so that the address guard judges both the proxy and the echo server
 */
export function createProxyTest({ dialled, echoUrl, fetch, mayDial }: TestNeeds) {
  /** Returns the echo server's answer. Throws `invalid_input` for missing or invalid fields, or with the reason why the test failed. */
  return async function testProxy(teamId: string, body: Body): Promise<Echo> {
    const proxy = await merged(teamId, body)
    if (!(await mayDial(proxy.host, proxy.port))) throw fieldError('host', 'This address is not allowed.')
    const outcome = await fetch({
      url: echoUrl,
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MOST_BYTES,
      proxy,
      signal: new AbortController().signal,
    })
    const echo = outcome.kind === 'fetched' && outcome.status === 200 ? await echoOf(outcome) : null
    if (echo === null) throw fieldError('non_field_errors', reasonOf(outcome))
    return echo
  }

  /** The given fields; absent ones are taken from the stored proxy with that slug. */
  async function merged(teamId: string, body: Body): Promise<Proxy> {
    const stored = body.slug ? await dialled(teamId, body.slug) : null
    if (body.slug && stored === null) throw fieldError('slug', 'Unknown proxy server.')
    if (stored) checkPasswordStays({ host: stored.host, hasPassword: stored.password !== null }, body)
    const host = (body.host ?? stored?.host)?.replace(/^\[|\]$/g, '')
    const port = body.port ?? stored?.port
    const type = body.proxy_type ?? stored?.type
    if (host === undefined || port === undefined || type === undefined)
      throw new AppError('invalid_input', { fields: missing({ host, port, proxy_type: type }) })
    // Null differs from absent: it means none.
    const { username = stored?.username, password = stored?.password } = body
    return { type, host, port, username: username || null, password: password || null }
  }
}

export type TestProxy = ReturnType<typeof createProxyTest>

type TestNeeds = {
  dialled: Proxies['dialled']
  echoUrl: string
  fetch: (request: FetchRequest) => Promise<FetchOutcome>
  mayDial: MayDial
}

const missing = (values: Record<string, unknown>): FieldErrors =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [[name, ['This field is required']]] : [])))

/** Decodes in pieces: a body of many frames would hold the event loop of the API. */
async function echoOf({ body, headers }: Fetched): Promise<Echo | null> {
  const bytes = await decodePrefix(body, headers.contentEncoding, MOST_BYTES)
  if (bytes === null) return null
  try {
    const answer: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return isEcho(answer) ? answer : null
  } catch {
    // The proxy has sent something else instead of the answer.
    return null
  }
}

const isEcho = (answer: unknown): answer is Echo =>
  typeof answer === 'object' && answer !== null && 'origin' in answer && typeof answer.origin === 'string'

/** Why a test failed, worded for the owner of the proxy. */
function reasonOf(outcome: FetchOutcome): string {
  if (outcome.kind !== 'failure')
    return outcome.status === 200
      ? 'The proxy returned something other than the answer of the address-echo service.'
      : `The address-echo service answered HTTP ${outcome.status} through the proxy.`
  const words = /^proxy: (its? .*)$/.exec(outcome.detail)?.[1]
  if (outcome.reason === 'proxy') return words === undefined ? 'The connection through the proxy broke.' : `The proxy failed: ${words}.`
  return FAILURES[outcome.reason] ?? 'The address-echo service could not be reached through the proxy.'
}

const FAILURES: { [Reason in FailureReason]?: string } = {
  timeout: 'Nothing came through the proxy within 10 seconds.',
  tls: 'The certificate that came through the proxy is not that of the address-echo service.',
}
