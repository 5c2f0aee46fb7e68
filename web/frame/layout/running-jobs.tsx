/** The team's running jobs, on every screen: a chip in the top bar, which opens a list of jobs with their progress. */
import { useId, useRef } from 'react'
import { Link } from 'wouter'
import { JOB_ICONS } from '#web/runs/logs/job-icon.tsx'
import { JOB_KINDS, foundText } from '#web/runs/logs/jobs.ts'
import type { Job } from '#web/runs/logs/jobs.ts'
import { useRunningJobs } from '#web/runs/logs/use-jobs.ts'
import { PATHS } from '#web/navigation.ts'
import { SpinnerIcon } from '#web/ui/icons.tsx'
import { useAnchoredPopover } from '#web/ui/dialog/use-anchored-popover.ts'
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx'
import { RelativeTime } from '#web/ui/text/time.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/layout.ts'

export function RunningJobs() {
  const { jobs, count } = useRunningJobs()
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const list = useAnchoredPopover<HTMLDivElement>({ anchor: () => button.current, align: 'end', side: 'below' })
  // The list stays open while it is being read, even when the last job has ended.
  if (count === 0 && !list.isOpen) return null
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={t.runningJobCount(count)}
        aria-expanded={list.isOpen}
        aria-controls={id}
        {...list.button}
        className="num flex h-8 flex-none items-center gap-1.5 rounded-control bg-st-running-wash px-2.5 text-table font-medium text-st-running"
      >
        {count > 0 && <SpinnerIcon className="size-3.5" />}
        <span className="lg:hidden">{numberText(count)}</span>
        <span className="hidden lg:inline">{t.runningJobCount(count)}</span>
      </button>
      <div
        {...list.popover}
        id={id}
        popover="auto"
        role="region"
        aria-label={t.runningJobsTitle}
        // Otherwise it would cover what the focus moves to.
        onBlur={({ currentTarget, relatedTarget }) => {
          if (relatedTarget && relatedTarget !== button.current && !currentTarget.contains(relatedTarget)) list.hide()
        }}
        className="fixed inset-auto m-0 max-h-[min(28rem,80vh)] w-84 max-w-[calc(100vw-16px)] overflow-auto rounded-card border border-line bg-raised p-1 text-table text-ink shadow-float open:animate-enter"
      >
        {jobs.length === 0 ? (
          <p className="px-2 py-3 text-soft">{t.noRunningJobs}</p>
        ) : (
          <ul>
            {jobs.map((job) => (
              <li key={job.id}>
                <JobLink job={job} onOpen={list.hide} />
              </li>
            ))}
          </ul>
        )}
        <div className="-mx-1 mt-1 border-t border-line px-3 pt-2 pb-1">
          <Link href={PATHS.crawlLogs} onClick={list.hide} className="link">
            {count > jobs.length ? t.allActivityMoreRunning(numberText(count - jobs.length)) : t.allActivity}
          </Link>
        </div>
      </div>
    </>
  )
}

function JobLink({ job, onOpen }: { job: Job; onOpen: () => void }) {
  const Icon = JOB_ICONS[job.kind]
  return (
    <Link
      href={job.href}
      onClick={onOpen}
      className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 gap-y-1 rounded-small px-2 py-2 hover:bg-hover focus-visible:-outline-offset-2"
    >
      <Icon className="mt-0.5 text-faint" />
      <span className="min-w-0">
        <span className="sr-only">{JOB_KINDS[job.kind].label}: </span>
        <span className="block truncate font-medium" title={job.name}>
          {job.name}
        </span>
        <span className="flex gap-2 text-label text-faint">
          <span className="num min-w-0 flex-1 truncate">{job.status === 'canceling' ? t.canceling : foundText(job)}</span>
          <RelativeTime iso={job.createdAt} className="num" />
        </span>
        {job.most !== null && job.most > 1 && (
          <ProgressBar thin className="mt-1.5" label={t.progressOf(job.name)} max={job.most} parts={[{ value: job.found }]} />
        )}
      </span>
    </Link>
  )
}
