/** The last 30 days in four figures, each with a sparkline. */
import { Suspense, lazy, useState } from 'react'
import type { ReactNode } from 'react'
import { getUsage } from '#contract/usage.ts'
import type { Usage } from '#contract/usage.ts'
import { useIsEnterprise } from '#web/api/enterprise.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Skeleton } from '#web/ui/feedback/feedback.tsx'
import { RefreshIcon } from '#web/ui/icons.tsx'
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx'
import { Sparkline } from '#web/ui/chart/sparkline.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import { changeText, everyDay, successRate } from '#web/team/usage/usage-figures.ts'
import * as t from '#texts/home.ts'

type Figure = { value: string; note: string; drawing: ReactNode }

/** Loaded in enterprise mode only. */
const CreditsLeft = lazy(async () => ({ default: (await import('#web/team/plans/credits-left.tsx')).CreditsLeft }))

export function StatisticsStrip() {
  const isEnterprise = useIsEnterprise()
  const { data: usage, error, isValidating, mutate } = useEndpoint(getUsage)
  const [nowMs] = useState(() => Date.now())
  if (!usage && error)
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3 rounded-card border border-line bg-surface p-4 text-soft">
        <p className="min-w-0 flex-1 basis-60">{t.theFiguresOfTheLast30(error.message)}</p>
        <Button size="small" icon={RefreshIcon} busy={isValidating} busyLabel={t.tryingAgain} onClick={() => void mutate()}>
          {t.tryAgain}
        </Button>
      </div>
    )
  const figures = usage ? figuresOf(usage, nowMs) : null
  return (
    <dl
      aria-label={t.last30Days}
      aria-busy={figures === null || undefined}
      className="grid grid-cols-2 overflow-hidden rounded-card border border-line bg-surface xl:grid-cols-4"
    >
      {NAMES.map((name, index) => {
        const figure = figures?.[index]
        return (
          <div
            key={name}
            className="grid min-w-0 content-start border-line p-4 max-xl:odd:border-r max-xl:[&:nth-child(n+3)]:border-t sm:p-5 xl:[&:nth-child(-n+3)]:border-r"
          >
            <dt className="text-table text-soft">{name}</dt>
            <dd className="grid gap-2">
              {figure ? (
                <>
                  <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
                    <b className="num text-figure font-semibold">{figure.value}</b>
                    <span className="num truncate text-label text-faint">{figure.note}</span>
                  </span>
                  {figure.drawing}
                </>
              ) : (
                <>
                  <Skeleton className="my-1 h-6 w-20" />
                  <Skeleton className="h-9" />
                </>
              )}
            </dd>
          </div>
        )
      })}
      {isEnterprise && (
        <Suspense fallback={null}>
          <CreditsLeft />
        </Suspense>
      )}
    </dl>
  )
}

const noteOf = (...notes: string[]) => notes.filter(Boolean).join(' · ')

/** In the order of `figuresOf`: the names are shown before the figures arrive. */
const NAMES = [t.crawls, t.documents, t.successRate, t.searches]

function figuresOf(usage: Usage, nowMs: number): Figure[] {
  const documents = everyDay(usage.document_history, nowMs)
  const today = documents.at(-1)?.count ?? 0
  const others = usage.total_crawls - usage.finished_crawls - usage.failed_crawls
  return [
    {
      value: numberText(usage.total_crawls),
      note: noteOf(
        changeText(usage.total_crawls, usage.previous.total_crawls),
        usage.running_crawls > 0 ? t.running(numberText(usage.running_crawls)) : '',
      ),
      drawing: <Sparkline days={everyDay(usage.crawl_history, nowMs)} />,
    },
    {
      value: numberText(usage.total_documents),
      note: noteOf(changeText(usage.total_documents, usage.previous.total_documents), today > 0 ? t.today(numberText(today)) : ''),
      drawing: <Sparkline days={documents} />,
    },
    {
      value: successRate(usage.finished_crawls, usage.total_crawls),
      note: usage.failed_crawls > 0 ? t.failed(numberText(usage.failed_crawls)) : '',
      drawing: (
        <div className="flex h-9 items-center">
          <ProgressBar
            className="w-full"
            label={t.finishedCrawlsOfAll}
            max={Math.max(1, usage.total_crawls)}
            parts={[
              { value: usage.finished_crawls, label: t.finished(numberText(usage.finished_crawls)) },
              { value: usage.failed_crawls, tone: 'danger', label: t.failed(numberText(usage.failed_crawls)) },
              { value: Math.max(0, others), tone: 'strong', label: t.runningOrCanceled(numberText(Math.max(0, others))) },
            ]}
          />
        </div>
      ),
    },
    {
      value: numberText(usage.total_searches),
      note: noteOf(
        changeText(usage.total_searches, usage.previous.total_searches),
        usage.total_sitemaps > 0 ? t.and(t.sitemaps(usage.total_sitemaps)) : '',
      ),
      drawing: <Sparkline days={everyDay(usage.search_history, nowMs)} />,
    },
  ]
}
