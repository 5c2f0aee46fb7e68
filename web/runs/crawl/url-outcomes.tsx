/** Every URL that a crawl has found, with its outcome: excluded by which rule, failed and why, or stored. */
import { Suspense, lazy, useState } from 'react'
import type { ReactNode } from 'react'
import { countOutcomes, listOutcomes } from '#contract/crawls.ts'
import type { UrlOutcome } from '#contract/crawls.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { useServerMessages } from '#web/api/server-messages.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/feedback/feedback.tsx'
import { SelectField, TextField } from '#web/ui/form/field.tsx'
import { ChevronRightIcon, CloseIcon, SearchIcon } from '#web/ui/icons.tsx'
import { PagedList } from '#web/ui/list/paged-list.tsx'
import { pageText } from '#web/ui/form/query-texts.ts'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import type { ChipTone } from '#web/ui/feedback/status-badge.tsx'
import { Table } from '#web/ui/list/table.tsx'
import type { Column } from '#web/ui/list/table.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import { OutsideLink } from '#web/ui/outside-link.tsx'
import { useDelayed } from '#web/ui/hooks/use-delayed.ts'
import { useQuery } from '#web/ui/hooks/use-query.ts'
import { outcomeWords } from './outcomes.ts'
import type { OutcomeGroup } from './outcomes.ts'
import { statusTone } from './page-texts.ts'
import { sizeText } from '#web/ui/text/size-text.ts'
import * as t from '#texts/crawl-overview.ts'

const PAGE_SIZE = 25

/** What went wrong in detail, in the language of the dashboard. */
function Detail({ detail }: { detail: string }) {
  const words = useServerMessages()(detail)
  return (
    <p className="truncate text-label text-faint max-sm:whitespace-normal" title={words}>
      {words}
    </p>
  )
}

const TONES: Record<OutcomeGroup, ChipTone> = { stored: 'success', failed: 'danger', skipped: 'plain', waiting: 'info' }

const COLUMNS: readonly Column<UrlOutcome>[] = [
  {
    key: 'outcome',
    head: t.outcome,
    card: 'topLeft',
    cell: ({ outcome }) => {
      const { group, label } = outcomeWords(outcome)
      return <Chip tone={TONES[group]}>{label}</Chip>
    },
  },
  {
    key: 'url',
    head: t.urlAndReason,
    wide: true,
    card: 'main',
    cell: ({ url, detail }) => (
      <div className="min-w-0 py-1.5 max-sm:py-0">
        <p className="truncate max-sm:wrap-anywhere max-sm:whitespace-normal" title={url}>
          <OutsideLink url={url} />
        </p>
        {detail && <Detail detail={detail} />}
      </div>
    ),
  },
  {
    key: 'status',
    head: 'HTTP',
    card: 'topRight',
    cell: ({ http_status }) =>
      http_status === null ? <span className="text-faint">–</span> : <Chip tone={statusTone(String(http_status))}>{http_status}</Chip>,
  },
  { key: 'depth', head: t.depth, align: 'right', card: 'none', cell: ({ depth }) => <span className="num">{depth}</span> },
  { key: 'tries', head: t.tries, align: 'right', card: 'none', cell: ({ tries }) => <span className="num">{tries}</span> },
  {
    key: 'size',
    head: t.sizeOfIt,
    align: 'right',
    card: 'bottomLeft',
    cell: ({ bytes }) => <span className="num">{bytes === null ? '–' : sizeText(bytes)}</span>,
  },
  {
    key: 'took',
    head: t.took,
    align: 'right',
    card: 'bottomRight',
    cell: ({ took_ms }) => <span className="num">{took_ms === null ? '–' : t.ms(numberText(Math.round(took_ms)))}</span>,
  },
]

/** Statistics above the list, loaded separately. */
const CrawlOverview = lazy(async () => ({ default: (await import('./crawl-overview.tsx')).CrawlOverview }))

const Chosen = ({ words, onClear }: { words: string; onClear: () => void }) => (
  <Button size="small" className="h-8" icon={CloseIcon} aria-label={t.clear(words)} onClick={onClear}>
    {words}
  </Button>
)

/** The statistics. Folded at first for a user who has come for the URLs of one outcome: the list is in view then. */
function Overview({ isFolded, children }: { isFolded: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(!isFolded)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="group min-w-0">
      <summary className="flex w-fit items-center gap-1.5 rounded-small text-table font-medium text-soft hover:text-ink">
        <ChevronRightIcon className="transition-transform group-open:rotate-90" />
        {t.overview}
      </summary>
      {isOpen && (
        <div className="pt-3 pb-1">
          <Suspense fallback={null}>{children}</Suspense>
        </div>
      )}
    </details>
  )
}

export function UrlOutcomes({ runId, live }: { runId: string; live: boolean }) {
  const inUrl = useQuery()
  const outcome = inUrl.get('outcome')
  const status = inUrl.get('http_status')
  const depth = inUrl.get('depth')
  const wanted = inUrl.get('text')
  const page = inUrl.page()
  const setPage = (to: number) => inUrl.change({ page: pageText(to) })
  const [text, setText] = useDelayed(wanted, (value) => inUrl.change({ text: value, page: '' }))
  const params = { id: runId }
  const counts = useEndpoint(countOutcomes, { params })
  const query = {
    page: page === 1 ? undefined : page,
    page_size: PAGE_SIZE,
    outcome: outcome || undefined,
    http_status: status || undefined,
    depth: depth || undefined,
    url__contains: wanted || undefined,
  }
  const urls = useEndpoint(listOutcomes, { params, query }, { keepPreviousData: true, refreshInterval: live ? 5000 : 0 })
  const known = (counts.data ?? []).flatMap((one) =>
    one.outcome === null ? [] : [{ value: one.outcome, label: `${outcomeWords(one.outcome).label} (${numberText(one.count)})` }],
  )
  const filtered = [outcome, status, depth, wanted].some(Boolean)
  const clear = () => inUrl.change({ outcome: '', http_status: '', depth: '', text: '', page: '' })
  return (
    <div className="grid min-w-0 gap-3">
      <Overview isFolded={outcome !== ''}>
        <CrawlOverview
          runId={runId}
          live={live}
          filter={{ outcome, http_status: status, depth }}
          onFilter={(filter) => inUrl.change({ ...filter, page: '' })}
        />
      </Overview>
      <div className="grid gap-2 sm:flex sm:flex-wrap">
        <TextField
          className="sm:w-72"
          label={t.urlContains}
          hideLabel
          type="search"
          size="small"
          icon={SearchIcon}
          placeholder={t.urlContains}
          value={text}
          onChange={setText}
        />
        <SelectField
          className="sm:w-72"
          label={t.outcome}
          hideLabel
          size="small"
          value={outcome}
          onChange={(value) => inUrl.change({ outcome: value, page: '' })}
          options={[
            { value: '', label: t.allOutcomes },
            ...known,
            ...(outcome !== '' && !known.some(({ value }) => value === outcome)
              ? [{ value: outcome, label: outcomeWords(outcome).label }]
              : []),
          ]}
        />
        {status !== '' && <Chosen words={t.status(status)} onClear={() => inUrl.change({ http_status: '', page: '' })} />}
        {depth !== '' && <Chosen words={t.atDepth(depth)} onClear={() => inUrl.change({ depth: '', page: '' })} />}
      </div>
      <Card>
        <PagedList
          answer={urls}
          page={page}
          pageSize={PAGE_SIZE}
          onPage={setPage}
          failed={t.theUrlsCouldNotBeLoaded}
          loading={t.loadingUrls}
          empty={
            filtered ? (
              <EmptyState
                net="plain"
                title={t.nothingMatchesTheFilter}
                action={
                  <Button icon={CloseIcon} onClick={clear}>
                    {t.clearTheFilter}
                  </Button>
                }
              />
            ) : (
              <EmptyState net="plain" title={t.noUrlYet} />
            )
          }
        >
          {(rows, updating) => <Table label={t.urls} columns={COLUMNS} rows={rows} rowKey={({ url }) => url} updating={updating} />}
        </PagedList>
      </Card>
    </div>
  )
}
