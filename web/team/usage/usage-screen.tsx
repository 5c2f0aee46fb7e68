/** The team's last 30 days: figures, a chart for each kind of work, and in enterprise mode the credits. */
import { useEffect, useState } from 'react'
import { getCurrentSubscription } from '#contract/plans.ts'
import { getUsage } from '#contract/usage.ts'
import type { Usage } from '#contract/usage.ts'
import { useIsEnterprise } from '#web/api/enterprise.ts'
import { refresh, useEndpoint } from '#web/api/hooks.ts'
import { AreaChart, chartSummary } from '#web/ui/chart/area-chart.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Card, CardBody, CardHead } from '#web/ui/card.tsx'
import { ErrorState, Loading } from '#web/ui/feedback/feedback.tsx'
import { RefreshIcon } from '#web/ui/icons.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { countText, numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/usage.ts'
import { changeText, everyDay, successRate } from './usage-figures.ts'
import { UsageLedger } from './usage-ledger.tsx'

/** Loaded in enterprise mode only; the placeholder reserves its height. */
const SubscriptionCard = lazyPart(
  async () => (await import('#web/team/plans/subscription-card.tsx')).SubscriptionCard,
  <Card className="h-105 sm:h-66">{null}</Card>,
)

export function UsageScreen() {
  const isEnterprise = useIsEnterprise()
  const { data: usage, error, isValidating, mutate } = useEndpoint(getUsage, {}, { keepPreviousData: true })
  useEffect(() => {
    if (isEnterprise) SubscriptionCard.load().catch(() => undefined)
  }, [isEnterprise])
  return (
    <>
      <PageHeader title={t.usage} description={t.whatThisTeamHasDoneIn}>
        <Button
          icon={RefreshIcon}
          busy={isValidating && usage !== undefined}
          busyLabel={t.refreshing}
          onClick={() => void Promise.all([refresh(getUsage), refresh(getCurrentSubscription)])}
        >
          {t.refresh}
        </Button>
      </PageHeader>
      {usage ? (
        <>
          <Figures usage={usage} />
          {isEnterprise && <SubscriptionCard />}
          <Charts usage={usage} />
        </>
      ) : (
        <Card>
          {error ? (
            <ErrorState title={t.failedToLoadUsageData} details={error.message} retrying={isValidating} onRetry={() => void mutate()} />
          ) : (
            <Loading>{t.loadingTheUsage}</Loading>
          )}
        </Card>
      )}
      {/* Wait for the cards above: when they arrive, they would push this one down. */}
      {isEnterprise && (usage || error) && <UsageLedger />}
    </>
  )
}

function Figures({ usage }: { usage: Usage }) {
  const { previous: before } = usage
  const figures = [
    {
      name: t.totalCrawlRequests,
      value: numberText(usage.total_crawls),
      change: changeText(usage.total_crawls, before.total_crawls),
    },
    {
      name: t.totalResults,
      value: numberText(usage.total_documents),
      change: changeText(usage.total_documents, before.total_documents),
    },
    {
      name: t.finishedCrawls,
      value: numberText(usage.finished_crawls),
      change: changeText(usage.finished_crawls, before.finished_crawls),
    },
    {
      name: t.successRate,
      change: before.total_crawls > 0 ? t.before(successRate(before.finished_crawls, before.total_crawls)) : '',
      value: successRate(usage.finished_crawls, usage.total_crawls),
    },
  ]
  return (
    <dl aria-label={t.totals} className="grid grid-cols-2 overflow-hidden rounded-card border border-line bg-surface xl:grid-cols-4">
      {figures.map(({ name, value, change }) => (
        <div
          key={name}
          className="grid gap-1 border-line p-4 max-xl:odd:border-r max-xl:[&:nth-child(n+3)]:border-t sm:p-5 xl:not-last:border-r"
        >
          <dt className="text-table text-soft">{name}</dt>
          <dd className="flex flex-wrap items-baseline gap-x-2">
            <b className="num text-figure font-semibold">{value}</b>
            {change && (
              <span className="num text-label text-faint" title={t.comparedWithThe30DaysBefore}>
                {change}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const CHARTS = [
  { title: t.crawlRequestsPerDay, history: 'crawl_history', tone: 1, one: t.crawlInASentence, several: t.crawls },
  { title: t.resultsPerDay, history: 'document_history', tone: 2, one: t.result, several: t.results },
  { title: t.searchesPerDay, history: 'search_history', tone: 1, one: t.searchInASentence, several: t.searches },
  { title: t.sitemapsPerDay, history: 'sitemap_history', tone: 2, one: t.sitemapInASentence, several: t.sitemaps },
] as const

function Charts({ usage }: { usage: Usage }) {
  const [nowMs] = useState(() => Date.now())
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {CHARTS.map(({ title, history, tone, one, several }) => {
        const days = everyDay(usage[history], nowMs)
        const isEmpty = days.every(({ count }) => count === 0)
        return (
          <Card key={title}>
            <CardHead title={title}>{!isEmpty && <span className="num text-label text-faint">{chartSummary(days)}</span>}</CardHead>
            <CardBody>
              {isEmpty ? (
                <p className="grid min-h-24 place-items-center text-table text-soft">{t.noInTheLast30Days(several)}</p>
              ) : (
                <AreaChart label={title} days={days} tone={tone} words={(count) => countText(count, one, several)} />
              )}
            </CardBody>
          </Card>
        )
      })}
    </div>
  )
}
