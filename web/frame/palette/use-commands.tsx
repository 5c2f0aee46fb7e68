/** The commands of the palette, in groups. */
import { navigate } from 'wouter/use-browser-location'
import type { ReactNode } from 'react'
import { listPresets } from '#contract/presets.ts'
import type { CrawlPreset } from '#contract/presets.ts'
import { listApiKeys } from '#contract/teams.ts'
import { JOB_ICONS } from '#web/runs/logs/job-icon.tsx'
import type { Job } from '#web/runs/logs/jobs.ts'
import { useLatestJobs } from '#web/runs/logs/use-jobs.ts'
import { useIsEnterprise } from '#web/api/enterprise.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { isReadable } from '#web/api/readable-keys.ts'
import { DEFAULT_FORM as CRAWL_FORM, formOf as crawlFormOf } from '#web/runs/crawl/crawl-form.ts'
import { PATH_ICONS } from '#web/frame/layout/path-icons.tsx'
import { PATHS, SIDEBAR } from '#web/navigation.ts'
import { isTarget, withScheme } from '#web/runs/shared/target-url.ts'
import { handOver } from '#web/runs/shared/hand-over.ts'
import { logOut } from '#web/account/session/log-out.ts'
import { DEFAULT_FORM as SITEMAP_FORM } from '#web/runs/sitemap/sitemap-form.ts'
import { chooseTeam } from '#web/state/current-team.ts'
import { toggleTheme, useTheme } from '#web/state/theme.ts'
import { keyHref } from '#web/team/teams/key-place.ts'
import { useShownTeam } from '#web/team/teams/use-shown-team.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import {
  BookmarkIcon,
  ChartIcon,
  CrawlIcon,
  KeyIcon,
  LogoutIcon,
  LogsIcon,
  MoonIcon,
  ScheduleIcon,
  SearchIcon,
  SettingsIcon,
  SitemapIcon,
  SunIcon,
} from '#web/ui/icons.tsx'
import type { Icon } from '#web/ui/icons.tsx'
import { StatusBadge } from '#web/ui/feedback/status-badge.tsx'
import { useSettled } from '#web/ui/hooks/use-settled.ts'
import { schedules } from '#texts/navigation.ts'
import * as t from '#texts/palette.ts'

export type Command = {
  id: string
  label: string
  /** Further search terms, not shown. */
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
  /** Created from the query itself: always shown, before all others or after them. */
  always?: 'first' | 'last'
}

/** How many of the newest jobs are available at once; older ones are searched on the server. */
const RECENT_JOBS = 30
const TYPING_MS = 200
/** Shorter queries are not searched, because nearly every job contains a single letter. */
const MIN_SOUGHT = 2

/** @param query  the typed text: a URL can be crawled at once, a word searched for */
export function useCommands(query: string): { groups: readonly CommandGroup[]; isLoading: boolean } {
  const { jobs, isSeeking } = useFoundJobs(query)
  const { data: keys, error } = useEndpoint(listApiKeys, { query: { page_size: 100 } })
  const { data: presets } = useEndpoint(listPresets)
  const { teams, team } = useShownTeam()
  const isEnterprise = useIsEnterprise()
  const isDark = useTheme() === 'dark'
  return {
    isLoading: isSeeking || (keys === undefined && error === undefined),
    groups: [
      { title: t.withThisUrl, commands: urlCommands(query), always: 'first' },
      { title: t.goTo, commands: isEnterprise ? [...SCREENS, ...ENTERPRISE_SCREENS] : SCREENS },
      { title: t.presets, commands: presetCommands(presets ?? []) },
      { title: t.jobs, commands: jobs.map(jobCommand) },
      {
        title: t.apiKeys,
        commands: (keys?.results ?? []).map(({ uuid, name, key }, index) => ({
          id: `key-${uuid}`,
          label: name,
          words: t.apiKey,
          icon: KeyIcon,
          end: isReadable({ key }) ? `***${key.slice(-4)}` : '',
          run: () => navigate(keyHref(uuid, index)),
        })),
      },
      {
        title: t.doText,
        commands: [
          ...teams
            .filter(({ uuid }) => uuid !== team?.uuid)
            .map(({ uuid, name }) => ({
              id: `team-${uuid}`,
              label: t.switchTo(name),
              words: t.team,
              picture: <Avatar name={name} seed={uuid} />,
              run: () => chooseTeam(uuid),
            })),
          {
            id: 'theme',
            label: isDark ? t.switchToLightTheme : t.switchToDarkTheme,
            words: t.appearanceColoursMode,
            icon: isDark ? SunIcon : MoonIcon,
            run: toggleTheme,
          },
          { id: 'log-out', label: t.logOut, words: t.signOutLeave, icon: LogoutIcon, run: logOut },
        ],
      },
      { title: t.lookForIt, commands: searchCommands(query), always: 'last' },
    ],
  }
}

/** The latest jobs, and older ones that contain the typed text. */
function useFoundJobs(query: string): { jobs: readonly Job[]; isSeeking: boolean } {
  const text = query.trim().length < MIN_SOUGHT ? '' : query.trim()
  const settled = useSettled(text, TYPING_MS)
  const { jobs: latest } = useLatestJobs(RECENT_JOBS)
  const { jobs: found } = useLatestJobs(RECENT_JOBS, settled)
  const byId = new Map([...(latest ?? []), ...(found ?? [])].map((job) => [job.id, job]))
  return { jobs: [...byId.values()], isSeeking: latest === undefined || found === undefined || text !== settled }
}

const jobCommand = (job: Job): Command => ({
  id: `job-${job.id}`,
  label: job.name,
  // A URL is shown without its scheme, but may be typed or pasted with it.
  words: job.kind === 'search' ? t.search : `${job.kind} https://${job.name} http://${job.name}`,
  icon: JOB_ICONS[job.kind],
  end: <StatusBadge status={job.status} />,
  run: () => navigate(job.href),
})

/** Every screen of the sidebar. A nested entry has its group's label and its own. */
const SIDEBAR_SCREENS: readonly Command[] = SIDEBAR.flatMap(({ entries }) => entries).flatMap((entry) =>
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

const SCREENS: readonly Command[] = [
  ...SIDEBAR_SCREENS,
  { id: 'schedules', label: schedules, icon: ScheduleIcon, run: () => navigate(PATHS.schedules) },
  settingsTab('proxy', t.proxySettings),
]
const ENTERPRISE_SCREENS: readonly Command[] = [
  settingsTab('billing', t.billing),
  { id: 'plans', label: t.plans, words: t.upgradeSubscription, icon: ChartIcon, run: () => navigate(PATHS.plans) },
]

function settingsTab(hash: string, label: string): Command {
  return { id: `settings-${hash}`, label: t.settings(label), icon: SettingsIcon, run: () => navigate(`${PATHS.settings}#${hash}`) }
}

/** Searches for the typed text: in own pages, which costs no credits, or on the web. */
function searchCommands(query: string): Command[] {
  const text = query.trim()
  if (text.length < MIN_SOUGHT || isTarget(withScheme(text))) return []
  const to = (given: Record<string, string>) => () => navigate(`${PATHS.search}?${new URLSearchParams(given)}`)
  return [
    { id: 'search-own', label: t.searchOwnPagesFor(text), icon: SearchIcon, run: to({ in: 'own', q: text }) },
    { id: 'search-web', label: t.searchTheWebFor(text), icon: SearchIcon, run: to({ q: text }) },
  ]
}

/** A preset opens the crawl form with its options. */
const presetCommands = (presets: readonly CrawlPreset[]): Command[] =>
  // Do not overwrite a form that is being filled in.
  window.location.pathname === PATHS.crawl
    ? []
    : presets.map(({ uuid, name, options }) => ({
        id: `preset-${uuid}`,
        label: t.crawlWithPreset(name),
        words: t.optionsSaved,
        icon: BookmarkIcon,
        run: () => handOver('crawl', crawlFormOf({ urls: [], crawl_type: 'single', options })),
      }))

/** A URL opens a playground with its form filled in; nothing is started. */
function urlCommands(query: string): Command[] {
  const url = withScheme(query)
  if (!isTarget(url)) return []
  const typed = query.trim()
  const playgrounds: (Command & { path: string })[] = [
    {
      path: PATHS.crawl,
      id: 'crawl-url',
      label: t.crawl(typed),
      icon: CrawlIcon,
      run: () => handOver('crawl', { ...CRAWL_FORM, url }),
    },
    {
      path: PATHS.sitemap,
      id: 'map-url',
      label: t.generateSitemapOf(typed),
      icon: SitemapIcon,
      run: () => handOver('sitemap', { ...SITEMAP_FORM, url }),
    },
  ]
  // Do not overwrite a form that is being filled in.
  return playgrounds.filter(({ path }) => path !== window.location.pathname)
}
