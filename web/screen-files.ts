/**
 * Files below web/ that a screen needs before it is rendered, besides the app itself. The build records their chunks, and the gateway names
 * them in the HTML, so that a browser requests all of them at once rather than one after the other.
 */
import type { PathName } from './navigation.ts'

const DASHBOARD = ['frame/layout/dashboard-layout.tsx', 'frame/layout/first-things.tsx']
const logOf = (kind: string) => [...DASHBOARD, 'runs/logs/log-screen.tsx', `runs/logs/${kind}-kind.tsx`]
const detailsOf = (kind: string) => [
  ...DASHBOARD,
  'runs/logs/details-screen.tsx',
  `runs/logs/${kind}-kind.tsx`,
  `runs/${kind}/${kind}-details.tsx`,
]

export const SCREEN_FILES: Record<Exclude<PathName, 'playground'>, readonly string[]> = {
  login: ['account/session/login-screen.tsx'],
  register: ['account/session/sign-up-screen.tsx'],
  forgotPassword: ['account/session/forgot-password-screen.tsx'],
  resetPassword: ['account/session/reset-password-screen.tsx'],
  verifyEmail: ['account/session/verify-email-screen.tsx'],
  paymentCallback: ['team/plans/payment-callback-screen.tsx'],
  dashboard: [...DASHBOARD, 'home/home-screen.tsx'],
  crawl: [...DASHBOARD, 'runs/crawl/crawl-screen.tsx'],
  search: [...DASHBOARD, 'runs/search/search-screen.tsx'],
  sitemap: [...DASHBOARD, 'runs/sitemap/sitemap-screen.tsx'],
  schedules: [...DASHBOARD, 'runs/schedules/schedules-screen.tsx'],
  crawlLogs: logOf('crawl'),
  crawlDetails: [...detailsOf('crawl'), 'runs/crawl/page-document.tsx'],
  searchLogs: logOf('search'),
  searchDetails: detailsOf('search'),
  sitemapLogs: logOf('sitemap'),
  sitemapDetails: detailsOf('sitemap'),
  usage: [...DASHBOARD, 'team/usage/usage-screen.tsx'],
  apiKeys: [...DASHBOARD, 'team/teams/api-keys-screen.tsx'],
  settings: [...DASHBOARD, 'team/settings/settings-screen.tsx'],
  profile: [...DASHBOARD, 'account/profile/profile-screen.tsx'],
  plans: [...DASHBOARD, 'team/plans/plans-screen.tsx'],
  apiReference: [...DASHBOARD, 'api-reference/api-reference-screen.tsx'],
}
