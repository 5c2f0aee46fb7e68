/** The runs of a log as a table: selected, sorted, opened and deleted row by row. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { isTerminal } from '#contract/runs.ts'
import { DeleteRunsDialog } from '#web/runs/shared/delete-runs-later.tsx'
import type { Deletable } from '#web/runs/shared/delete-runs.tsx'
import { detailsPath } from '#web/runs/shared/run-base.ts'
import type { AnyRun } from '#web/runs/shared/run-base.ts'
import { fromLog } from '#web/runs/shared/back-to-log.ts'
import { IconButton } from '#web/ui/form/button.tsx'
import { Tick } from '#web/ui/form/choice.tsx'
import { TrashIcon } from '#web/ui/icons.tsx'
import { useHeldRows } from '#web/ui/list/held-rows.ts'
import { StatusBadge } from '#web/ui/feedback/status-badge.tsx'
import { ACTIONS_COLUMN, Table } from '#web/ui/list/table.tsx'
import type { Column } from '#web/ui/list/table.tsx'
import { Duration, RelativeTime } from '#web/ui/text/time.tsx'
import * as t from '#texts/activity.ts'
import { SelectionBar } from './selection-bar.tsx'
import { useBulk } from './use-bulk.ts'
import { NEWEST_FIRST, sortedBy, writeLogQuery } from './log-query.ts'
import type { LogQuery } from './log-query.ts'
import type { RunKind } from './run-kind.ts'

export type LogTableProps<Run extends AnyRun> = {
  kind: RunKind<Run>
  query: LogQuery
  runs: readonly Run[]
  /** Other rows are being loaded. */
  updating: boolean
  /** Shown instead of a table without rows. */
  empty: ReactNode
  onSort: (sort: string) => void
}

export function LogTable<Run extends AnyRun>({ kind, query, runs, updating, empty, onSort }: LogTableProps<Run>) {
  const { base, words } = kind
  const [, navigate] = useLocation()
  const bulk = useBulk(kind)
  const { rows, box, remove } = useHeldRows(runs, { idOf, view: updating ? null : writeLogQuery(query) })
  const selection = useSelection(rows)
  const { selected } = selection
  const [asked, setAsked] = useState<readonly Deletable[] | null>(null)
  const ask = (some: readonly Run[]) =>
    setAsked(some.map((run) => ({ uuid: run.uuid, name: kind.nameOf(run), isRunning: !isTerminal(run.status) })))
  const open = (run: Run, { newTab }: { newTab: boolean }) => {
    if (newTab) window.open(detailsPath(base, run), '_blank', 'noopener')
    else navigate(detailsPath(base, run), { state: fromLog() })
  }
  const sort = query.sort || NEWEST_FIRST
  return (
    <>
      {selected.length > 0 && (
        <SelectionBar
          selected={selected.length}
          all={rows.length}
          noun={base.noun}
          onAll={() => selection.pickAll(true)}
          onNone={() => selection.pickAll(false)}
          onDelete={() => ask(selected)}
          busy={bulk.busy}
          onDownload={() => void bulk.download(selected)}
          onExport={() => bulk.exportRows(selected)}
          onRerun={() => void bulk.runAgain(selected)}
        />
      )}
      {rows.length === 0 ? (
        empty
      ) : (
        <div {...box}>
          <Table
            label={words.title}
            columns={columnsOf(kind, selection, (run) => ask([run]))}
            rows={rows}
            rowKey={idOf}
            tone={(run) => (selection.isPicked(run) ? 'picked' : isTerminal(run.status) ? undefined : 'live')}
            onRow={open}
            sorted={{ by: sort.replace(/^-/, ''), descending: sort.startsWith('-'), onSort: (by) => onSort(sortedBy(query.sort, by)) }}
            updating={updating}
          />
        </div>
      )}
      <DeleteRunsDialog
        base={base}
        deletion={kind.deletion}
        runs={asked}
        onClose={() => setAsked(null)}
        onDeleted={() => {
          selection.pickAll(false)
          remove(asked?.map(({ uuid }) => uuid) ?? [])
        }}
      />
    </>
  )
}

const idOf = ({ uuid }: AnyRun) => uuid

type Selection<Run> = {
  selected: readonly Run[]
  isPicked: (run: Run) => boolean
  pick: (run: Run, isPicked: boolean) => void
  isAllPicked: boolean
  pickAll: (isPicked: boolean) => void
}

/** The rows that the user has ticked. One that is no longer shown is not selected: users must see what they delete. */
function useSelection<Run extends AnyRun>(rows: readonly Run[]): Selection<Run> {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const selected = rows.filter(({ uuid }) => picked.has(uuid))
  return {
    selected,
    isPicked: ({ uuid }) => picked.has(uuid),
    pick: ({ uuid }, isPicked) => setPicked((before) => changed(before, uuid, isPicked)),
    isAllPicked: selected.length === rows.length,
    pickAll: (isPicked) => setPicked(isPicked ? new Set(rows.map(idOf)) : new Set()),
  }
}

function changed(set: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  const copy = new Set(set)
  if (isIn) copy.add(id)
  else copy.delete(id)
  return copy
}

function columnsOf<Run extends AnyRun>(kind: RunKind<Run>, selection: Selection<Run>, remove: (run: Run) => void): Column<Run>[] {
  const { RowActions, base } = kind
  return [
    statusColumn(kind, selection),
    ...kind.columns.map((column) => (column.wide ? linked(kind, column) : column)),
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
          <IconButton label={t.deleteJobs(base.noun)} icon={TrashIcon} tone="danger" onClick={() => remove(run)} />
        </span>
      ),
    },
  ]
}

const statusColumn = <Run extends AnyRun>({ nameOf }: RunKind<Run>, selection: Selection<Run>): Column<Run> => ({
  key: 'status',
  head: t.status,
  sort: 'status',
  headControl: <Tick aria-label={t.selectAllOnThisPage} checked={selection.isAllPicked} onChange={selection.pickAll} />,
  card: 'topLeft',
  cell: (run) => (
    <span className="flex items-center gap-3 *:mt-0">
      <Tick aria-label={t.select(nameOf(run))} checked={selection.isPicked(run)} onChange={(isPicked) => selection.pick(run, isPicked)} />
      <StatusBadge status={run.status} />
    </span>
  ),
})

/** A click anywhere on the row opens it. The link is for the keyboard, for copying its URL, and for opening a tab. */
const linked = <Run extends AnyRun>({ base }: RunKind<Run>, column: Column<Run>): Column<Run> => ({
  ...column,
  cell: (run) => (
    <Link href={detailsPath(base, run)} state={fromLog()} className="block w-full min-w-0 truncate hover:text-accent-ink">
      {column.cell(run)}
    </Link>
  ),
})
