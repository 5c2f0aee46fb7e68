/** The log of one kind of run: filters in the URL, live rows, cards on a phone. */
import type { ReactNode } from 'react'
import { useLocation, useSearch } from 'wouter'
import { PATHS, pathTo } from '#web/navigation.ts'
import type { AnyRun } from '#web/runs/shared/run-base.ts'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/feedback/feedback.tsx'
import { CloseIcon, PlusIcon, ScheduleIcon } from '#web/ui/icons.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PagedList } from '#web/ui/list/paged-list.tsx'
import { schedules } from '#texts/navigation.ts'
import { several } from '#texts/nouns.ts'
import * as t from '#texts/activity.ts'
import { LogFilters } from './log-filters.tsx'
import { LogTable } from './log-table.tsx'
import { EMPTY_QUERY, changedQuery, isFiltered, parseLogQuery, writeLogQuery } from './log-query.ts'
import type { LogQuery } from './log-query.ts'
import type { RunKind } from './run-kind.ts'

export function LogScreen<Run extends AnyRun>({ kind }: { kind: RunKind<Run> }) {
  const { base, words } = kind
  const inUrl = parseLogQuery(useSearch(), kind.types)
  const query = kind.hasSchedules ? inUrl : { ...inUrl, schedule: '' }
  const [, navigate] = useLocation()
  const change = (changes: Partial<LogQuery>) =>
    navigate(PATHS[base.paths.log] + writeLogQuery(changedQuery(query, changes)), { replace: true })
  return (
    <>
      <PageHeader title={words.title} description={words.description}>
        {kind.hasSchedules && (
          <ButtonLink href={PATHS.schedules} icon={ScheduleIcon}>
            {schedules}
          </ButtonLink>
        )}
        <ButtonLink href={pathTo(base.paths.begin)} look="primary" icon={PlusIcon}>
          {words.begin}
        </ButtonLink>
      </PageHeader>
      <div className="grid min-w-0 gap-3">
        <LogFilters kind={kind} query={query} onChange={change} />
        <Card>
          <Rows kind={kind} query={query} onChange={change} />
        </Card>
      </div>
    </>
  )
}

type RowsProps<Run extends AnyRun> = { kind: RunKind<Run>; query: LogQuery; onChange: (changes: Partial<LogQuery>) => void }

function Rows<Run extends AnyRun>({ kind, query, onChange }: RowsProps<Run>) {
  const { noun } = kind.base
  const list = kind.useList(query)
  return (
    <PagedList
      answer={list}
      page={query.page}
      pageSize={query.size}
      onPage={(page) => onChange({ page })}
      onPageSize={(size) => onChange({ size })}
      failed={t.listCouldNotBeLoaded(several[noun])}
      failedSays={t.nothingIsLostTheyAreLoaded}
      loading={t.loading(several[noun])}
      skeletonRows={6}
    >
      {(runs, updating) => (
        <LogTable
          kind={kind}
          query={query}
          runs={runs}
          updating={updating}
          empty={list.data?.count === 0 && <Nothing kind={kind} filtered={isFiltered(query)} onClear={() => onChange(EMPTY_QUERY)} />}
          onSort={(sort) => onChange({ sort })}
        />
      )}
    </PagedList>
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
