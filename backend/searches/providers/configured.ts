/** The providers that the operator has configured. */
import { SEARCH_SOURCES } from '#contract/searches.ts'
import type { SearchSource } from '#contract/searches.ts'
import { createOperatorClient } from '#backend/crawler/fetch/operator-client.ts'
import { createAskProvider } from './ask-provider.ts'
import { brave } from './brave.ts'
import { google } from './google.ts'
import { inOrder } from './index.ts'
import type { ProviderName, SearchProvider } from './index.ts'
import { searxng } from './searxng.ts'

/** The operator's settings, as plain values: they are sent to the engine's process. URLs have no trailing slash. */
export type SearchSetup = {
  searxng: { url: string } | null
  brave: { key: string; url: string } | null
  google: { key: string; cx: string; url: string } | null
  /** The order; null uses every configured provider. */
  order: readonly ProviderName[] | null
  userAgent: string
}

/** The options that name providers, as the operator writes them. */
export type SearchOptions = {
  braveApiBase: string
  braveApiKey?: string | undefined
  crawlerUserAgent: string
  googleSearchApiBase: string
  googleSearchCx?: string | undefined
  googleSearchKey?: string | undefined
  searchProviders?: readonly ProviderName[] | undefined
  searxngUrl?: string | undefined
}

/** Google needs both its key and the number of a search engine. */
export function searchSetup(options: SearchOptions): SearchSetup {
  const { braveApiBase, braveApiKey, googleSearchApiBase, googleSearchCx, googleSearchKey, searchProviders, searxngUrl } = options
  return {
    searxng: searxngUrl === undefined ? null : { url: searxngUrl },
    brave: braveApiKey === undefined ? null : { key: braveApiKey, url: braveApiBase },
    google:
      googleSearchKey === undefined || googleSearchCx === undefined
        ? null
        : { key: googleSearchKey, cx: googleSearchCx, url: googleSearchApiBase },
    order: searchProviders ?? null,
    userAgent: options.crawlerUserAgent,
  }
}

/** Whether searches may ask a provider of the web. */
export const searchesWith = ({ order, ...setup }: SearchSetup, name: 'searxng' | 'brave' | 'google'): boolean =>
  setup[name] !== null && (order === null || order.includes(name))

/** Whether a provider is configured that searches more than the team's own pages. */
export const searchesTheWeb = (setup: SearchSetup): boolean =>
  (['searxng', 'brave', 'google'] as const).some((name) => searchesWith(setup, name))

/** The sources that the configured providers can search; `web` is always among them, since the team's own pages can be searched. */
export const searchSources = (setup: SearchSetup): SearchSource[] => (searchesWith(setup, 'searxng') ? [...SEARCH_SOURCES] : ['web'])

/**
 * The providers in the order in which they are asked. `close` ends their connections.
 *
 * @param own  the search over the team's own pages; null when there is none
 */
export function configuredProviders(setup: SearchSetup, { now, own }: { now: () => number; own: SearchProvider | null }) {
  const web = [setup.searxng, setup.brave, setup.google].filter((each) => each !== null)
  const client = createOperatorClient({ origins: web.map(({ url }) => url), userAgent: setup.userAgent })
  const ask = createAskProvider({ client })
  const available = [
    ...(setup.searxng === null ? [] : [searxng({ ask, now, ...setup.searxng })]),
    ...(setup.brave === null ? [] : [brave({ ask, now, ...setup.brave })]),
    ...(setup.google === null ? [] : [google({ ask, ...setup.google })]),
    ...(own === null ? [] : [own]),
  ]
  return { providers: inOrder(available, setup.order), close: () => client.close() }
}
