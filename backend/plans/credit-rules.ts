/**
 * What a plan lets a team start, and the message when it does not. Source of the texts and of their order: the contract of plans, section
 * 7.
 */
import { UNLIMITED } from '#contract/plans.ts'
import type { RunKind } from '#contract/runs.ts'

/** The work that a team wants to start. */
export type Wanted = {
  kind: RunKind
  /** Credits to reserve. */
  credits: number
  /** Links from the start; absent for work that follows no links. */
  maxDepth?: number | undefined
  /** Of the proxy server that it names; without one, always allowed. */
  proxyCategory?: string | undefined
}

/** The limits of a team's plan and its remaining credits; -1 means no limit. */
export type Allowance = {
  isFree: boolean
  periodLeft: number
  dailyLeft: number
  maxDepth: number
  /** Pages of one crawl. */
  maxPages: number
  maxConcurrent: number
}

const NO_PLAN = 'This team has no active plan.'
const PERIOD_USED = 'All page credits of this billing period are used.'
const PREMIUM = 'Premium proxies need a paid plan.'
const NAMES: Record<RunKind, { one: string; many: string }> = {
  crawl: { one: 'crawl', many: 'crawls' },
  search: { one: 'search', many: 'searches' },
  sitemap: { one: 'sitemap', many: 'sitemaps' },
}

/**
 * Why something may not start, as a message; null when it may. The first reason counts.
 *
 * @param allowance  null for a team without an active plan
 * @param active     the number of the team's waiting or running runs of that kind that started in the last two hours
 */
export function refusalOf(wanted: Wanted, allowance: Allowance | null, active: number): string | null {
  if (allowance === null) return NO_PLAN
  const { maxConcurrent } = allowance
  return (
    creditRefusal(wanted, allowance) ??
    // A team's own proxies and general ones are always allowed.
    (wanted.proxyCategory === 'premium' && allowance.isFree ? PREMIUM : null) ??
    depthRefusal(wanted.maxDepth, allowance.maxDepth) ??
    (wanted.kind === 'crawl' && exceeds(wanted.credits, allowance.maxPages)
      ? isBatch(wanted)
        ? `A batch may have at most ${allowance.maxPages} ${allowance.maxPages === 1 ? 'URL' : 'URLs'} on this plan.`
        : `page_limit may be at most ${allowance.maxPages} on this plan.`
      : null) ??
    (exceeds(active + 1, maxConcurrent)
      ? maxConcurrent === 1
        ? `At most 1 ${NAMES[wanted.kind].one} may run at once on this plan. Try again when it has ended.`
        : `At most ${maxConcurrent} ${NAMES[wanted.kind].many} may run at once on this plan. Try again when one has ended.`
      : null)
  )
}

/** Only a crawl that follows no links has no depth; its URLs are its pages. */
const isBatch = ({ kind, maxDepth }: Wanted): boolean => kind === 'crawl' && maxDepth === undefined

function creditRefusal(wanted: Wanted, { periodLeft, dailyLeft }: Allowance): string | null {
  const { kind, credits } = wanted
  const isCrawl = kind === 'crawl'
  const needs = `This ${NAMES[kind].one} needs ${credits} credits`
  if (periodLeft === 0) return PERIOD_USED
  if (exceeds(credits, periodLeft)) {
    if (!isCrawl) return `${needs}, ${periodLeft} ${periodLeft === 1 ? 'remains' : 'remain'} in this billing period.`
    return isBatch(wanted)
      ? `Only ${periodLeft} page ${periodLeft === 1 ? 'credit remains' : 'credits remain'} in this billing period. Send fewer URLs.`
      : `Only ${periodLeft} page ${periodLeft === 1 ? 'credit remains' : 'credits remain'} in this billing period. Lower page_limit.`
  }
  if (dailyLeft === 0) return isCrawl ? "Today's page credits are used up." : "Today's credits are used up."
  if (exceeds(credits, dailyLeft)) {
    if (!isCrawl) return `${needs}, ${dailyLeft} ${dailyLeft === 1 ? 'remains' : 'remain'} for today.`
    return isBatch(wanted)
      ? `Only ${dailyLeft} page ${dailyLeft === 1 ? 'credit remains' : 'credits remain'} for today. Send fewer URLs.`
      : `Only ${dailyLeft} page ${dailyLeft === 1 ? 'credit remains' : 'credits remain'} for today. Lower page_limit.`
  }
  return null
}

/** The only rule that also applies without plans, with the server's depth. */
export const depthRefusal = (maxDepth: number | undefined, allowed: number): string | null =>
  maxDepth !== undefined && exceeds(maxDepth, allowed) ? `max_depth may be at most ${allowed} on this plan.` : null

/** The remaining amount; -1 without a limit. */
export const left = (of: number, used: number): number => (of === UNLIMITED ? UNLIMITED : Math.max(0, of - used))

const exceeds = (count: number, most: number) => most !== UNLIMITED && count > most

const DAY_MS = 24 * 60 * 60 * 1000

/** The last midnight before an instant, UTC: daily credits are full then. */
export const dayStart = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS

/**
 * When the current period of an unbilled plan began: each month (or year) after its start, at the same day and time, or on the last day of
 * a shorter month.
 */
export function freePeriodStart(startAt: number, at: number, group: string): number {
  return freePeriod(startAt, at, group).startAt
}

/** The same, and when the period ends. */
export function freePeriod(startAt: number, at: number, group: string): { startAt: number; endAt: number } {
  const step = group === 'yearly' ? 12 : 1
  const start = new Date(startAt)
  const now = new Date(at)
  const months = (now.getUTCFullYear() - start.getUTCFullYear()) * 12 + now.getUTCMonth() - start.getUTCMonth()
  let steps = Math.max(0, Math.floor(months / step))
  while (steps > 0 && monthsLater(start, steps * step) > at) steps -= 1
  return { startAt: steps === 0 ? startAt : monthsLater(start, steps * step), endAt: monthsLater(start, (steps + 1) * step) }
}

function monthsLater(start: Date, months: number): number {
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + months + 1, 0)).getUTCDate()
  const later = new Date(start)
  later.setUTCDate(1)
  later.setUTCMonth(start.getUTCMonth() + months)
  later.setUTCDate(Math.min(start.getUTCDate(), lastDay))
  return later.getTime()
}
