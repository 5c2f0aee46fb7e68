/** The dashboard: three ways to begin, what happened last, and how a program connects. */
import { Link } from 'wouter'
import { getProfile } from '#contract/accounts.ts'
import { listCrawls } from '#contract/crawls.ts'
import type { CrawlRequest } from '#contract/crawls.ts'
import { isTerminal } from '#contract/runs.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { PATHS, pathTo } from '#web/navigation.ts'
import type { PathName } from '#web/navigation.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card, CardHead } from '#web/ui/card.tsx'
import { EmptyState, ErrorState } from '#web/ui/feedback.tsx'
import { ArrowRightIcon, CrawlIcon, SearchIcon, SitemapIcon } from '#web/ui/icons.tsx'
import type { Icon } from '#web/ui/icons.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { TableSkeleton } from '#web/ui/table.tsx'
import { RelativeTime } from '#web/ui/time.tsx'
import { countText } from '#web/ui/time-texts.ts'
import { ApiHub } from './api-hub.tsx'

const LATEST = 5
const WATCH_MS = 5000

const WAYS: readonly { path: PathName; title: string; words: string; icon: Icon }[] = [
  { path: 'crawl', title: 'Start crawling', words: 'Follow a site and keep its text', icon: CrawlIcon },
  { path: 'search', title: 'Smart search', words: 'The web or your own pages', icon: SearchIcon },
  { path: 'sitemap', title: 'Generate sitemap', words: 'Every address of a site', icon: SitemapIcon },
]

export function HomeScreen() {
  const { data: profile } = useEndpoint(getProfile)
  return (
    <>
      <PageHeader
        title={profile?.first_name ? `Welcome back, ${profile.first_name}` : 'Welcome'}
        description="Crawl websites and read their pages as clean text."
      />
      <nav aria-label="Quick navigation" className="grid gap-2 sm:gap-4 lg:grid-cols-3">
        {WAYS.map(({ path, title, words, icon: Icon }) => (
          <Link
            key={path}
            href={PATHS[path]}
            className="group flex items-center gap-3 rounded-card border border-line bg-surface p-4 transition-colors hover:border-line-strong hover:bg-hover"
          >
            <span className="grid size-10 flex-none place-items-center rounded-card bg-wash text-accent-ink">
              <Icon className="size-5" />
            </span>
            <span className="min-w-0 flex-1">
              <span className="block font-semibold">{title}</span>
              <span className="block truncate text-table text-soft">{words}</span>
            </span>
            <ArrowRightIcon className="text-faint transition-transform group-hover:translate-x-0.5" />
          </Link>
        ))}
      </nav>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
        <LatestCrawls />
        <ApiHub />
      </div>
    </>
  )
}

function LatestCrawls() {
  const {
    data: crawls,
    error,
    isValidating,
    mutate,
  } = useEndpoint(
    listCrawls,
    { query: { page_size: LATEST } },
    // What still runs is looked at again; a list of finished crawls rests.
    { refreshInterval: (latest) => (latest?.results.some(({ status }) => !isTerminal(status)) ? WATCH_MS : 0) },
  )
  return (
    <Card>
      <CardHead title="Latest crawls">
        {crawls && crawls.count > 0 && (
          <Link className="link text-table" href={PATHS.crawlLogs}>
            All activity
          </Link>
        )}
      </CardHead>
      {crawls ? (
        crawls.count === 0 ? (
          <EmptyState
            title="No crawl requests yet"
            action={
              <ButtonLink look="primary" icon={CrawlIcon} href={PATHS.crawl}>
                Start crawling
              </ButtonLink>
            }
          >
            Crawls of this team gather here, with their pages.
          </EmptyState>
        ) : (
          <ul>
            {crawls.results.map((crawl) => (
              <li key={crawl.uuid} className="border-b border-line last:border-b-0">
                <CrawlLine crawl={crawl} />
              </li>
            ))}
          </ul>
        )
      ) : error ? (
        <ErrorState
          title="Failed to load the latest crawls"
          details={error.message}
          retrying={isValidating}
          onRetry={() => void mutate()}
        />
      ) : (
        <TableSkeleton rows={LATEST} label="Loading the latest crawls…" />
      )}
    </Card>
  )
}

function CrawlLine({ crawl }: { crawl: CrawlRequest }) {
  const first = crawl.url ?? crawl.urls[0] ?? ''
  const more = crawl.urls.length - 1
  return (
    <Link
      href={pathTo('crawlDetails', { requestId: crawl.uuid })}
      className="flex items-center gap-3 px-4 py-2 hover:bg-hover focus-visible:-outline-offset-2"
    >
      <CrawlIcon className="text-faint" />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-table font-medium" title={first}>
          {first.replace(/^https?:\/\//, '').replace(/\/$/, '')}
          {crawl.crawl_type === 'batch' && more > 0 && ` +${more} more`}
        </span>
        <span className="num block text-label text-faint">
          {countText(crawl.number_of_documents, 'page')}
          {isTerminal(crawl.status) ? '' : ' so far'}
        </span>
      </span>
      <StatusBadge status={crawl.status} />
      <RelativeTime iso={crawl.created_at} className="hidden w-28 text-right text-label whitespace-nowrap text-faint sm:block" />
    </Link>
  )
}
