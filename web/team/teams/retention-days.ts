/** Rules of the retention form: the number of days, and the count of jobs that belongs to it. Pure. */
import { MAX_RETENTION_DAYS } from '#contract/teams.ts'
import type { Retention } from '#contract/teams.ts'
import * as t from '#texts/teams.ts'

const FIRST_DAYS = '90'

export type DaysForm = { mode: 'keep' | 'delete'; days: string }

export const formOf = (days: number | null): DaysForm =>
  days === null ? { mode: 'keep', days: FIRST_DAYS } : { mode: 'delete', days: String(days) }

export const daysErrors = ({ mode, days }: DaysForm): { days?: string } =>
  mode === 'delete' && daysOf(days) === null ? { days: t.enterAWholeNumberFrom1(MAX_RETENTION_DAYS) } : {}

/** The entered number of days; null if it is not a valid one. */
export function daysOf(text: string): number | null {
  const days = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0
  return days >= 1 && days <= MAX_RETENTION_DAYS ? days : null
}

/** The days that apply when the team sets `days`. */
export const stricter = (days: number, installation: number | null) => (installation === null ? days : Math.min(days, installation))

/**
 * What `days` would delete; undefined until the answer for `days` has arrived. The answer for a number that was entered before must not
 * decide whether saving asks for confirmation.
 */
export const countOf = (answer: Retention | undefined, days: number): Retention['expired'] | undefined =>
  answer?.expired.days === days ? answer.expired : undefined
