/**
 * What a page shows before its scripts have run: the layout with the final heading. The build renders it for each path and language, and
 * the gateway puts it into the HTML, so that the first paint does not wait for JavaScript. `first-paint.css` hides it as soon as the app
 * renders more than its loading state.
 */
import * as crawlBase from '#texts/crawl-base.ts'
import * as crawl from '#texts/crawl.ts'
import * as home from '#texts/home.ts'
import * as kinds from '#texts/kinds.ts'
import * as plans from '#texts/plans.ts'
import * as profile from '#texts/profile.ts'
import * as reference from '#texts/reference.ts'
import * as run from '#texts/run.ts'
import * as searchBase from '#texts/search-run.ts'
import * as schedules from '#texts/schedules.ts'
import * as search from '#texts/search.ts'
import * as session from '#texts/session.ts'
import * as settings from '#texts/settings.ts'
import * as sitemapBase from '#texts/sitemap.ts'
import * as sitemap from '#texts/sitemap.ts'
import * as teams from '#texts/teams.ts'
import * as usage from '#texts/usage.ts'
import type { PathName } from '#web/navigation.ts'
import { TIME_IN_ID } from '#web/runs/shared/begun-at.ts'

/** Placeholder for the product's name, which only the gateway knows. */
const PRODUCT = '%product%'

/** Placeholder for the time at which a run began. */
const BEGUN = '%begun%'

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')

/** @param data  attributes of the line below the title */
const heading = (title: string, lead: string, style = '', data = '') =>
  `<div class="grid min-w-0 gap-1"><div class="text-title font-semibold break-words">${escaped(title)}</div><div class="min-w-0 break-words text-soft"${data}><span class="${style}">${escaped(lead)}</span></div></div>`

/**
 * The heading of a run's details: blank space for the back link and for the name, which is not known yet. `web/start.ts` adds the start
 * time, which it reads from the id in the URL.
 */
const headingOfRun = (details: string) =>
  `<div class="flex items-start gap-2"><div class="-mt-1 -ml-2 size-9 flex-none max-sm:hidden"></div>${heading(
    '\u00a0',
    details,
    '',
    ` data-started="${escaped(run.started(details, BEGUN))}" data-id="${TIME_IN_ID.source}"`,
  )}</div>`

/** The same line as `WordMark`, with blank space for the logo. */
const wordMark = `<div class="flex items-center gap-2.5 text-[17px]/6 font-medium tracking-[-0.025em] text-ink"><div class="size-6 flex-none"></div><div class="truncate">${PRODUCT}</div></div>`

/** Inside the dashboard: the lines and positions of `DashboardLayout` and `PageHeader`. */
const inFrame = (title = '', lead = '', style = '') => framed(heading(title, lead, style))
const framed = (content: string) =>
  '<div class="h-dvh bg-page lg:grid lg:grid-cols-[var(--sidebar)_minmax(0,1fr)]">' +
  `<div class="hidden h-dvh w-(--sidebar) border-r border-line bg-surface lg:block"><div class="flex h-(--topbar) items-center pl-6">${wordMark}</div></div>` +
  '<div class="flex h-dvh min-w-0 flex-col"><div class="h-(--topbar) flex-none border-b border-line bg-surface"></div>' +
  `<div class="mx-auto grid w-full max-w-content flex-1 grid-cols-[minmax(0,1fr)] content-start gap-4 p-4 sm:gap-6 sm:p-6">${content}</div></div></div>`

/** Before sign-in: the lines and positions of `PublicLayout`. */
const before = (title = '', lead = '') =>
  '<div class="mesh grid h-dvh grid-rows-[56px_1fr_auto] bg-page">' +
  `<div class="flex items-center px-4 sm:px-6">${wordMark}</div>` +
  '<div class="grid content-start justify-items-center gap-4 px-4 pt-4 pb-6 sm:content-center sm:pt-6 sm:pb-10">' +
  `<div class="grid min-h-83.5 w-full max-w-100 content-start rounded-dialog border border-line bg-surface px-5 py-6 sm:min-h-87.5 sm:p-8">${heading(title, lead)}</div><div class="h-5"></div></div><div class="h-13"></div></div>`

/** The HTML of each path, with the placeholder `%product%`. */
export const FIRST_PAINT: Record<Exclude<PathName, 'playground'>, string> = {
  login: before(session.signInTo(PRODUCT), session.fromYourOwnServer),
  register: before(),
  forgotPassword: before(),
  resetPassword: before(),
  verifyEmail: before(),
  paymentCallback: before(),
  dashboard: inFrame(home.welcome, home.crawlWebsitesSearchThemAndRead, 'num'),
  crawl: inFrame(crawlBase.crawlPlayground, crawl.followTheLinksOfASite),
  search: inFrame(searchBase.searchPlayground, search.searchTheWebOrThePages),
  sitemap: inFrame(sitemapBase.sitemapPlayground, sitemap.everyUrlOfASiteFrom),
  schedules: inFrame(schedules.schedules, schedules.crawlsThatRepeatAtSetTimes),
  crawlLogs: inFrame(kinds.activityLogs, kinds.everyCrawlOfThisTeamNewest),
  crawlDetails: framed(headingOfRun(crawlBase.crawlDetails)),
  searchLogs: inFrame(kinds.searchHistory, kinds.everySearchThatThisTeamHas),
  searchDetails: framed(headingOfRun(searchBase.searchDetails)),
  sitemapLogs: inFrame(kinds.sitemapHistory, kinds.everySitemapThatThisTeamHas),
  sitemapDetails: framed(headingOfRun(sitemapBase.sitemapDetails)),
  usage: inFrame(usage.usage, usage.whatThisTeamHasDoneIn),
  apiKeys: inFrame(teams.apiKeys, teams.keysAuthenticatePrograms),
  settings: inFrame(settings.settings, settings.settingsOfTheTeam),
  profile: inFrame(profile.profile, profile.yourOwnAccountTheSameIn),
  plans: inFrame(plans.findYourPlan, plans.changeOrCancelWheneverYouLike),
  apiReference: inFrame(reference.apiReference, reference.whatYourProgramsCanDoWith),
}
