/** The URLs of a sitemap as a list, a tree and Markdown; its progress while it runs; or why it has none. */
import { sitemapGraph, sitemapMarkdown } from '#contract/sitemaps.ts'
import type { SitemapRequest, SiteTree } from '#contract/sitemaps.ts'
import { isTerminal } from '#contract/runs.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { Card } from '#web/ui/card.tsx'
import { Segmented } from '#web/ui/form/choice.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { EmptyState, ErrorState, Loading, Notice } from '#web/ui/feedback/feedback.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import { useQuery } from '#web/ui/hooks/use-query.ts'
import * as t from '#texts/sitemap.ts'
import { UrlList } from './url-list.tsx'
import { useSitemapUrls } from './use-sitemap.ts'

const CodeBlock = lazyPart(async () => (await import('#web/ui/code/code-block.tsx')).CodeBlock)

/** The tree and the diagram. */
const SiteGraph = lazyPart(async () => (await import('#web/runs/shared/site-graph.tsx')).SiteGraph)

const VIEWS = ['json', 'graph', 'markdown'] as const
type View = (typeof VIEWS)[number]

/** Up to so many URLs are shown; more are offered only as a file. */
const MOST_SHOWN = 100_000
/** The answers of an ended sitemap never change, so they are not requested again. */
const STAYS = { revalidateIfStale: false, revalidateOnReconnect: false }

/** @param reason  the engine's last error */
export function SitemapDisplay({ sitemap, reason }: { sitemap: SitemapRequest; reason?: string | undefined }) {
  const count = sitemap.number_of_documents
  if (!isTerminal(sitemap.status))
    return (
      <Card>
        <Loading>{sitemap.status === 'new' ? t.waitingToStart : count > 0 ? t.soFar(t.urlCount(count)) : t.lookingForTheUrlsOfThe}</Loading>
      </Card>
    )
  return (
    <div className="grid min-w-0 gap-4">
      {sitemap.status === 'failed' && (
        <Notice tone="danger" role="status" title={t.theSitemapCouldNotBeMade}>
          {reason ?? t.nothingOfTheSiteCouldBe}
        </Notice>
      )}
      {sitemap.status === 'canceled' && (
        <Notice tone="warning" role="status" title={t.theSitemapWasCanceled}>
          {count > 0 ? t.whatWasFoundBeforeIsKept : t.nothingHadBeenFoundByThen}
        </Notice>
      )}
      {count > 0 ? (
        <Found sitemap={sitemap} />
      ) : (
        sitemap.status === 'finished' && (
          <Card>
            <EmptyState net="plain" title={t.noUrlsWereFound}>
              {t.theSiteAnswersAndNothingOn}
            </EmptyState>
          </Card>
        )
      )}
    </div>
  )
}

function Found({ sitemap }: { sitemap: SitemapRequest }) {
  const query = useQuery()
  const view = VIEWS.find((name) => name === query.get('view')) ?? 'json'
  const setView = (to: View) => query.change({ view: to === 'json' ? '' : to })
  const count = sitemap.number_of_documents
  return (
    <Card>
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-2">
        <h2 className="text-body font-semibold">{t.found(t.urlCount(count))}</h2>
        {count <= MOST_SHOWN && (
          <Segmented
            label={t.view}
            value={view}
            onChange={setView}
            options={[
              { value: 'json', label: t.list },
              { value: 'graph', label: t.graph },
              { value: 'markdown', label: t.markdown },
            ]}
          />
        )}
      </div>
      <div className="flex h-[60dvh] min-h-80 min-w-0 flex-col gap-3 p-4">
        {count > MOST_SHOWN ? (
          <EmptyState title={t.tooManyUrls}>{t.urlsAreBestReadAsA(numberText(count))}</EmptyState>
        ) : view === 'json' ? (
          <List runId={sitemap.uuid} />
        ) : view === 'graph' ? (
          <Graph runId={sitemap.uuid} />
        ) : (
          <Markdown runId={sitemap.uuid} onFailure={() => setView('json')} />
        )}
      </div>
    </Card>
  )
}

function List({ runId }: { runId: string }) {
  const { data, error, isValidating, mutate } = useSitemapUrls(runId)
  if (data && Array.isArray(data.result)) return <UrlList urls={data.result} />
  if (error)
    return <ErrorState title={t.theListCouldNotBeLoaded} details={error.message} retrying={isValidating} onRetry={() => void mutate()} />
  return <Loading>{t.loadingTheList}</Loading>
}

function Graph({ runId }: { runId: string }) {
  const { data, error, isValidating, mutate } = useEndpoint(sitemapGraph, { params: { id: runId } }, STAYS)
  if (data) return <SiteGraph tree={data as SiteTree} empty={t.thisSitemapHasNoUrls} />
  if (error)
    return <ErrorState title={t.theTreeCouldNotBeLoaded} details={error.message} retrying={isValidating} onRetry={() => void mutate()} />
  return <Loading>{t.loadingTheTree}</Loading>
}

/** Lines that the screen shows; the download is complete. */
const MOST_LINES = 2000

function Markdown({ runId, onFailure }: { runId: string; onFailure: () => void }) {
  const { data, error, isValidating, mutate } = useEndpoint(sitemapMarkdown, { params: { id: runId } }, STAYS)
  if (error)
    return (
      <ErrorState title={t.theMarkdownCouldNotBeLoaded} details={error.message} retrying={isValidating} onRetry={() => void mutate()}>
        <button type="button" className="link" onClick={onFailure}>
          {t.backToTheList}
        </button>
      </ErrorState>
    )
  if (data === undefined) return <Loading>{t.loadingTheMarkdown}</Loading>
  const lines = data.split('\n')
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <CodeBlock label={t.sitemapAsMarkdown} code={lines.slice(0, MOST_LINES).join('\n')} language="markdown" />
      {lines.length > MOST_LINES && (
        <p className="mt-2 text-label text-faint">{t.theFirstOfLinesTheDownload(numberText(MOST_LINES), numberText(lines.length))}</p>
      )}
    </div>
  )
}
