/** Classifies URL outcomes: pure sets, read by the engine and by the code that shows a run. */

/** Something went wrong with the URL or its host. */
export const FAILURES: ReadonlySet<string> = new Set([
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
])

/** A start URL that ended so was not fetched at all: a crawl with nothing else is `failed` (contract, core 1). */
export const NOT_FETCHED: ReadonlySet<string> = new Set(
  [...FAILURES, 'robots', 'out_of_scope'].filter((outcome) => outcome !== 'unsupported_type' && outcome !== 'unparsable'),
)

/** How the URLs end that still waited when their run did. */
export const endOfWaiting = (status: string): 'canceled' | 'limit' => (status === 'canceled' ? 'canceled' : 'limit')
