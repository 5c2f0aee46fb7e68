/** The dashboard: figures of the last days, three ways to begin, the latest jobs, and how programs connect. */
import { useState } from 'react'
import { Link } from 'wouter'
import { getProfile } from '#contract/accounts.ts'
import { getUsage } from '#contract/usage.ts'
import { useRunningJobs } from '#web/runs/logs/use-jobs.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { PATHS } from '#web/navigation.ts'
import type { PathName } from '#web/navigation.ts'
import { ArrowRightIcon, CrawlIcon, SearchIcon, SitemapIcon } from '#web/ui/icons.tsx'
import type { Icon } from '#web/ui/icons.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { everyDay } from '#web/team/usage/usage-figures.ts'
import * as t from '#texts/home.ts'
import { ApiHub } from './api-hub.tsx'
import { FirstSteps } from './first-steps.tsx'
import { LatestJobs } from './latest-jobs.tsx'
import { ResourcesCard } from './resources-card.tsx'
import { StatisticsStrip } from './statistics-strip.tsx'
import { welcomeLine } from './welcome-line.ts'

const WAYS: readonly { path: PathName; title: string; words: string; icon: Icon }[] = [
  { path: 'crawl', title: t.startCrawling, words: t.followASiteAndKeepIts, icon: CrawlIcon },
  { path: 'search', title: t.smartSearch, words: t.theWebOrYourOwnPages, icon: SearchIcon },
  { path: 'sitemap', title: t.generateSitemap, words: t.everyUrlOfASite, icon: SitemapIcon },
]

export function HomeScreen() {
  return (
    <>
      <Welcome />
      <FirstSteps />
      <StatisticsStrip />
      <nav aria-label={t.quickNavigation} className="grid gap-2 sm:gap-4 lg:grid-cols-3">
        {WAYS.map(({ path, title, words, icon: Icon }) => (
          <Link
            key={path}
            href={PATHS[path]}
            className="group flex min-w-0 items-center gap-3 rounded-card border border-line bg-surface p-4 transition-colors hover:border-line-strong hover:bg-hover"
          >
            <span className="grid size-10 flex-none place-items-center rounded-card bg-wash text-accent-ink">
              <Icon className="size-5" />
            </span>
            <span className="min-w-0 flex-1">
              <span className="block font-semibold">{title}</span>
              <span className="block text-table text-soft">{words}</span>
            </span>
            <ArrowRightIcon className="text-faint transition-transform group-hover:translate-x-0.5" />
          </Link>
        ))}
      </nav>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
        <div className="grid min-w-0 gap-4">
          <LatestJobs />
          <ResourcesCard />
        </div>
        <ApiHub />
      </div>
    </>
  )
}

function Welcome() {
  const { data: profile } = useEndpoint(getProfile)
  const { data: usage } = useEndpoint(getUsage)
  const { count } = useRunningJobs()
  const [nowMs] = useState(() => Date.now())
  const yesterday = usage ? (everyDay(usage.document_history, nowMs).at(-2)?.count ?? 0) : null
  return (
    <PageHeader
      title={profile?.first_name ? t.welcomeBack(profile.first_name) : t.welcome}
      description={<span className="num">{welcomeLine(count, yesterday)}</span>}
    />
  )
}
