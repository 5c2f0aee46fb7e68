/**
 * Deletes a team. The commit that marks it deletes its members, keys, invitations, proxies, schedules and presets, and the secrets of its
 * language model and webhooks, so that nobody can act for it any more. Its runs, with their secrets, are marked afterwards and removed in
 * small steps; its row is deleted last (see `removal/`).
 */
import { AppError, fieldError } from '#backend/errors.ts'
import type { MemberActor } from '#backend/http/actor.ts'
import { countRows } from '#backend/platform/database/count-rows.ts'
import type { Database, Rows, Transaction } from '#backend/platform/database/database.ts'
import { checkOwner } from './members.ts'

export type TeamContents = {
  name: string
  members: number
  apiKeys: number
  proxyServers: number
  runs: number
  pages: number
  /** Sentences for people; with any, the team cannot be deleted. */
  obstacles: string[]
}

/** Replaces the name, which may contain personal data. */
const NO_NAME = ''

/**
 * @param isBilled   whether a team has a subscription that the payment provider still bills
 * @param lists      connection for counting runs, which takes long when a team has many
 * @param onDeleted  called with a team once its deletion is committed
 * @param onDeleting called in the transaction, before anything of the team is deleted
 */
export function createTeamDeletion({
  database,
  isBilled,
  lists,
  now,
  onDeleted,
  onDeleting,
}: {
  database: Database
  isBilled: (rows: Rows, teamId: string) => Promise<boolean>
  lists: Database
  now: () => number
  onDeleted: (teamId: string) => void
  onDeleting: (transaction: Transaction, teamId: string) => Promise<void>
}) {
  return { describe, contentsOf, remove, removeIn, onDeleted }

  /** What would be deleted. Throws `forbidden` unless the caller owns the team. */
  async function describe(actor: MemberActor): Promise<TeamContents> {
    await checkOwner(database, actor)
    const { name } = await database.selectFrom('team').select('name').where('id', '=', actor.teamId).executeTakeFirstOrThrow()
    return {
      name,
      ...(await contentsOf(actor.teamId)),
      members: await countOf('teamMember', actor.teamId),
      apiKeys: await countOf('apiKey', actor.teamId),
      proxyServers: await countOf('proxyServer', actor.teamId),
      obstacles: await obstaclesOf(database, actor.teamId),
    }
  }

  /** Counts a team's runs that are not deleted, and the pages of its crawls. */
  async function contentsOf(teamId: string): Promise<{ runs: number; pages: number }> {
    const { runs, pages } = await lists
      .selectFrom('run')
      .where('teamId', '=', teamId)
      .where('deletedAt', 'is', null)
      .select(({ fn, eb }) => [
        fn.countAll<number>().as('runs'),
        fn.sum<number | null>(eb.case().when('kind', '=', 'crawl').then(eb.ref('kept')).else(0).end()).as('pages'),
      ])
      .executeTakeFirstOrThrow()
    return { runs, pages: pages ?? 0 }
  }

  function countOf(table: 'teamMember' | 'apiKey' | 'proxyServer', teamId: string): Promise<number> {
    return countRows(database.selectFrom(table).where('teamId', '=', teamId))
  }

  /**
   * Deletes a team.
   *
   * @param confirm  its name
   * Throws `forbidden` unless the caller owns the team, `invalid_input` for a wrong name, `deletion_refused` when the team pays for a plan.
   */
  async function remove(actor: MemberActor, confirm: string): Promise<void> {
    await database.transaction().execute(async (transaction) => {
      await checkOwner(transaction, actor)
      const { name } = await transaction.selectFrom('team').select('name').where('id', '=', actor.teamId).executeTakeFirstOrThrow()
      if (confirm.trim() !== name.trim()) throw fieldError('confirm', 'Enter the name of the team.')
      const [obstacle] = await obstaclesOf(transaction, actor.teamId)
      if (obstacle !== undefined) throw new AppError('deletion_refused', { message: obstacle })
      await removeIn(transaction, actor.teamId)
    })
    onDeleted(actor.teamId)
  }

  /** Deletes in the transaction of a caller that has checked the conditions, and calls `onDeleted` after its commit. */
  async function removeIn(transaction: Transaction, teamId: string): Promise<void> {
    await onDeleting(transaction, teamId)
    for (const table of ['teamMember', 'invitation', 'apiKey', 'proxyServer', 'modelEndpoint', 'crawlSchedule', 'crawlPreset'] as const)
      await transaction.deleteFrom(table).where('teamId', '=', teamId).execute()
    const at = now()
    // The messages that were sent to them are removed in steps.
    await transaction
      .updateTable('webhookEndpoint')
      .set({
        isEnabled: 0,
        name: '',
        url: '',
        metadata: null,
        sealedSecret: null,
        sealedPrevious: null,
        sealedHeaders: null,
        deletedAt: at,
      })
      .where('teamId', '=', teamId)
      .execute()
    await transaction.updateTable('team').set({ name: NO_NAME, deletedAt: at, updatedAt: at }).where('id', '=', teamId).execute()
  }

  async function obstaclesOf(rows: Rows, teamId: string): Promise<string[]> {
    return (await isBilled(rows, teamId)) ? ['This team pays for a plan: delete its subscription first.'] : []
  }
}

export type TeamDeletion = ReturnType<typeof createTeamDeletion>
