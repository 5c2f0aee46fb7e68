/** The outcomes of URLs, and their classes: pure sets, read by the engine and by the code that shows a run. */

/** The URL or its host failed. */
const FAILED = [
  'status',
  'dns',
  'connect',
  'timeout',
  'tls',
  'reset',
  'refused_address',
  'too_large',
  'bad_encoding',
  'protocol',
  'bad_redirect',
  'redirect_limit',
  'redirect_loop',
  'unsupported_type',
  'unparsable',
  'render_failed',
  'proxy',
  'host_dead',
  'host_busy',
  'retry_after_too_long',
  'robots_unreachable',
  'internal',
] as const
/** How a URL ends, besides crawler traps. Every settled or listed URL has exactly one outcome. */
export const OUTCOMES = [
  'kept',
  'duplicate',
  'redirected',
  'not_modified',
  'out_of_scope',
  'document_type',
  'robots',
  'depth',
  'limit',
  'canceled',
  ...FAILED,
] as const
/** The kinds of crawler traps, which `url/traps.ts` and `frontier/run-traps.ts` find. */
export const TRAPS = ['facets', 'repeat', 'length', 'host', 'same', 'redirects'] as const
export type TrapOutcome = `trap:${(typeof TRAPS)[number]}`
export type Outcome = (typeof OUTCOMES)[number] | TrapOutcome

export const FAILURES: ReadonlySet<string> = new Set(FAILED)

/** A start URL with such an outcome was not fetched at all. If all start URLs of a crawl have one, the crawl is `failed`. */
export const NOT_FETCHED: ReadonlySet<string> = new Set(
  [...FAILURES, 'robots', 'out_of_scope'].filter((outcome) => outcome !== 'unsupported_type' && outcome !== 'unparsable'),
)

/** The outcome of URLs that were still waiting when their run ended. */
export const endOfWaiting = (status: string): 'canceled' | 'limit' => (status === 'canceled' ? 'canceled' : 'limit')
