/** The SearchProvider port: a query in the product's own words, its hits, and the error of a provider that cannot answer. */
import type { SearchSource, TimeRange } from '#contract/searches.ts'

export type SearchQuestion = {
  query: string
  /** Codes as they were given, such as `en`, `pt-BR` and `de`; null leaves the choice to the provider. */
  language: string | null
  country: string | null
  timeRange: TimeRange
  source: SearchSource
  /** Whose search it is: only the team's own pages care. */
  teamId: string
  /** How many different hits are wanted in all. */
  limit: number
}

/** A hit as the provider tells it: plain text, nothing cut, nothing checked. */
export type ProviderHit = { url: string; title: string; description: string; publishedAt?: string; image?: ProviderImage }

/** `resolution` as it is written there, such as `1280 x 720`; empty where it is not known. */
export type ProviderImage = { url: string; resolution: string }

/**
 * One page of hits in the provider's order, or why there is none.
 *
 * `hasMore` false is certain, true is a hope. `notes` are for the people who asked: what the provider could not take into account.
 * `detail` is shown to them too, and names no secret.
 */
export type ProviderPage = { kind: 'page'; hits: ProviderHit[]; hasMore: boolean; notes?: string[] } | { kind: 'failure'; detail: string }

export type SearchProvider = {
  /** As in `SEARCH_PROVIDERS`. */
  name: ProviderName
  /** As people know it. */
  label: string
  /** What it can be asked for. */
  sources: readonly SearchSource[]
  /**
   * Asks for a page. Never rejects for what the provider does; after the signal it answers soon, whatever it is.
   *
   * @param page  from 0
   */
  page(question: SearchQuestion, page: number, signal: AbortSignal): Promise<ProviderPage>
}

/** Every provider there is, those of the web in the order in which they are tried unless the operator says otherwise. */
export const PROVIDER_NAMES = ['searxng', 'brave', 'google', 'own'] as const
export type ProviderName = (typeof PROVIDER_NAMES)[number]

/**
 * Which providers are tried, in order.
 *
 * @param wanted  the operator's list; null tries every one that there is, the team's own pages last
 */
export function inOrder(available: readonly SearchProvider[], wanted: readonly ProviderName[] | null): SearchProvider[] {
  return [...new Set(wanted ?? PROVIDER_NAMES)].flatMap((name) => available.filter((provider) => provider.name === name))
}
