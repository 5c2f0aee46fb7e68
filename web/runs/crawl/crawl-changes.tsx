/** Compares a crawl with another crawl of the same start URL: added, removed and changed pages, and each change word by word. */
import { Suspense, lazy } from 'react'
import { CHANGES, countChanges, listChanges, listCrawls } from '#contract/crawls.ts'
import type { CrawlRequest, PageChange } from '#contract/crawls.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Segmented } from '#web/ui/form/choice.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { EmptyState, ErrorState, Loading, Notice } from '#web/ui/feedback/feedback.tsx'
import { statusWord } from '#web/ui/feedback/status-badge.tsx'
import { SelectField } from '#web/ui/form/field.tsx'
import { OutsideLink } from '#web/ui/outside-link.tsx'
import { PagedList } from '#web/ui/list/paged-list.tsx'
import { pageText } from '#web/ui/form/query-texts.ts'
import { Table } from '#web/ui/list/table.tsx'
import type { Column } from '#web/ui/list/table.tsx'
import { exactTime, numberText } from '#web/ui/text/time-texts.ts'
import { useQuery } from '#web/ui/hooks/use-query.ts'
import { inSentence } from '#texts/language.ts'
import * as t from '#texts/crawl-overview.ts'

/** Loaded with the first page that is compared. */
const PageDiff = lazy(async () => ({ default: (await import('./page-diff.tsx')).PageDiff }))

const PAGE_SIZE = 25
/** How many older crawls the user can choose from. */
const MOST_OFFERED = 50

type Change = PageChange['change']
const LABELS: Record<Change, string> = t.changes

export function CrawlChanges({ run }: { run: CrawlRequest }) {
  const query = useQuery()
  const start = run.url ?? run.urls[0] ?? ''
  const others = useEndpoint(listCrawls, { query: { url: start, page_size: MOST_OFFERED } })
  const offered = (others.data?.results ?? []).filter(({ uuid }) => uuid !== run.uuid)
  if (others.error && !others.data)
    return (
      <Card>
        <ErrorState title={t.theOtherCrawlsCouldNotBe} details={others.error.message} onRetry={() => void others.mutate()} />
      </Card>
    )
  if (!others.data) return <Loading>{t.loadingTheOtherCrawls}</Loading>
  const wanted = query.get('since')
  const since = wanted || offered.find(({ created_at }) => created_at < run.created_at)?.uuid || offered[0]?.uuid
  if (since === undefined)
    return (
      <Card>
        <EmptyState net="plain" title={t.noOtherCrawlOfThisStart}>
          {t.runTheCrawlAgainLaterWhat}
        </EmptyState>
      </Card>
    )
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
      <SelectField
        className="sm:w-96"
        label={t.compareWith}
        value={since}
        onChange={(uuid) => query.change({ since: uuid, page: '', diff: '' })}
        options={[
          ...offered.map(({ uuid, created_at, number_of_documents: pages, status }) => ({
            value: uuid,
            label: `${exactTime(created_at)} · ${t.pages(pages)}${status === 'finished' ? '' : ` · ${inSentence(statusWord(status))}`}`,
          })),
          ...(offered.some(({ uuid }) => uuid === since) ? [] : [{ value: since, label: t.anotherCrawl }]),
        ]}
      />
      <Compared run={run} since={since} />
    </div>
  )
}

function Compared({ run, since }: { run: CrawlRequest; since: string }) {
  const query = useQuery()
  const params = { id: run.uuid }
  const chosen = CHANGES.find((change) => change === query.get('change')) ?? 'changed'
  const page = query.page()
  const setPage = (to: number) => query.change({ page: pageText(to), diff: '' })
  const counts = useEndpoint(countChanges, { params, query: { base: since } })
  const pages = useEndpoint(
    listChanges,
    { params, query: { base: since, change: chosen, page: page === 1 ? undefined : page, page_size: PAGE_SIZE } },
    { keepPreviousData: true },
  )
  if (counts.error)
    return (
      <Card>
        <ErrorState
          title={t.theCrawlsCouldNotBeCompared}
          details={counts.error.message}
          onRetry={() => void Promise.all([counts.mutate(), pages.mutate()])}
        />
      </Card>
    )
  const opened = pages.data?.results.find(({ url }) => url === query.get('diff'))
  const differing = counts.data?.differing_options ?? []
  return (
    <>
      {differing.length > 0 && (
        <Notice role="status" title={t.theCrawlsHaveDifferentOptions}>
          {t.theTextMayDifferBecauseOf(differing.join(', '))}
        </Notice>
      )}
      <Segmented
        label={t.whichPages}
        value={chosen}
        onChange={(change) => query.change({ change: change === 'changed' ? '' : change, page: '', diff: '' })}
        options={CHANGES.map((change) => ({
          value: change,
          label: counts.data ? `${LABELS[change]} ${numberText(counts.data[change])}` : LABELS[change],
        }))}
      />
      <Card>
        <PagedList
          answer={pages}
          page={page}
          pageSize={PAGE_SIZE}
          onPage={setPage}
          failed={t.theCrawlsCouldNotBeCompared}
          loading={t.loadingTheComparison}
          empty={<EmptyState net="plain" title={t.noPageWas(LABELS[chosen].toLowerCase())} />}
        >
          {(rows, updating) => (
            <Table
              label={t.pagesOf(LABELS[chosen])}
              columns={columnsOf(chosen, (url) => query.change({ diff: url }))}
              rows={rows}
              rowKey={({ url }) => url}
              updating={updating}
            />
          )}
        </PagedList>
      </Card>
      <Dialog open={opened !== undefined} onClose={() => query.change({ diff: '' })} title={opened?.title ?? opened?.url ?? ''} size="wide">
        {opened?.result && opened.before && (
          <Suspense fallback={<Loading>{t.comparing}</Loading>}>
            <PageDiff url={opened.url} now={{ crawl: run.uuid, result: opened.result }} before={{ crawl: since, result: opened.before }} />
          </Suspense>
        )}
      </Dialog>
    </>
  )
}

function columnsOf(chosen: Change, onOpen: (url: string) => void): Column<PageChange>[] {
  return [
    {
      key: 'page',
      head: t.pageOfIt,
      wide: true,
      card: 'main',
      cell: ({ title, url }) => (
        <div className="min-w-0 py-1.5 max-sm:py-0">
          {title && (
            <p dir="auto" className="truncate text-left font-medium">
              {title}
            </p>
          )}
          <p className="truncate text-label text-faint" title={url}>
            <OutsideLink url={url} />
          </p>
        </div>
      ),
    },
    ...(chosen === 'changed'
      ? [
          {
            key: 'diff',
            head: t.difference,
            hideHead: true,
            align: 'right' as const,
            card: 'bottomLeft' as const,
            cell: ({ url }: PageChange) => (
              <Button size="small" aria-label={t.showWhatChangedIn(url)} onClick={() => onOpen(url)}>
                {t.showWhatChanged}
              </Button>
            ),
          },
        ]
      : []),
  ]
}
