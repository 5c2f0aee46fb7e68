/** Notifies endpoints when a team has used most of its credits, once per period of its plan. */
import type { Database } from '#backend/platform/database/database.ts'
import { creditsLowBody } from './bodies.ts'
import type { Deliveries } from './deliveries.ts'
import type { Endpoints } from './endpoints.ts'

/** A plan's credits and the remaining ones; null means no limit. */
export type Allowance = (teamId: string) => Promise<{
  periodLeft: number | null
  planCredits: number | null
  period: { startAt: number; endAt: number | null } | null
}>

/** Notifies at this share of remaining credits, or less. */
const LOW = 0.2
const GATHER_MS = 500

export function createCreditsLow({
  allowance,
  database,
  deliveries,
  endpoints,
  now,
  warn,
}: {
  allowance: Allowance
  database: Database
  deliveries: Deliveries
  endpoints: Endpoints
  now: () => number
  warn: (facts: object, message: string) => void
}) {
  const teams = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  let isOpen = true
  return { changed, look, close }

  /** Call when a team's credits have changed, even in a transaction that is still open. */
  function changed(teamId: string): void {
    if (!isOpen) return
    teams.add(teamId)
    timer ??= setTimeout(() => {
      timer = undefined
      looking = looking.then(look)
    }, GATHER_MS).unref()
  }

  async function look(): Promise<void> {
    const some = [...teams]
    teams.clear()
    for (const teamId of some) {
      if (!isOpen) return
      try {
        await lookAt(teamId)
      } catch (error) {
        if (isOpen) warn({ err: error }, 'the webhooks for low credits could not be queued; the next job of the team tries again')
      }
    }
  }

  async function lookAt(teamId: string): Promise<void> {
    const wanting = (await endpoints.enabledOf(database, teamId)).filter(({ events }) => events.includes('credits.low'))
    if (wanting.length === 0) return
    const { period, periodLeft: left, planCredits: total } = await allowance(teamId)
    if (left === null || total === null || total <= 0 || left > total * LOW) return
    const periodStartAt = period?.startAt ?? 0
    await database.transaction().execute(async (transaction) => {
      const told = await transaction.selectFrom('webhookCreditNotice').selectAll().where('teamId', '=', teamId).executeTakeFirst()
      if (told?.periodStartAt === periodStartAt) return
      const row = { teamId, periodStartAt }
      await transaction
        .insertInto('webhookCreditNotice')
        .values(row)
        .onConflict((conflict) => conflict.column('teamId').doUpdateSet(row))
        .execute()
      const body = creditsLowBody(now(), { left, total, periodEndAt: period?.endAt ?? null })
      for (const { id } of wanting) await deliveries.add(transaction, { endpointId: id, type: 'credits.low', runId: null, body })
    })
  }

  async function close(): Promise<void> {
    isOpen = false
    clearTimeout(timer)
    await looking
  }
}
