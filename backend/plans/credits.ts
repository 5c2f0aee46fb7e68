/** Decides whether a team may start something, and reserves its credits in the transaction that starts it. */
import { UNLIMITED } from '#contract/plans.ts'
import type { RunKind } from '#contract/runs.ts'
import { countRows } from '#backend/platform/database/count-rows.ts'
import type { Database, Rows, Transaction } from '#backend/platform/database/database.ts'
import { AppError } from '#backend/errors.ts'
import { depthRefusal, refusalOf } from './credit-rules.ts'
import type { Wanted } from './credit-rules.ts'
import { activeRuns, allowanceOf, activeBalance } from './subscription-balance.ts'

/** A run that was just created, in a transaction that is still open. */
export type Reservation = {
  runNo: number
  teamId: string
  kind: RunKind
  credits: number
  at: number
  maxDepth?: number | undefined
  proxyCategory?: string | undefined
}

/**
 * @param isEnterprise  false: no plans; everybody may do everything, up to the server's depth
 * @param maxDepth      the server's depth, where there are no plans; -1 is no limit
 */
export function createCredits({
  database,
  isEnterprise,
  maxDepth,
  now,
}: {
  database: Database
  isEnterprise: boolean
  maxDepth: number
  now: () => number
}) {
  return { reserve, allowance, checkInvitation, checkSeat }

  /**
   * Adds the run's entry to the ledger, which reserves its credits.
   *
   * The ledger is summed once. No other connection can add to it between the sum and the entry, because a transaction begins by taking the
   * database's only write lock (`sqlite-driver.ts`).
   *
   * Throws `plan_limit` with the first reason why the run may not start; the caller must then roll back.
   */
  async function reserve(transaction: Transaction, wanted: Reservation): Promise<void> {
    if (!isEnterprise) {
      refuse(depthRefusal(wanted.maxDepth, maxDepth))
      await hold(transaction, wanted)
      return
    }
    const { at, kind, runNo, teamId } = wanted
    const balance = await activeBalance(transaction, teamId, at)
    const active = await activeRuns(transaction, teamId, kind, at, runNo)
    refuse(refusalOf(wanted satisfies Wanted, balance && allowanceOf(balance), active))
    await hold(transaction, wanted)
  }

  /**
   * A team's remaining credits, and the limits of its plan and of this server; null is no limit. Without an active plan nothing is left.
   */
  async function allowance(teamId: string): Promise<TeamAllowance> {
    const ofServer = limitOf(maxDepth)
    if (!isEnterprise)
      return {
        creditsLeft: null,
        periodLeft: null,
        planCredits: null,
        maxDepth: ofServer,
        maxPages: null,
        maxConcurrent: null,
        period: null,
      }
    const balance = await activeBalance(database, teamId, now())
    if (balance === null) return { creditsLeft: 0, periodLeft: 0, planCredits: 0, maxDepth: 0, maxPages: 0, maxConcurrent: 0, period: null }
    const { dailyLeft, maxConcurrent, maxDepth: depth, maxPages, periodLeft } = allowanceOf(balance)
    const lefts = [limitOf(periodLeft), limitOf(dailyLeft)].filter((one) => one !== null)
    return {
      creditsLeft: lefts.length === 0 ? null : Math.min(...lefts),
      periodLeft: limitOf(periodLeft),
      planCredits: limitOf(balance.plan.pageCredit),
      maxDepth: limitOf(depth),
      maxPages: limitOf(maxPages),
      maxConcurrent: limitOf(maxConcurrent),
      period: balance.periodStartAt === null ? null : { startAt: balance.periodStartAt, endAt: balance.subscription.periodEndAt },
    }
  }

  /** Throws `plan_limit` when the plan has no seat for one more member. Existing members stay. */
  async function checkInvitation(rows: Rows, teamId: string): Promise<void> {
    const seats = await seatsOf(rows, teamId)
    if (seats && seats.free === 0)
      throw new AppError('plan_limit', { message: `This plan allows ${seats.of} team ${seats.of === 1 ? 'member' : 'members'}.` })
  }

  /** The same for a user who joins by an older invitation. */
  async function checkSeat(rows: Rows, teamId: string): Promise<void> {
    const seats = await seatsOf(rows, teamId)
    if (seats && seats.free === 0) throw new AppError('plan_limit', { message: 'This team has no free seat left.' })
  }

  /** Null: no limit. Throws `no_active_plan`. */
  async function seatsOf(rows: Rows, teamId: string): Promise<{ of: number; free: number } | null> {
    if (!isEnterprise) return null
    const balance = await activeBalance(rows, teamId, now())
    if (!balance) throw new AppError('no_active_plan')
    const of = balance.plan.numberOfUsers
    return of === UNLIMITED ? null : { of, free: Math.max(0, of - (await membersOf(rows, teamId))) }
  }
}

type TeamAllowance = {
  creditsLeft: number | null
  /** Of the period, whatever is left of the day. */
  periodLeft: number | null
  planCredits: number | null
  /** Links from the start of a crawl. */
  maxDepth: number | null
  /** Pages of one crawl. */
  maxPages: number | null
  /** Crawls at once. */
  maxConcurrent: number | null
  period: { startAt: number; endAt: number | null } | null
}

const limitOf = (bound: number): number | null => (bound === UNLIMITED ? null : bound)

export type Credits = ReturnType<typeof createCredits>

export const membersOf = (rows: Rows, teamId: string): Promise<number> =>
  countRows(rows.selectFrom('teamMember').where('teamId', '=', teamId))

function refuse(message: string | null): void {
  if (message !== null) throw new AppError('plan_limit', { message })
}

async function hold(transaction: Transaction, { runNo, teamId, credits, at }: Reservation): Promise<void> {
  await transaction.insertInto('creditEntry').values({ runNo, teamId, requested: credits, used: 0, state: 'held', createdAt: at }).execute()
}
