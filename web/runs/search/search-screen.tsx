/** The search playground: the web, or the stored pages of the team's crawls. Source, query and filters are in the URL. */
import { getSettings } from '#contract/settings.ts'
import { getSearch } from '#contract/searches.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { pathTo } from '#web/navigation.ts'
import { RunOfUrl } from '#web/runs/shared/run-in-url.tsx'
import { handedOverTo, useClearHandOver } from '#web/runs/shared/hand-over.ts'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { Segmented } from '#web/ui/form/choice.tsx'
import { LogsIcon } from '#web/ui/icons.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import * as t from '#texts/search.ts'
import type { SearchForm } from './search-form.ts'
import { withQuery } from './search-place.ts'
import type { SearchPlace, SearchSource } from './search-place.ts'
import { SEARCH } from './use-search.ts'
import { useSearchPlace } from './use-search-place.ts'
import { WebSearch } from './web-search.tsx'

const OwnSearch = lazyPart(async () => (await import('./own-search.tsx')).OwnSearch)
const SetUpPanel = lazyPart(async () => (await import('./set-up-panel.tsx')).SetUpPanel)

export function SearchScreen() {
  useClearHandOver('search')
  const { data: settings } = useEndpoint(getSettings)
  const { place, setPlace, visit } = useSearchPlace(handedOver)
  const runId = place.run || null
  const asked = useEndpoint(getSearch, runId === null ? null : { params: { id: runId } })
  const go = (source: SearchSource) => setPlace({ ...place, source })
  const sources = (
    <Segmented
      label={t.whereToSearch}
      value={place.source}
      onChange={go}
      options={[
        { value: 'web', label: t.theWeb },
        { value: 'own', label: t.ownPages },
      ]}
    />
  )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:gap-6">
      <PageHeader title={SEARCH.words.title} description={t.searchTheWebOrThePages}>
        <ButtonLink href={pathTo('searchLogs')} icon={LogsIcon}>
          {t.pastSearches}
        </ButtonLink>
      </PageHeader>
      {place.source === 'own' ? (
        <OwnSearch query={place.own} onChange={(own) => setPlace({ ...withQuery(place, own.query), own })} head={sources} />
      ) : settings?.is_search_configured === false && runId === null ? (
        <>
          <div>{sources}</div>
          <SetUpPanel />
        </>
      ) : (
        <RunOfUrl key={visit} place={{ runId, show: (run) => setPlace((now) => ({ ...now, run })) }} asked={asked} base={SEARCH} headed>
          {(search, onStart) => (
            <WebSearch
              values={place.web}
              onChange={(web) => setPlace({ ...withQuery(place, web.query), web })}
              started={search}
              onStart={onStart}
              head={<div>{sources}</div>}
            />
          )}
        </RunOfUrl>
      )}
    </div>
  )
}

/** "Try in Search Playground": takes over the form of an earlier search. */
function handedOver(place: SearchPlace): SearchPlace {
  const web = handedOverTo<SearchForm>('search')
  return web === null ? place : { ...withQuery(place, web.query), web }
}
