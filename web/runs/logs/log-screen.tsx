/** The log of one kind of run: filters in the URL, live rows, cards on a phone. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { RUN_STATUSES, isTerminal } from '#contract/runs.ts'
import { PATHS, pathTo } from '#web/navigation.ts'
import { DeleteRunsDialog } from '#web/runs/shared/delete-runs-later.tsx'
import type { Deletable } from '#web/runs/shared/delete-runs.tsx'
import { detailsPath } from '#web/runs/shared/run-base.ts'
import type { AnyRun } from '#web/runs/shared/run-base.ts'
import { fromLog } from '#web/runs/shared/back-to-log.ts'
import { Button, ButtonLink, IconButton } from '#web/ui/form/button.tsx'
import { Card, CardFoot } from '#web/ui/card.tsx'
import { Tick } from '#web/ui/form/choice.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState, ErrorState } from '#web/ui/feedback/feedback.tsx'
import { Field, SelectField, TextField, boxClass, innerClass } from '#web/ui/form/field.tsx'
import { CloseIcon, PlusIcon, ScheduleIcon, SearchIcon, TrashIcon } from '#web/ui/icons.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Pagination } from '#web/ui/list/pagination.tsx'
import { PastEnd, isPastEnd } from '#web/ui/list/past-end.tsx'
import { StatusBadge, statusWord } from '#web/ui/feedback/status-badge.tsx'
import { ACTIONS_COLUMN, Table, TableSkeleton } from '#web/ui/list/table.tsx'
import type { Column } from '#web/ui/list/table.tsx'
import { Duration, RelativeTime } from '#web/ui/text/time.tsx'
import { useDelayed } from '#web/ui/hooks/use-delayed.ts'
import { schedules } from '#texts/navigation.ts'
import { several } from '#texts/nouns.ts'
import * as t from '#texts/activity.ts'
import { SelectionBar } from './selection-bar.tsx'
import { useBulk } from './use-bulk.ts'
import { EMPTY_QUERY, NEWEST_FIRST, changedQuery, isFiltered, parseLogQuery, sortedBy, writeLogQuery } from './log-query.ts'
import type { LogQuery } from './log-query.ts'
import type { RunKind } from './run-kind.ts'

/** Few users have this filter. */
const ScheduleFilter = lazyPart(async () => (await import('./schedule-filter.tsx')).ScheduleFilter, null)

export function LogScreen<Run extends AnyRun>({ kind }: { kind: RunKind<Run> }) {
  const { base, words, useList } = kind
  const { noun, paths } = base
  const inUrl = parseLogQuery(useSearch(), kind.types)
  const query = kind.hasSchedules ? inUrl : { ...inUrl, schedule: '' }
  const [, navigate] = useLocation()
  const list = useList(query)
  const change = (changes: Partial<LogQuery>) => navigate(PATHS[paths.log] + writeLogQuery(changedQuery(query, changes)), { replace: true })
  const hrefOf = (run: Run) => detailsPath(base, run)
  const open = (run: Run, { newTab }: { newTab: boolean }) => {
    if (newTab) window.open(hrefOf(run), '_blank', 'noopener')
    else navigate(hrefOf(run), { state: fromLog() })
  }
  const bulk = useBulk(kind)
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [asked, setAsked] = useState<readonly Deletable[] | null>(null)
  // A row that is no longer shown is not selected: users must see what they delete.
  const rows = list.data?.results ?? []
  const selected = rows.filter(({ uuid }) => picked.has(uuid))
  const toDelete = (runs: readonly Run[]) =>
    setAsked(runs.map((run) => ({ uuid: run.uuid, name: kind.nameOf(run), isRunning: !isTerminal(run.status) })))
  const begin = (
    <ButtonLink href={pathTo(paths.begin)} look="primary" icon={PlusIcon}>
      {words.begin}
    </ButtonLink>
  )
  return (
    <>
      <PageHeader title={words.title} description={words.description}>
        {kind.hasSchedules && (
          <ButtonLink href={PATHS.schedules} icon={ScheduleIcon}>
            {schedules}
          </ButtonLink>
        )}
        {begin}
      </PageHeader>
      <div className="grid min-w-0 gap-3">
        <Filters kind={kind} query={query} onChange={change} />
        <Card>
          {isPastEnd(list.error, query.page) ? (
            <PastEnd onPage={(page) => change({ page })} />
          ) : list.error && !list.data ? (
            <ErrorState
              title={t.listCouldNotBeLoaded(several[noun])}
              details={list.error.message}
              onRetry={() => void list.mutate()}
              retrying={list.isValidating}
            >
              {t.nothingIsLostTheyAreLoaded}
            </ErrorState>
          ) : !list.data ? (
            <TableSkeleton rows={6} label={t.loading(several[noun])} />
          ) : list.data.count === 0 ? (
            <Nothing kind={kind} filtered={isFiltered(query)} onClear={() => change(EMPTY_QUERY)} />
          ) : (
            <>
              {selected.length > 0 && (
                <SelectionBar
                  selected={selected.length}
                  all={rows.length}
                  noun={noun}
                  onAll={() => setPicked(new Set(rows.map(({ uuid }) => uuid)))}
                  onNone={() => setPicked(new Set())}
                  onDelete={() => toDelete(selected)}
                  busy={bulk.busy}
                  onDownload={() => void bulk.download(selected)}
                  onExport={() => bulk.exportRows(selected)}
                  onRerun={() => void bulk.runAgain(selected)}
                />
              )}
              <Table
                label={words.title}
                columns={columnsOf(kind, hrefOf, {
                  isPicked: ({ uuid }) => picked.has(uuid),
                  pick: ({ uuid }, isPicked) => setPicked(changed(picked, uuid, isPicked)),
                  remove: (run) => toDelete([run]),
                  isAllPicked: selected.length === rows.length,
                  pickAll: (isPicked) => setPicked(isPicked ? new Set(rows.map(({ uuid }) => uuid)) : new Set()),
                })}
                rows={list.data.results}
                rowKey={({ uuid }) => uuid}
                tone={({ status, uuid }) => (picked.has(uuid) ? 'picked' : isTerminal(status) ? undefined : 'live')}
                onRow={open}
                sorted={{
                  by: (query.sort || NEWEST_FIRST).replace(/^-/, ''),
                  descending: (query.sort || NEWEST_FIRST).startsWith('-'),
                  onSort: (by) => change({ sort: sortedBy(query.sort, by) }),
                }}
                updating={list.isLoading}
              />
              <CardFoot>
                <Pagination
                  page={query.page}
                  count={list.data.count}
                  pageSize={query.size}
                  onPage={(page) => change({ page })}
                  onPageSize={(size) => change({ size })}
                  busy={list.isLoading}
                />
              </CardFoot>
            </>
          )}
        </Card>
      </div>
      <DeleteRunsDialog
        base={base}
        deletion={kind.deletion}
        runs={asked}
        onClose={() => setAsked(null)}
        onDeleted={() => setPicked(new Set())}
      />
    </>
  )
}

function changed(set: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  const copy = new Set(set)
  if (isIn) copy.add(id)
  else copy.delete(id)
  return copy
}

type FiltersProps<Run extends AnyRun> = { kind: RunKind<Run>; query: LogQuery; onChange: (changes: Partial<LogQuery>) => void }

function Filters<Run extends AnyRun>({ kind, query, onChange }: FiltersProps<Run>) {
  const [text, setText] = useDelayed(query.text, (value) => onChange({ text: value }))
  return (
    <div
      role="search"
      aria-label={t.filters}
      className="relative -m-1 flex min-w-0 gap-2 overflow-x-auto p-1 [scrollbar-width:none] sm:flex-wrap"
    >
      {query.schedule !== '' && <ScheduleFilter id={query.schedule} onRemove={() => onChange({ schedule: '' })} />}
      <TextField
        className="w-64 flex-none max-sm:w-40"
        label={kind.words.textFilter}
        hideLabel
        type="search"
        size="small"
        icon={SearchIcon}
        placeholder={kind.words.textFilter}
        value={text}
        onChange={setText}
      />
      <SelectField
        className="w-44 flex-none max-sm:w-32"
        label={t.status}
        hideLabel
        size="small"
        value={query.status}
        onChange={(status) => onChange({ status })}
        options={[{ value: '', label: t.statusAll }, ...RUN_STATUSES.map((status) => ({ value: status, label: statusWord(status) }))]}
      />
      {kind.types.length > 0 && (
        <SelectField
          className="w-36 flex-none"
          label={t.type}
          hideLabel
          size="small"
          value={query.type}
          onChange={(type) => onChange({ type })}
          options={[{ value: '', label: t.typeAny }, ...kind.types]}
        />
      )}
      <DayField label={t.createdFrom} short={t.from} value={query.from} max={query.to} onChange={(from) => onChange({ from })} />
      <DayField label={t.createdUntil} short={t.until} value={query.to} min={query.from} onChange={(to) => onChange({ to })} />
      {isFiltered(query) && (
        <Button look="quiet" size="small" icon={CloseIcon} className="h-8 flex-none" onClick={() => onChange(EMPTY_QUERY)}>
          {t.clear}
        </Button>
      )}
    </div>
  )
}

type DayFieldProps = { label: string; short: string; value: string; min?: string; max?: string; onChange: (day: string) => void }

function DayField({ label, short, value, min, max, onChange }: DayFieldProps) {
  return (
    <Field label={label} hideLabel className="flex-none">
      {(ties) => (
        <div className={boxClass({ size: 'small' })}>
          <span aria-hidden="true" className="text-faint">
            {short}
          </span>
          <input
            type="date"
            {...ties}
            {...(min && { min })}
            {...(max && { max })}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className={cx(innerClass, 'num w-28 [&::-webkit-calendar-picker-indicator]:opacity-60', value === '' && 'text-faint')}
          />
        </div>
      )}
    </Field>
  )
}

function Nothing<Run extends AnyRun>({
  kind,
  filtered,
  onClear,
}: {
  kind: RunKind<Run>
  filtered: boolean
  onClear: () => void
}): ReactNode {
  const { base, words } = kind
  if (filtered)
    return (
      <EmptyState
        net="plain"
        title={t.nothingMatchesTheFilter}
        action={
          <Button icon={CloseIcon} onClick={onClear}>
            {t.clearTheFilter}
          </Button>
        }
      >
        {t.noMatchTheseFilters(several[base.noun])}
      </EmptyState>
    )
  return (
    <EmptyState
      title={words.empty}
      action={
        <ButtonLink href={pathTo(base.paths.begin)} look="primary">
          {words.begin}
        </ButtonLink>
      }
    >
      {words.emptySays}
    </EmptyState>
  )
}

type RowActs<Run> = {
  isPicked: (run: Run) => boolean
  pick: (run: Run, isPicked: boolean) => void
  remove: (run: Run) => void
  isAllPicked: boolean
  pickAll: (isPicked: boolean) => void
}

function columnsOf<Run extends AnyRun>(kind: RunKind<Run>, hrefOf: (run: Run) => string, acts: RowActs<Run>): Column<Run>[] {
  const { RowActions, base, nameOf } = kind
  return [
    {
      key: 'status',
      head: t.status,
      sort: 'status',
      headControl: <Tick aria-label={t.selectAllOnThisPage} checked={acts.isAllPicked} onChange={acts.pickAll} />,
      card: 'topLeft',
      cell: (run) => (
        <span className="inline-flex items-center gap-3">
          <Tick aria-label={t.select(nameOf(run))} checked={acts.isPicked(run)} onChange={(isPicked) => acts.pick(run, isPicked)} />
          <StatusBadge status={run.status} />
        </span>
      ),
    },
    ...kind.columns.map((column) =>
      column.wide
        ? {
            ...column,
            // A click anywhere on the row opens it. The link is for the keyboard, for copying its URL, and for opening a tab.
            cell: (run: Run) => (
              <Link href={hrefOf(run)} state={fromLog()} className="block w-full min-w-0 truncate hover:text-accent-ink">
                {column.cell(run)}
              </Link>
            ),
          }
        : column,
    ),
    {
      key: 'created',
      head: t.created,
      sort: 'created_at',
      card: 'topRight',
      cell: ({ created_at }) => <RelativeTime iso={created_at} className="num text-soft max-sm:text-faint" />,
    },
    {
      key: 'duration',
      head: t.duration,
      sort: 'duration',
      from: 'xl',
      card: 'bottomRight',
      cell: (run) => (
        <span className="text-soft">
          <Duration duration={run.duration} since={isTerminal(run.status) ? null : run.created_at} />
        </span>
      ),
    },
    {
      ...ACTIONS_COLUMN,
      card: 'none',
      cell: (run) => (
        <span className="inline-flex items-center justify-end">
          <RowActions run={run} />
          <IconButton label={t.deleteJobs(base.noun)} icon={TrashIcon} tone="danger" onClick={() => acts.remove(run)} />
        </span>
      ),
    },
  ]
}
