/** Finds pages of a host through the web search providers, for sites whose own pages cannot be reached. */
import type { SearchSite } from '#backend/crawler/url/url-sources.ts'
import { findHits } from './find-hits.ts'
import type { SearchProvider } from './providers/index.ts'

const MOST_HITS = 100

/**
 * Asks the web providers for `site:` and the host; the result is null when none has answered.
 *
 * @returns  undefined when no provider is configured
 */
export function createSearchSite({ providers }: { providers: readonly SearchProvider[] }): SearchSite | undefined {
  const web = providers.filter(({ name }) => name !== 'own')
  if (web.length === 0) return undefined
  return async (host, words, { signal, tell }) => {
    const query = words === null ? `site:${host}` : `site:${host} ${words}`
    // The team's own pages are not searched, so no team is needed.
    const question = {
      query,
      language: null,
      country: null,
      timeRange: 'any' as const,
      source: 'web' as const,
      teamId: '',
      limit: MOST_HITS,
    }
    const found = await findHits(web, question, tell, signal)
    return found === null ? null : found.hits.map(({ url }) => url)
  }
}
