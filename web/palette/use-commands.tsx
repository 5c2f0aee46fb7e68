/** Everything that the palette can find or do, in groups. */
import { navigate } from 'wouter/use-browser-location'
import type { ReactNode } from 'react'
import { listApiKeys } from '#contract/teams.ts'
import { JOB_ICONS } from '#web/activity/job-icon.tsx'
import { useLatestJobs } from '#web/activity/use-jobs.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { DEFAULT_FORM as CRAWL_FORM } from '#web/crawl/crawl-form.ts'
import { PATH_ICONS } from '#web/layout/path-icons.tsx'
import { PATHS, SIDEBAR } from '#web/navigation.ts'
import { isTarget, withScheme } from '#web/runs/address.ts'
import { handOver } from '#web/runs/hand-over.ts'
import { logOut } from '#web/session/log-out.ts'
import { DEFAULT_FORM as SITEMAP_FORM } from '#web/sitemap/sitemap-form.ts'
import { chooseTeam } from '#web/state/current-team.ts'
import { toggleTheme, useTheme } from '#web/state/theme.ts'
import { keyHref } from '#web/teams/key-place.ts'
import { useShownTeam } from '#web/teams/use-shown-team.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { CrawlIcon, KeyIcon, LogoutIcon, LogsIcon, MoonIcon, SitemapIcon, SunIcon } from '#web/ui/icons.tsx'
import type { Icon } from '#web/ui/icons.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'

export type Command = {
  id: string
  label: string
  /** Further words by which it is found, not shown. */
  words?: string
  icon?: Icon
  picture?: ReactNode
  /** At the far end. */
  end?: ReactNode
  run: () => void
}
export type CommandGroup = {
  title: string
  commands: readonly Command[]
  /** Made from the query itself: shown first, and whole. */
  always?: boolean
}

/** How many jobs, newest first, can be found by their name. */
const RECENT_JOBS = 30

/** @param query  what has been typed: an address can be crawled at once */
export function useCommands(query: string): { groups: readonly CommandGroup[]; isLoading: boolean } {
  const { jobs } = useLatestJobs(RECENT_JOBS)
  const { data: keys } = useEndpoint(listApiKeys, { query: { page_size: 100 } })
  const { teams, team } = useShownTeam()
  const isDark = useTheme() === 'dark'
  return {
    isLoading: jobs === undefined || keys === undefined,
    groups: [
      { title: 'With this address', commands: addressCommands(query), always: true },
      { title: 'Go to', commands: SCREENS },
      {
        title: 'Jobs',
        commands: (jobs ?? []).map((job) => ({
          id: `job-${job.id}`,
          label: job.name,
          words: job.kind,
          icon: JOB_ICONS[job.kind],
          end: <StatusBadge status={job.status} />,
          run: () => navigate(job.href),
        })),
      },
      {
        title: 'API keys',
        commands: (keys?.results ?? []).map(({ uuid, name, key }, index) => ({
          id: `key-${uuid}`,
          label: name,
          words: 'api key',
          icon: KeyIcon,
          end: `***${key.slice(-4)}`,
          run: () => navigate(keyHref(uuid, index)),
        })),
      },
      {
        title: 'Do',
        commands: [
          ...teams
            .filter(({ uuid }) => uuid !== team?.uuid)
            .map(({ uuid, name }) => ({
              id: `team-${uuid}`,
              label: `Switch to ${name}`,
              words: 'team',
              picture: <Avatar name={name} seed={uuid} />,
              run: () => chooseTeam(uuid),
            })),
          {
            id: 'theme',
            label: isDark ? 'Switch to light theme' : 'Switch to dark theme',
            words: 'appearance colours mode',
            icon: isDark ? SunIcon : MoonIcon,
            run: toggleTheme,
          },
          { id: 'log-out', label: 'Log out', words: 'sign out leave', icon: LogoutIcon, run: logOut },
        ],
      },
    ],
  }
}

/** Every screen of the sidebar; those below another are called after both. */
const SCREENS: readonly Command[] = SIDEBAR.flatMap(({ entries }) => entries).flatMap((entry) =>
  'entries' in entry
    ? entry.entries.map(({ label, path }) => ({
        id: path,
        label: `${entry.label}: ${label}`,
        icon: LogsIcon,
        run: () => navigate(PATHS[path]),
      }))
    : [
        {
          id: entry.path,
          label: entry.label,
          ...(PATH_ICONS[entry.path] && { icon: PATH_ICONS[entry.path] }),
          run: () => navigate(PATHS[entry.path]),
        },
      ],
)

/** An address opens a work screen with its form filled in; nothing is started from here. */
function addressCommands(query: string): Command[] {
  const url = withScheme(query)
  if (!isTarget(url)) return []
  const typed = query.trim()
  const ways: (Command & { path: string })[] = [
    {
      path: PATHS.crawl,
      id: 'crawl-address',
      label: `Crawl ${typed}`,
      icon: CrawlIcon,
      run: () => handOver('crawl', { ...CRAWL_FORM, url }),
    },
    {
      path: PATHS.sitemap,
      id: 'map-address',
      label: `Generate sitemap of ${typed}`,
      icon: SitemapIcon,
      run: () => handOver('sitemap', { ...SITEMAP_FORM, url }),
    },
  ]
  // A form that one is filling in is not overwritten from here.
  return ways.filter(({ path }) => path !== window.location.pathname)
}
