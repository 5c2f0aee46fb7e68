/** One crawl: its outcome, its pages, the outcomes of all URLs, and its request. */
import { useState } from 'react'
import type { CrawlRequest } from '#contract/crawls.ts'
import { MAX_BATCH_URLS } from '#contract/sizes.ts'
import { BESIDE_ASIDE, RunAside, RunHeader, useFollowed } from '#web/runs/shared/run-details.tsx'
import type { RunDetailsProps } from '#web/runs/shared/run-details.tsx'
import { RunInformation, Unfold, countFacts, statusFact, urlFact } from '#web/runs/shared/run-information.tsx'
import { useRunAgain } from '#web/runs/shared/use-run-again.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { RefreshIcon, SitemapIcon } from '#web/ui/icons.tsx'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import { OutsideLink } from '#web/ui/outside-link.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { useQuery } from '#web/ui/hooks/use-query.ts'
import * as t from '#texts/crawl-details.ts'
import { seeWhatHappenedToEachUrl } from '#texts/crawl-rows.ts'
import { LiveReader, StoredPages } from './crawl-reader.tsx'
import type { CrawlHandOver } from './crawl-form.ts'
import { DownloadMenu } from './download-menu.tsx'
import { OutcomeBar } from './outcome-bar.tsx'
import { NoPages } from './no-pages.tsx'
import { crawlName } from './page-texts.ts'
import { RepeatButton } from './repeat-button.tsx'
import { CRAWL, CRAWL_OF_FAILED, useCrawlProgress } from './use-crawl.ts'

const SitemapExplorer = lazyDialog(async () => (await import('./sitemap-explorer.tsx')).SitemapExplorer)

/** Loaded when their tabs are first opened. */
const CrawlChanges = lazyPart(async () => (await import('./crawl-changes.tsx')).CrawlChanges)
const ExtractedData = lazyPart(async () => (await import('./extracted-data.tsx')).ExtractedData)
const UrlOutcomes = lazyPart(async () => (await import('./url-outcomes.tsx')).UrlOutcomes)

const VIEWS = ['pages', 'data', 'urls', 'changes'] as const
type View = (typeof VIEWS)[number]

export function CrawlDetails({ run, back, remove }: RunDetailsProps<CrawlRequest>) {
  const followed = useFollowed(run)
  const { running, cameLive } = followed
  const progress = useCrawlProgress(followed.isFollowed ? run.uuid : null, { documents: cameLive })
  const query = useQuery()
  const hasData = asksForData(run.options.plugin_options)
  const asked = VIEWS.find((one) => one === query.get('view')) ?? 'pages'
  const view: View = asked === 'data' && !hasData ? 'pages' : asked
  const setView = (to: View) => query.change({ view: to === 'pages' ? '' : to, page: '' })
  const [exploring, setExploring] = useState(false)
  const { name, more } = crawlName(run)
  const none = (
    <Card>
      <NoPages
        crawl={run}
        isComplete={!cameLive || progress.ended}
        action={<Button onClick={() => setView('urls')}>{seeWhatHappenedToEachUrl}</Button>}
      />
    </Card>
  )
  return (
    <>
      <RunHeader
        base={CRAWL}
        run={run}
        back={back}
        remove={remove}
        title={
          <>
            {name} {more > 0 && <span className="font-normal text-soft">+{t.more(numberText(more))}</span>}
          </>
        }
        form={{ crawl_type: run.crawl_type, urls: run.urls, options: run.options } satisfies CrawlHandOver}
        actions={
          <>
            <Button icon={SitemapIcon} disabled={run.sitemap === null} onClick={() => setExploring(true)}>
              {t.sitemapExplorer}
            </Button>
            <DownloadMenu crawl={run} look="button" />
          </>
        }
        quiet={<RepeatButton crawl={run} />}
      />
      <OutcomeBar
        crawl={run}
        retry={!running && run.counts.failed > 0 && <Retry run={run} />}
        onReason={(reason) => query.change({ view: 'urls', outcome: reason ?? '', text: '', page: '' })}
      />
      {progress.connection === 'reconnecting' && running && (
        <Notice tone="warning" role="status" title={t.theLiveViewWasInterrupted}>
          {t.itIsBeingOpenedAgainThe}
        </Notice>
      )}
      <div className={BESIDE_ASIDE}>
        <div className="grid min-w-0 gap-4">
          <Tabs
            name="details"
            label={t.crawlDetails}
            tabs={[
              { id: 'pages', label: t.results, count: run.number_of_documents },
              ...(hasData ? [{ id: 'data' as const, label: t.data }] : []),
              { id: 'urls', label: t.allUrls, count: run.counts.known },
              { id: 'changes', label: t.changes },
            ]}
            value={view}
            onChange={setView}
          />
          <TabPanel name="details" id="pages" value={view}>
            {cameLive ? (
              <LiveReader runId={run.uuid} rows={progress.results} running={running} empty={none} />
            ) : (
              <StoredPages runId={run.uuid} expected={run.number_of_documents} empty={none} />
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
        <RunAside base={CRAWL} followed={followed} progress={progress} silent={t.noMessages}>
          <Information run={run} />
        </RunAside>
      </div>
      {exploring && <SitemapExplorer crawl={run} onClose={() => setExploring(false)} />}
    </>
  )
}

/** Fetches the failed URLs again, as a batch. */
function Retry({ run }: { run: CrawlRequest }) {
  const retry = useRunAgain(CRAWL_OF_FAILED)
  return (
    <Button size="small" icon={RefreshIcon} busy={retry.busy} busyLabel={t.starting} onClick={() => void retry.run(run.uuid)}>
      {retryLabel(run.counts.failed)}
    </Button>
  )
}

/** A batch has a limit: with more failures, only the first ones are retried. */
const retryLabel = (failed: number) =>
  failed > MAX_BATCH_URLS ? t.retryFailedOf(numberText(MAX_BATCH_URLS), numberText(failed)) : t.retryFailed(numberText(failed))

function Information({ run }: { run: CrawlRequest }) {
  return (
    <RunInformation
      title={t.information}
      runId={run.uuid}
      parameters={run.options}
      facts={[
        urlFact(t.startURL, run.url ?? run.urls[0] ?? ''),
        statusFact(run),
        { name: t.crawlType, value: <Chip>{run.crawl_type === 'batch' ? t.batch : t.single}</Chip> },
        ...countFacts(run, t.results),
      ]}
    >
      {run.urls.length > 1 && (
        <Unfold title={t.all(t.urlCount(run.urls.length))}>
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

/** Whether a crawl uses plugins that extract data. */
const asksForData = (pluginOptions: Record<string, unknown>) =>
  Object.values(pluginOptions).some((values) => (values as { is_active?: unknown } | null)?.is_active === true)
