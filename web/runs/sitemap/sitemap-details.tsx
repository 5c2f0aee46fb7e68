/** One sitemap: what it came to, and the request that made it. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import { isTerminal } from '#contract/runs.ts'
import type { SitemapRequest } from '#contract/sitemaps.ts'
import { handOver } from '#web/runs/shared/hand-over.ts'
import { lastFault } from '#web/runs/shared/last-fault.ts'
import { RunInformation } from '#web/runs/shared/run-information.tsx'
import { useRunAgain } from '#web/runs/shared/use-run-again.ts'
import { ActivityFeed } from '#web/runs/shared/run-status.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { FilterIcon, RestartIcon, StopIcon } from '#web/ui/icons.tsx'
import { OutsideLink } from '#web/ui/outside-link.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusBadge } from '#web/ui/feedback/status-badge.tsx'
import { Duration, RelativeTime } from '#web/ui/text/time.tsx'
import { exactTime, numberText } from '#web/ui/text/time-texts.ts'
import { SITEMAP_RERUN } from './sitemap-rerun.ts'
import { SitemapDisplay } from './sitemap-display.tsx'
import { SitemapDownloads } from './sitemap-downloads.tsx'
import { formOf } from './sitemap-form.ts'
import type { SitemapForm } from './sitemap-form.ts'
import { useSitemapProgress, useStopSitemap } from './use-sitemap.ts'

export function SitemapDetails({ run, back, remove }: { run: SitemapRequest; back: ReactNode; remove: ReactNode }) {
  const running = !isTerminal(run.status)
  const [cameLive] = useState(running)
  const [wantsFeed, setWantsFeed] = useState(false)
  const progress = useSitemapProgress(cameLive || wantsFeed || run.status === 'failed' ? run.uuid : null)
  const stopping = useStopSitemap()
  const again = useRunAgain(SITEMAP_RERUN)
  return (
    <>
      <PageHeader
        before={back}
        title={<span className="wrap-anywhere">{run.url}</span>}
        description={`Sitemap Details · started ${exactTime(run.created_at)}`}
      >
        {running && (
          <Button
            look="danger"
            icon={StopIcon}
            busy={stopping.busy || run.status === 'canceling'}
            busyLabel="Canceling…"
            onClick={() => void stopping.stop(run.uuid)}
          >
            Cancel Generation
          </Button>
        )}
        <SitemapDownloads sitemap={run} look="button" />
        <Button icon={FilterIcon} onClick={() => handOver<SitemapForm>('sitemap', formOf(run))}>
          Try in Sitemap Playground
        </Button>
        {!running && (
          <Button look="primary" icon={RestartIcon} busy={again.busy} busyLabel="Starting…" onClick={() => void again.run(run.uuid)}>
            Run again
          </Button>
        )}
        {remove}
      </PageHeader>
      <div className="grid min-w-0 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_264px]">
        <SitemapDisplay sitemap={run} reason={lastFault(progress.feed)} />
        <aside aria-label="About this sitemap" className="grid min-w-0 gap-4">
          <RunInformation
            title="Details"
            runId={run.uuid}
            parameters={run.options}
            facts={[
              { name: 'Status', value: <StatusBadge status={run.status} /> },
              {
                name: 'URL',
                value: (
                  <span className="block truncate" title={run.url}>
                    <OutsideLink url={run.url} />
                  </span>
                ),
              },
              { name: 'Created', value: <RelativeTime iso={run.created_at} /> },
              { name: 'Duration', value: <Duration duration={run.duration} since={running ? run.created_at : null} /> },
              { name: 'URLs found', value: <span className="num">{numberText(run.number_of_documents)}</span> },
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
