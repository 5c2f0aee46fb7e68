/** One search: its results and its request. */
import type { SearchRequest } from '#contract/searches.ts'
import { lastFault } from '#web/runs/shared/last-fault.ts'
import { BESIDE_ASIDE, RunAside, RunHeader, useFollowed } from '#web/runs/shared/run-details.tsx'
import type { RunDetailsProps } from '#web/runs/shared/run-details.tsx'
import { RunInformation, countFacts, statusFact } from '#web/runs/shared/run-information.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { DownloadIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/search-run.ts'
import { saveResults } from './save-results.ts'
import { formOf } from './search-form.ts'
import { SearchResults } from './search-results.tsx'
import { SEARCH, useSearchProgress } from './use-search.ts'

export function SearchDetails({ run, back, remove }: RunDetailsProps<SearchRequest>) {
  const followed = useFollowed(run)
  const progress = useSearchProgress(followed.isFollowed || run.status === 'failed' ? run.uuid : null)
  return (
    <>
      <RunHeader
        base={SEARCH}
        run={run}
        back={back}
        remove={remove}
        title={run.query}
        form={formOf(run)}
        actions={
          <Button icon={DownloadIcon} disabled={run.result === null} onClick={() => void saveResults(run.uuid)}>
            {t.downloadResults}
          </Button>
        }
      />
      <div className={BESIDE_ASIDE}>
        <section aria-label={t.results} className="min-w-0">
          <SearchResults search={run} reason={lastFault(progress.feed)} />
        </section>
        <RunAside base={SEARCH} followed={followed} progress={progress}>
          <RunInformation
            title={t.details}
            runId={run.uuid}
            parameters={{ search_options: run.search_options, result_limit: run.result_limit }}
            facts={[
              statusFact(run),
              { name: t.query, value: <span className="wrap-anywhere">{run.query}</span> },
              ...countFacts(run, t.results),
            ]}
          />
        </RunAside>
      </div>
    </>
  )
}
