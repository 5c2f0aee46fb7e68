/** The latest jobs of the team, of all kinds. Running jobs update live. */
import { Link } from 'wouter'
import { isTerminal } from '#contract/runs.ts'
import { JOB_ICONS } from '#web/runs/logs/job-icon.tsx'
import { JOB_KINDS, foundText } from '#web/runs/logs/jobs.ts'
import type { Job } from '#web/runs/logs/jobs.ts'
import { useLatestJobs } from '#web/runs/logs/use-jobs.ts'
import { PATHS } from '#web/navigation.ts'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { Card, CardFoot, CardHead } from '#web/ui/card.tsx'
import { EmptyState, ErrorState } from '#web/ui/feedback/feedback.tsx'
import { CrawlIcon, RefreshIcon } from '#web/ui/icons.tsx'
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx'
import { StatusBadge } from '#web/ui/feedback/status-badge.tsx'
import { TableSkeleton } from '#web/ui/list/table.tsx'
import { RelativeTime } from '#web/ui/text/time.tsx'
import { list } from '#texts/language.ts'
import { several } from '#texts/nouns.ts'
import * as t from '#texts/home.ts'

const LATEST = 5

export function LatestJobs() {
  const { jobs, failed, isValidating, retry } = useLatestJobs(LATEST)
  const [fault] = failed
  return (
    <Card>
      <CardHead title={t.latestJobs}>
        {jobs && jobs.length > 0 && (
          <Link className="link text-table" href={PATHS.crawlLogs}>
            {t.allActivity}
          </Link>
        )}
      </CardHead>
      {!jobs ? (
        <TableSkeleton rows={LATEST} label={t.loadingTheLatestJobs} />
      ) : jobs.length > 0 ? (
        <ul>
          {jobs.map((job) => (
            <li key={job.id} className="border-b border-line last:border-b-0">
              <JobLine job={job} />
            </li>
          ))}
        </ul>
      ) : fault ? (
        <ErrorState title={t.failedToLoadTheLatestJobs} details={fault.error.message} retrying={isValidating} onRetry={retry} />
      ) : (
        <EmptyState
          title={t.noJobsYet}
          action={
            <ButtonLink look="primary" icon={CrawlIcon} href={PATHS.crawl}>
              {t.startCrawling}
            </ButtonLink>
          }
        >
          {t.crawlsSearchesAndSitemapsOfThis}
        </EmptyState>
      )}
      {jobs && jobs.length > 0 && fault && (
        <CardFoot className="text-table text-soft">
          <span role="status" className="min-w-0 flex-1">
            {t.theCouldNotBeLoaded(list(failed.map(({ kind }) => several[kind])))}
          </span>
          <Button size="small" icon={RefreshIcon} busy={isValidating} busyLabel={t.tryingAgain} onClick={retry}>
            {t.tryAgain}
          </Button>
        </CardFoot>
      )}
    </Card>
  )
}

function JobLine({ job }: { job: Job }) {
  const Icon = JOB_ICONS[job.kind]
  const isLive = !isTerminal(job.status)
  return (
    <Link href={job.href} className="flex items-center gap-3 px-4 py-2 hover:bg-hover focus-visible:-outline-offset-2">
      <Icon className="text-faint" />
      <span className="sr-only">{JOB_KINDS[job.kind].label}: </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-table font-medium" title={job.name}>
          {job.name}
        </span>
        <span className="flex items-center gap-2">
          <span className="num text-label whitespace-nowrap text-faint">{foundText(job)}</span>
          {isLive && job.most !== null && job.most > 1 && (
            <ProgressBar thin className="w-24 max-sm:hidden" label={t.progressOf(job.name)} max={job.most} parts={[{ value: job.found }]} />
          )}
        </span>
      </span>
      <StatusBadge status={job.status} />
      <RelativeTime iso={job.createdAt} className="num hidden w-28 text-right text-label whitespace-nowrap text-faint sm:block" />
    </Link>
  )
}
