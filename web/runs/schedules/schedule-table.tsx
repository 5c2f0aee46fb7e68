/** Schedules, a row each. */
import { useState } from 'react'
import { Link } from 'wouter'
import { listCrawls } from '#contract/crawls.ts'
import { isTerminal } from '#contract/runs.ts'
import { changeSchedule, listSchedules, runSchedule } from '#contract/schedules.ts'
import type { CrawlSchedule } from '#contract/schedules.ts'
import { amendAnswers, useAction } from '#web/api/hooks.ts'
import { useServerMessages } from '#web/api/server-messages.ts'
import { PATHS, pathTo } from '#web/navigation.ts'
import { bareUrl } from '#web/runs/crawl/page-texts.ts'
import { reasonOf } from '#web/runs/shared/use-run-again.ts'
import { AlertIcon, ListIcon, PencilIcon, PlayIcon, TrashIcon } from '#web/ui/icons.tsx'
import { StatusBadge } from '#web/ui/feedback/status-badge.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { IconButton, IconLink } from '#web/ui/form/button.tsx'
import { Switch } from '#web/ui/form/choice.tsx'
import { ACTIONS_COLUMN, Table } from '#web/ui/list/table.tsx'
import { RelativeTime } from '#web/ui/text/time.tsx'
import { exactTime, numberText } from '#web/ui/text/time-texts.ts'
import { found } from '#texts/nouns.ts'
import * as t from '#texts/schedules.ts'
import { timeInZone, whenText } from './schedule-texts.ts'

type ScheduleTableProps = {
  schedules: readonly CrawlSchedule[]
  updating: boolean
  onEdit: (schedule: CrawlSchedule) => void
  onDelete: (schedule: CrawlSchedule) => void
}

export function ScheduleTable({ schedules, updating, onEdit, onDelete }: ScheduleTableProps) {
  return (
    <Table
      label={t.schedules}
      rows={schedules}
      rowKey={({ uuid }) => uuid}
      tone={({ last_crawl: last }) => (last !== null && !isTerminal(last.status) ? 'live' : undefined)}
      updating={updating}
      columns={[
        { key: 'name', head: t.name, wide: true, card: 'main', cell: (schedule) => <Name {...schedule} /> },
        { key: 'when', head: t.when, from: 'xl', card: 'none', cell: (schedule) => <When {...schedule} /> },
        {
          key: 'next',
          head: t.nextCrawl,
          card: 'bottomLeft',
          cell: ({ next_crawl_at: at, timezone }) =>
            at === null ? (
              <span className="text-faint max-sm:hidden">{t.paused}</span>
            ) : (
              <>
                <span className="sm:hidden">{t.nextInACard} </span>
                <RelativeTime iso={at} title={timeInZone(at, timezone)} className="num" />
              </>
            ),
        },
        { key: 'last', head: t.lastCrawl, card: 'bottomRight', cell: (schedule) => <LastCrawl {...schedule} /> },
        { key: 'active', head: t.active, card: 'topLeft', cell: (schedule) => <ActiveSwitch schedule={schedule} /> },
        {
          ...ACTIONS_COLUMN,
          cell: (schedule) => (
            <span className="inline-flex items-center">
              <RunNow schedule={schedule} />
              <IconButton label={t.edit(schedule.name)} icon={PencilIcon} onClick={() => onEdit(schedule)} />
              <IconLink label={t.showCrawlsOf(schedule.name)} icon={ListIcon} href={crawlsOf(schedule)} />
              <IconButton label={t.deleteNamed(schedule.name)} icon={TrashIcon} tone="danger" onClick={() => onDelete(schedule)} />
            </span>
          ),
        },
      ]}
    />
  )
}

/** Stores a changed schedule in the cached pages of the list. */
const rememberSchedule = (changed: CrawlSchedule) =>
  amendAnswers(listSchedules, (page) => ({ ...page, results: page.results.map((one) => (one.uuid === changed.uuid ? changed : one)) }))

/** The log of the crawls that a schedule has started. */
const crawlsOf = ({ uuid }: CrawlSchedule) => `${PATHS.crawlLogs}?${new URLSearchParams({ schedule: uuid })}`

function Name(schedule: CrawlSchedule) {
  const { last_problem: problem, name, number_of_urls: urls, timezone, url } = schedule
  const translate = useServerMessages()
  return (
    <span className="grid min-w-0 grid-cols-[minmax(0,1fr)] py-2 max-sm:py-0">
      <Link href={crawlsOf(schedule)} className="truncate font-medium hover:text-accent-ink" title={name}>
        {name}
      </Link>
      <span className="flex min-w-0 gap-1 text-label text-faint">
        <span className="truncate" title={url}>
          {bareUrl(url)}
        </span>
        {urls > 1 && <span className="flex-none">{t.andMore(numberText(urls - 1))}</span>}
      </span>
      <span className="mt-1 whitespace-normal xl:hidden">
        <When {...schedule} />
      </span>
      {problem !== null && (
        <span className="mt-1 flex items-start gap-1 text-label font-medium whitespace-normal text-warning">
          <AlertIcon className="mt-px size-3.5 flex-none" />
          <span className="min-w-0 wrap-anywhere">
            {problem.problem === 'in_progress'
              ? t.omittedBecauseInProgress(timeInZone(problem.at, timezone))
              : t.didNotStart(timeInZone(problem.at, timezone), translate(problem.message))}
          </span>
        </span>
      )}
    </span>
  )
}

function When({ cron, timezone }: CrawlSchedule) {
  const words = whenText(cron)
  return (
    <span className="grid">
      {words === null ? <code>{cron}</code> : <span>{words}</span>}
      <span className="text-label wrap-anywhere text-faint">{timezone}</span>
    </span>
  )
}

function LastCrawl({ last_crawl: last }: CrawlSchedule) {
  if (last === null) return <span className="text-faint">{t.noneYet}</span>
  return (
    <Link
      href={pathTo('crawlDetails', { requestId: last.uuid })}
      title={exactTime(last.created_at)}
      className="inline-flex items-center gap-2 hover:text-accent-ink sm:flex-col sm:items-start sm:gap-0.5 sm:py-2"
    >
      <StatusBadge status={last.status} />
      {last.status !== 'new' && <span className="num sm:text-label">{found.crawl(last.number_of_documents)}</span>}
    </Link>
  )
}

function ActiveSwitch({ schedule: { is_active: stored, name, uuid } }: { schedule: CrawlSchedule }) {
  const change = useAction(changeSchedule)
  /** Shown until the server has answered. */
  const [wanted, setWanted] = useState<boolean | null>(null)
  const isActive = wanted ?? stored
  const set = async (next: boolean) => {
    if (change.busy) return
    setWanted(next)
    const outcome = await change.run({ params: { id: uuid }, body: { is_active: next } })
    if (outcome.ok) rememberSchedule(outcome.answer)
    else toast.error(t.failedToChangeTheSchedule(reasonOf(outcome.error)))
    setWanted(null)
  }
  return (
    <span className="inline-flex h-7 items-center gap-2 align-middle">
      <Switch aria-label={t.isActive(name)} checked={isActive} onChange={(next) => void set(next)} />
      <span aria-hidden="true" className="text-label text-soft sm:hidden">
        {isActive ? t.active : t.paused}
      </span>
    </span>
  )
}

function RunNow({ schedule: { name, uuid } }: { schedule: CrawlSchedule }) {
  const start = useAction(runSchedule, { refreshes: [listSchedules, listCrawls] })
  const run = async () => {
    const outcome = await start.run({ params: { id: uuid } })
    if (outcome.ok) toast.success(t.theCrawlHasStarted)
    else toast.error(t.failedToStartTheCrawl(reasonOf(outcome.error)))
  }
  return <IconButton label={t.runNow(name)} icon={PlayIcon} busy={start.busy} onClick={() => void run()} />
}
