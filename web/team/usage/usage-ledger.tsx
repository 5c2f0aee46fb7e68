/** Every job with its reserved and used credits. */
import { useState } from 'react'
import { Link } from 'wouter'
import type { RunKind } from '#contract/runs.ts'
import { exportUsage, usageHistory } from '#contract/usage.ts'
import type { UsageEntry } from '#contract/usage.ts'
import { open } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { pathTo } from '#web/navigation.ts'
import { saveCsv } from '#web/runs/shared/save-file.ts'
import { downloadFault } from '#web/runs/shared/saving.ts'
import { Button } from '#web/ui/form/button.tsx'
import { DownloadIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { Card, CardHead } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/feedback/feedback.tsx'
import { SelectField } from '#web/ui/form/field.tsx'
import { PAGE_SIZE } from '#web/ui/limits.ts'
import { PagedList } from '#web/ui/list/paged-list.tsx'
import { pageText } from '#web/ui/form/query-texts.ts'
import { Chip, StatusBadge } from '#web/ui/feedback/status-badge.tsx'
import { Table } from '#web/ui/list/table.tsx'
import type { Column } from '#web/ui/list/table.tsx'
import { RelativeTime } from '#web/ui/text/time.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import { useQuery } from '#web/ui/hooks/use-query.ts'
import * as t from '#texts/usage.ts'

const KINDS: Record<RunKind, { label: string; href: (id: string) => string }> = {
  crawl: { label: t.crawl, href: (requestId) => pathTo('crawlDetails', { requestId }) },
  search: { label: t.search, href: (id) => pathTo('searchDetails', { id }) },
  sitemap: { label: t.sitemap, href: (id) => pathTo('sitemapDetails', { id }) },
}

const COLUMNS: Column<UsageEntry>[] = [
  { key: 'status', head: t.status, card: 'topLeft', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    key: 'created',
    head: t.created,
    card: 'topRight',
    cell: ({ created_at }) => <RelativeTime iso={created_at} className="num text-soft" />,
  },
  {
    key: 'label',
    head: t.request,
    wide: true,
    card: 'main',
    cell: ({ content_type, object_id, label, is_deleted }) =>
      is_deleted ? (
        <span className="text-faint">{t.deleted(content_type)}</span>
      ) : (
        <Link href={KINDS[content_type].href(object_id)} className="block truncate font-medium hover:text-accent-ink" title={label}>
          {label}
        </Link>
      ),
  },
  { key: 'type', head: t.type, card: 'none', cell: ({ content_type }) => <Chip>{KINDS[content_type].label}</Chip> },
  {
    key: 'requested',
    head: t.askedFor,
    align: 'right',
    card: 'bottomLeft',
    cell: ({ requested_page_credit: credits }) => (
      <span className="num text-soft">
        {numberText(credits)}
        <span className="sm:hidden"> {t.askedForInASentence}</span>
      </span>
    ),
  },
  {
    key: 'used',
    head: t.used,
    align: 'right',
    card: 'bottomRight',
    cell: ({ used_page_credit: credits }) => (
      <span className="num font-medium">
        {numberText(credits)}
        <span className="sm:hidden"> {t.usedInASentence}</span>
      </span>
    ),
  },
]

/** The kind of run in the URL; '' for all. */
const kindOf = (text: string): RunKind | '' => Object.keys(KINDS).find((kind): kind is RunKind => kind === text) ?? ''

export function UsageLedger() {
  const query = useQuery()
  const kind = kindOf(query.get('type'))
  const page = query.page()
  const setPage = (to: number) => query.change({ page: pageText(to) })
  const [saving, setSaving] = useState(false)
  const save = async () => {
    if (saving) return
    setSaving(true)
    try {
      const file = await open(exportUsage, { query: { content_type: kind || undefined, file_format: 'csv' } })
      saveCsv('usage.csv', await file.blob())
    } catch (cause) {
      toast.error(downloadFault(cause))
    } finally {
      setSaving(false)
    }
  }
  const answer = useEndpoint(
    usageHistory,
    { query: { page: page === 1 ? undefined : page, page_size: PAGE_SIZE, content_type: kind || undefined } },
    { keepPreviousData: true },
  )
  return (
    <Card>
      <CardHead title={t.creditLedger}>
        <Button size="small" icon={DownloadIcon} busy={saving} busyLabel={t.preparing} onClick={() => void save()}>
          {t.downloadCSV}
        </Button>
        <SelectField
          className="w-fit flex-none"
          label={t.type}
          hideLabel
          size="small"
          value={kind}
          onChange={(type) => query.change({ type, page: '' })}
          options={[{ value: '', label: t.allTypes }, ...Object.entries(KINDS).map(([value, { label }]) => ({ value, label }))]}
        />
      </CardHead>
      <PagedList
        answer={answer}
        page={page}
        onPage={setPage}
        failed={t.theLedgerCouldNotBeLoaded}
        loading={t.loadingTheLedger}
        skeletonRows={4}
        empty={<EmptyState net="plain" title={kind === '' ? t.nothingHasBeenUsedYet : t.noJobOfThisTypeYet} />}
      >
        {(entries, updating) => (
          <Table label={t.creditLedger} columns={COLUMNS} rows={entries} rowKey={({ uuid }) => uuid} updating={updating} />
        )}
      </PagedList>
    </Card>
  )
}
