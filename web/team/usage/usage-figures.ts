/** Computes the figures of the usage screen from the server's counts. Pure. */
import { USAGE_DAYS } from '#contract/usage.ts'
import type { UsageDay } from '#contract/usage.ts'
import { percent } from '#texts/language.ts'
import * as t from '#texts/usage.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** The counts of the last 30 days (UTC), oldest first; days that `history` lacks count 0. */
export function everyDay(history: readonly UsageDay[], nowMs: number): UsageDay[] {
  const counts = new Map(history.map(({ date, count }) => [date, count]))
  return Array.from({ length: USAGE_DAYS }, (_, index) => {
    const date = new Date(nowMs - (USAGE_DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10)
    return { date, count: counts.get(date) ?? 0 }
  })
}

/** The share of finished runs in percent with at most one decimal; "–" without any runs. */
export function successRate(finished: number, total: number): string {
  if (total <= 0) return '–'
  return percent(finished / total)
}

/** The change since the previous period: "+12 %", "−3 %", "same as before"; '' when there is nothing to compare. */
export function changeText(now: number, before: number): string {
  if (before <= 0) return ''
  const change = Math.round(((now - before) / before) * 100) / 100
  if (change === 0) return now === before ? t.sameAsBefore : `±${percent(0)}`
  return `${change > 0 ? '+' : '−'}${percent(Math.abs(change))}`
}
