/** One search: what it came to, and the request that made it. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import { isTerminal } from '#contract/runs.ts'
import type { SearchRequest } from '#contract/searches.ts'
import { handOver } from '#web/runs/shared/hand-over.ts'
import { lastFault } from '#web/runs/shared/last-fault.ts'
import { RunInformation } from '#web/runs/shared/run-information.tsx'
import { useRunAgain } from '#web/runs/shared/use-run-again.ts'
import { ActivityFeed } from '#web/runs/shared/run-status.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { DownloadIcon, FilterIcon, RestartIcon, StopIcon } from '#web/ui/icons.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusBadge } from '#web/ui/feedback/status-badge.tsx'
import { Duration, RelativeTime } from '#web/ui/text/time.tsx'
import { exactTime, numberText } from '#web/ui/text/time-texts.ts'
import { SEARCH_RERUN } from './search-rerun.ts'
import { saveResults } from './save-results.ts'
import { formOf } from './search-form.ts'
import type { SearchForm } from './search-form.ts'
import { SearchResults } from './search-results.tsx'
import { useSearchProgress, useStopSearch } from './use-search.ts'

export function SearchDetails({ run, back, remove }: { run: SearchRequest; back: ReactNode; remove: ReactNode }) {
  const running = !isTerminal(run.status)
  const [cameLive] = useState(running)
  const [wantsFeed, setWantsFeed] = useState(false)
  const progress = useSearchProgress(cameLive || wantsFeed || run.status === 'failed' ? run.uuid : null)
  const stopping = useStopSearch()
  const again = useRunAgain(SEARCH_RERUN)
  return (
    <>
      <PageHeader
        before={back}
        title={<span className="wrap-anywhere">{run.query}</span>}
        description={`Search Details · started ${exactTime(run.created_at)}`}
      >
        {running && (
          <Button
            look="danger"
            icon={StopIcon}
            busy={stopping.busy || run.status === 'canceling'}
            busyLabel="Canceling…"
            onClick={() => void stopping.stop(run.uuid)}
          >
            Cancel Search
          </Button>
        )}
        <Button icon={DownloadIcon} disabled={run.result === null} onClick={() => void saveResults(run.uuid)}>
          Download Results
        </Button>
        <Button icon={FilterIcon} onClick={() => handOver<SearchForm>('search', formOf(run))}>
          Try in Search Playground
        </Button>
        {!running && (
          <Button look="primary" icon={RestartIcon} busy={again.busy} busyLabel="Starting…" onClick={() => void again.run(run.uuid)}>
            Run again
          </Button>
        )}
        {remove}
      </PageHeader>
      <div className="grid min-w-0 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_264px]">
        <section aria-label="Results" className="min-w-0">
          <SearchResults search={run} reason={lastFault(progress.feed)} />
        </section>
        <aside aria-label="About this search" className="grid min-w-0 gap-4">
          <RunInformation
            title="Details"
            runId={run.uuid}
            parameters={{ search_options: run.search_options, result_limit: run.result_limit }}
            facts={[
              { name: 'Status', value: <StatusBadge status={run.status} /> },
              { name: 'Query', value: <span className="wrap-anywhere">{run.query}</span> },
              { name: 'Created', value: <RelativeTime iso={run.created_at} /> },
              { name: 'Duration', value: <Duration duration={run.duration} since={running ? run.created_at : null} /> },
              { name: 'Results', value: <span className="num">{numberText(run.number_of_documents)}</span> },
            ]}
          />
          <ActivityFeed
            feed={progress.feed}
            running={running}
            folded={!cameLive}
            onUnfold={() => setWantsFeed(true)}
            empty={progress.connection === 'connecting' ? 'Loading…' : 'The engine has said nothing.'}
          />
        </aside>
      </div>
    </>
  )
}
