/** One crawl: did it work, its pages to read, what became of every address, and the request that made it. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { CrawlRequest } from '#contract/crawls.ts'
import { MAX_BATCH_URLS } from '#contract/sizes.ts'
import { isTerminal } from '#contract/runs.ts'
import { handOver } from '#web/runs/shared/hand-over.ts'
import { RunInformation, Unfold } from '#web/runs/shared/run-information.tsx'
import { useRunAgain } from '#web/runs/shared/use-run-again.ts'
import { ActivityFeed } from '#web/runs/shared/run-status.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState, Loading, Notice } from '#web/ui/feedback/feedback.tsx'
import { FilterIcon, RefreshIcon, RestartIcon, SitemapIcon, StopIcon } from '#web/ui/icons.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Chip, StatusBadge } from '#web/ui/feedback/status-badge.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { Duration, RelativeTime } from '#web/ui/text/time.tsx'
import { countText, exactTime, numberText } from '#web/ui/text/time-texts.ts'
import { OutsideLink } from '#web/ui/outside-link.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { useQuery } from '#web/ui/hooks/use-query.ts'
import { CRAWL_RERUN, CRAWL_RETRY } from './crawl-rerun.ts'
import { formOf } from './crawl-form.ts'
import type { CrawlForm } from './crawl-form.ts'
import { LiveReader, StoredPages } from './crawl-reader.tsx'
import { DownloadMenu } from './download-menu.tsx'
import { OutcomeBar } from './outcome-bar.tsx'
import { crawlName } from './page-texts.ts'
import { SitemapExplorer } from './sitemap-explorer.tsx'
import { useCrawlProgress, useStopCrawl } from './use-crawl.ts'

/** Loaded when they are first looked at. */
const CrawlChanges = lazyPart(async () => (await import('./crawl-changes.tsx')).CrawlChanges)
const ExtractedData = lazyPart(async () => (await import('./extracted-data.tsx')).ExtractedData)
const UrlOutcomes = lazyPart(async () => (await import('./url-outcomes.tsx')).UrlOutcomes)

const VIEWS = ['pages', 'data', 'urls', 'changes'] as const
type View = (typeof VIEWS)[number]

export function CrawlDetails({ run, back, remove }: { run: CrawlRequest; back: ReactNode; remove: ReactNode }) {
  const running = !isTerminal(run.status)
  /** A crawl that was under way when one came is followed to its end; one that had ended is read from the store. */
  const [cameLive] = useState(running)
  const [wantsFeed, setWantsFeed] = useState(false)
  const progress = useCrawlProgress(cameLive || wantsFeed ? run.uuid : null, { documents: cameLive })
  const query = useQuery()
  const hasData = asksForData(run.options.plugin_options)
  const asked = VIEWS.find((one) => one === query.get('view')) ?? 'pages'
  const view: View = asked === 'data' && !hasData ? 'pages' : asked
  const setView = (to: View) => query.change({ view: to === 'pages' ? '' : to, page: '' })
  const [exploring, setExploring] = useState(false)
  const stopping = useStopCrawl()
  const again = useRunAgain(CRAWL_RERUN)
  const retry = useRunAgain(CRAWL_RETRY)
  const { name, more } = crawlName(run)
  const none = <NoPages run={run} onOutcomes={() => setView('urls')} />
  return (
    <>
      <PageHeader
        before={back}
        title={
          <span className="wrap-anywhere">
            {name} {more > 0 && <span className="font-normal text-soft">+{numberText(more)} more</span>}
          </span>
        }
        description={`Crawl Details · started ${exactTime(run.created_at)}`}
      >
        {running && (
          <Button
            look="danger"
            icon={StopIcon}
            busy={stopping.busy || run.status === 'canceling'}
            busyLabel="Canceling…"
            onClick={() => void stopping.stop(run.uuid)}
          >
            Cancel Crawling
          </Button>
        )}
        <Button icon={SitemapIcon} disabled={run.sitemap === null} onClick={() => setExploring(true)}>
          Sitemap explorer
        </Button>
        <DownloadMenu crawl={run} look="button" />
        <Button icon={FilterIcon} onClick={() => handOver<CrawlForm>('crawl', formOf(run))}>
          Try in Crawl Playground
        </Button>
        {!running && run.counts.failed > 0 && (
          <Button icon={RefreshIcon} busy={retry.busy} busyLabel="Starting…" onClick={() => void retry.run(run.uuid)}>
            {retryLabel(run.counts.failed)}
          </Button>
        )}
        {!running && (
          <Button look="primary" icon={RestartIcon} busy={again.busy} busyLabel="Starting…" onClick={() => void again.run(run.uuid)}>
            Run again
          </Button>
        )}
        {remove}
      </PageHeader>
      <OutcomeBar crawl={run} onReason={(reason) => query.change({ view: 'urls', outcome: reason ?? '', text: '', page: '' })} />
      {progress.connection === 'reconnecting' && running && (
        <Notice tone="warning" role="status" title="The live view was interrupted">
          It is being opened again; the crawl goes on meanwhile.
        </Notice>
      )}
      <div className="grid min-w-0 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_264px]">
        <div className="grid min-w-0 gap-4">
          <Tabs
            name="details"
            label="Crawl details"
            tabs={[
              { id: 'pages', label: 'Results', count: run.number_of_documents },
              ...(hasData ? [{ id: 'data' as const, label: 'Data' }] : []),
              { id: 'urls', label: 'All addresses', count: run.counts.known },
              { id: 'changes', label: 'Changes' },
            ]}
            value={view}
            onChange={setView}
          />
          <TabPanel name="details" id="pages" value={view}>
            {cameLive ? (
              <LiveReader runId={run.uuid} rows={progress.results} running={running} empty={none} />
            ) : (
              <StoredPages runId={run.uuid} empty={none} />
            )}
          </TabPanel>
          {hasData && (
            <TabPanel name="details" id="data" value={view}>
              <ExtractedData runId={run.uuid} name={name} live={running} />
            </TabPanel>
          )}
          <TabPanel name="details" id="urls" value={view}>
            <UrlOutcomes runId={run.uuid} live={running} />
          </TabPanel>
          <TabPanel name="details" id="changes" value={view}>
            <CrawlChanges run={run} />
          </TabPanel>
        </div>
        <aside aria-label="About this crawl" className="grid min-w-0 gap-4">
          <Information run={run} running={running} />
          <ActivityFeed
            feed={progress.feed}
            running={running}
            folded={!cameLive}
            onUnfold={() => setWantsFeed(true)}
            empty={progress.connection === 'connecting' ? 'Loading…' : 'The crawler has said nothing.'}
          />
        </aside>
      </div>
      <SitemapExplorer crawl={exploring ? run : null} onClose={() => setExploring(false)} />
    </>
  )
}

/** One batch takes so many URLs: of more, the first ones are tried again. */
const retryLabel = (failed: number) =>
  failed > MAX_BATCH_URLS ? `Retry failed (${numberText(MAX_BATCH_URLS)} of ${numberText(failed)})` : `Retry failed (${numberText(failed)})`

function NoPages({ run, onOutcomes }: { run: CrawlRequest; onOutcomes: () => void }) {
  const running = !isTerminal(run.status)
  return (
    <Card>
      {running ? (
        <Loading>{run.status === 'new' ? 'Waiting for a free crawler…' : 'Working: the first pages are on their way…'}</Loading>
      ) : (
        <EmptyState
          net="plain"
          title={run.status === 'failed' ? 'No page could be fetched' : 'No pages were stored'}
          action={<Button onClick={onOutcomes}>See what happened to each address</Button>}
        >
          Nothing of this crawl was kept. The list of addresses says why.
        </EmptyState>
      )}
    </Card>
  )
}

function Information({ run, running }: { run: CrawlRequest; running: boolean }) {
  const url = run.url ?? run.urls[0] ?? ''
  return (
    <RunInformation
      title="Information"
      runId={run.uuid}
      parameters={run.options}
      facts={[
        {
          name: 'Start URL',
          value: (
            <span className="block truncate" title={url}>
              <OutsideLink url={url} />
            </span>
          ),
        },
        { name: 'Status', value: <StatusBadge status={run.status} /> },
        { name: 'Crawl type', value: <Chip>{run.crawl_type === 'batch' ? 'Batch' : 'Single'}</Chip> },
        { name: 'Created', value: <RelativeTime iso={run.created_at} /> },
        { name: 'Duration', value: <Duration duration={run.duration} since={running ? run.created_at : null} /> },
        { name: 'Results', value: <span className="num">{numberText(run.number_of_documents)}</span> },
      ]}
    >
      {run.urls.length > 1 && (
        <Unfold title={`All ${countText(run.urls.length, 'URL')}`}>
          <ol className="max-h-72 overflow-y-auto text-table">
            {run.urls.map((one, index) => (
              <li key={`${index} ${one}`} className="py-1 wrap-anywhere">
                <OutsideLink url={one} />
              </li>
            ))}
          </ol>
        </Unfold>
      )}
    </RunInformation>
  )
}

/** Whether a crawl asks for anything that plugins extract. */
const asksForData = (pluginOptions: Record<string, unknown>) =>
  Object.values(pluginOptions).some((values) => (values as { is_active?: unknown } | null)?.is_active === true)
