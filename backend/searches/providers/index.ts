/** The SearchProvider port: a query in the product's own terms, its hits, and the error of a provider that cannot answer. */
import type { SearchSource, TimeRange } from '#contract/searches.ts'

export type SearchQuestion = {
  query: string
  /** Codes as the caller gave them, such as `en`, `pt-BR` and `de`; null leaves the choice to the provider. */
  language: string | null
  country: string | null
  timeRange: TimeRange
  source: SearchSource
  /** The team that searches; only the team's own pages need it. */
  teamId: string
  /** How many different hits the search needs in total. */
  limit: number
}

/** A hit as the provider returned it: plain text, neither cut nor checked. */
export type ProviderHit = { url: string; title: string; description: string; publishedAt?: string; image?: ProviderImage }

/** `resolution` as the provider writes it, such as `1280 x 720`; empty when it is unknown. */
type ProviderImage = { url: string; resolution: string }

/**
 * One page of hits in the provider's order, or why there is none.
 *
 * `hasMore` false is certain, true may be wrong. `notes` are for the user: what the provider could not take into account. `detail` is shown
 * to the user too, and contains no secret.
 */
export type ProviderPage = { kind: 'page'; hits: ProviderHit[]; hasMore: boolean; notes?: string[] } | { kind: 'failure'; detail: string }

export type SearchProvider = {
  /** Its name in `SEARCH_PROVIDERS`. */
  name: ProviderName
  /** Its name for people. */
  label: string
  /** The sources that it can search. */
  sources: readonly SearchSource[]
  /**
   * Requests a page of hits. Never rejects because of the provider; after the signal it resolves soon.
   *
   * @param page  from 0
   */
  page(question: SearchQuestion, page: number, signal: AbortSignal): Promise<ProviderPage>
}

/** All providers; those of the web in the order in which they are tried by default. */
const PROVIDER_NAMES = ['searxng', 'brave', 'google', 'own'] as const
export type ProviderName = (typeof PROVIDER_NAMES)[number]

/**
 * The providers to try, in order.
 *
 * @param wanted  the operator's list; null uses all of them, the team's own pages last
 */
export function inOrder(available: readonly SearchProvider[], wanted: readonly ProviderName[] | null): SearchProvider[] {
  return [...new Set(wanted ?? PROVIDER_NAMES)].flatMap((name) => available.filter((provider) => provider.name === name))
}
