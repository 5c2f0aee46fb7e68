/** Every path of the product, with its label and its place in sidebar and breadcrumbs. */
import * as t from '#texts/navigation.ts'
import { basePath } from './state/runtime-config.ts'

const PLACES = {
  login: '/',
  register: '/register',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password/:token',
  verifyEmail: '/verify-email/:token',
  paymentCallback: '/stripe-callback/',
  dashboard: '/dashboard',
  playground: '/dashboard/playground',
  crawl: '/dashboard/crawl',
  search: '/dashboard/search',
  sitemap: '/dashboard/sitemap',
  schedules: '/dashboard/schedules',
  crawlLogs: '/dashboard/logs/crawls',
  crawlDetails: '/dashboard/logs/crawls/:requestId',
  searchLogs: '/dashboard/logs/searches',
  searchDetails: '/dashboard/logs/searches/:id',
  sitemapLogs: '/dashboard/logs/sitemaps',
  sitemapDetails: '/dashboard/logs/sitemaps/:id',
  usage: '/dashboard/usage',
  apiKeys: '/dashboard/api-keys',
  settings: '/dashboard/settings',
  profile: '/dashboard/profile',
  plans: '/dashboard/plans',
  apiReference: '/dashboard/api-reference',
} as const

export type PathName = keyof typeof PLACES

/** All paths as the browser sees them, with the prefix `base`: the path at which a proxy serves the app, or '' for the root of its host. */
export const pathsBelow = (base: string) =>
  Object.fromEntries(Object.entries(PLACES).map(([name, path]) => [name, base + path])) as Record<PathName, string>

export const PATHS = pathsBelow(basePath)

/** Whether a path is the base path (with or without final slash) or below it. */
export const isBelow = (base: string, path: string): boolean => path === base || path.startsWith(`${base}/`)

/** A path with its parameters filled in: `pathTo('crawlDetails', { requestId })`. */
export function pathTo(name: PathName, params: Record<string, string> = {}): string {
  return PATHS[name].replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
}

export type SidebarEntry = { label: string; path: PathName } | { label: string; entries: readonly { label: string; path: PathName }[] }

/** The sidebar from top to bottom: three groups, in the order of the specification. */
export const SIDEBAR: readonly { title: string; entries: readonly SidebarEntry[] }[] = [
  {
    title: t.work,
    entries: [
      { label: t.dashboard, path: 'dashboard' },
      { label: t.crawl, path: 'crawl' },
      { label: t.search, path: 'search' },
      { label: t.sitemap, path: 'sitemap' },
      {
        label: t.activityLogs,
        entries: [
          { label: t.crawls, path: 'crawlLogs' },
          { label: t.searches, path: 'searchLogs' },
          { label: t.sitemaps, path: 'sitemapLogs' },
        ],
      },
    ],
  },
  {
    title: t.team,
    entries: [
      { label: t.usage, path: 'usage' },
      { label: t.apiKeys, path: 'apiKeys' },
      { label: t.settings, path: 'settings' },
      { label: t.profile, path: 'profile' },
    ],
  },
  { title: t.help, entries: [{ label: t.apiReference, path: 'apiReference' }] },
]

/** Whether a sidebar entry is the current place or above it. The dashboard only matches itself. */
export function isCurrent(path: PathName, location: string): boolean {
  const target = PATHS[path]
  const here = trimmed(location)
  return here === target || (path !== 'dashboard' && here.startsWith(`${target}/`))
}

export type Crumb = { label: string; href: string; current: boolean }

/** Labels of path segments by parent segment; `*` for any parent. Parameters have their name in the route, other segments are title-cased. */
const LABELS: Record<string, Record<string, string>> = {
  '*': {
    dashboard: t.dashboard,
    crawl: t.crawl,
    sitemap: t.sitemap,
    sitemaps: t.sitemaps,
    schedules: t.schedules,
    'api-reference': t.apiReferenceCrumb,
    search: t.search,
    logs: t.activityLogs,
    'api-keys': t.apiKeys,
    settings: t.settings,
    profile: t.profile,
    usage: t.usage,
    plans: t.plans,
    ':requestId': t.crawlDetails,
    ':crawlRequestId': t.selectURLs,
  },
  logs: { crawls: t.crawlLogs, searches: t.searchLogs },
  searches: { ':id': t.searchDetails },
}

/** "api-reference" to "Api Reference". */
export const titleCased = (segment: string): string =>
  segment.replaceAll('-', ' ').replace(/(^|\s)(\p{L})/gu, (letter) => letter.toUpperCase())

/**
 * The breadcrumbs to a place, from the dashboard on. Activity Logs is not a screen of its own, so it links to the crawl logs.
 *
 * @param location  path of the page, without query
 * @param patterns  the routes that tell which segments are parameters, without `base`
 * @param base      included in the links but not in the trail
 */
export function trailOf(location: string, patterns: readonly string[] = Object.values(PLACES), base = basePath): Crumb[] {
  const segments = segmentsOf(isBelow(base, location) ? location.slice(base.length) : location)
  const pattern = patterns.map(segmentsOf).find((names) => fits(names, segments)) ?? segments
  const trail = segments.map((segment, index) => {
    const name = pattern[index] ?? segment
    const href = `/${segments.slice(0, index + 1).join('/')}`
    const label = LABELS[pattern[index - 1] ?? '']?.[name] ?? LABELS['*']?.[name] ?? titleCased(decoded(segment))
    return { label, href: base + (href === '/dashboard/logs' ? PLACES.crawlLogs : href), current: index === segments.length - 1 }
  })
  return trail
}

const segmentsOf = (path: string) => path.split('/').filter(Boolean)

const fits = (names: readonly string[], segments: readonly string[]) =>
  names.length === segments.length && names.every((name, index) => name.startsWith(':') || name === segments[index])

const trimmed = (location: string) => (location.length > 1 ? location.replace(/\/+$/, '') : location)

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment // invalid percent-encoding is shown as it is
  }
}
