/**
 * Deleting a team: its members, keys, invitations and proxies go in the commit that marks it, so that no caller acts for it any more.
 * Its runs are marked afterwards and removed in small steps; its row goes last (see `removal/`).
 */
import { AppError, fieldError } from '#backend/errors.ts'
import type { MemberActor } from '#backend/http/actor.ts'
import type { Database, Rows, Transaction } from '#backend/platform/database/database.ts'

export type TeamContents = {
  name: string
  members: number
  apiKeys: number
  proxyServers: number
  runs: number
  pages: number
  /** Sentences for people; with any, the deletion is refused. */
  obstacles: string[]
}

/** Stands in the place of the name, which may tell of people. */
const NO_NAME = ''

/**
 * @param isBilled   whether a team has a subscription that the payment provider goes on billing
 * @param lists      where runs are counted, which takes long when a team has many
 * @param onDeleted  called with a team once its deletion is committed
 */
export function createTeamDeletion({
  database,
  isBilled,
  lists = database,
  now,
  onDeleted,
}: {
  database: Database
  isBilled: (rows: Rows, teamId: string) => Promise<boolean>
  lists?: Database
  now: () => number
  onDeleted: (teamId: string) => void
}) {
  return { describe, contentsOf, remove, removeIn, onDeleted }

  /** What would go. Throws `forbidden` for others than the owner. */
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

  /** Runs of a team that are not deleted, and the pages that its crawls have kept. */
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

  async function countOf(table: 'teamMember' | 'apiKey' | 'proxyServer', teamId: string): Promise<number> {
    const { total } = await database
      .selectFrom(table)
      .where('teamId', '=', teamId)
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    return total
  }

  /**
   * Deletes a team.
   *
   * @param confirm  its name
   * Throws `forbidden` for others than the owner, `invalid_input` for another name, `deletion_refused` when the team pays for a plan.
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

  /** Does it in the caller's transaction, who has checked that it may be done and calls `onDeleted` after its commit. */
  async function removeIn(transaction: Transaction, teamId: string): Promise<void> {
    for (const table of ['teamMember', 'invitation', 'apiKey', 'proxyServer', 'modelEndpoint'] as const)
      await transaction.deleteFrom(table).where('teamId', '=', teamId).execute()
    const at = now()
    // What was sent to them is removed in steps.
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

/** Throws `forbidden` for others than the owner of the team. */
export async function checkOwner(rows: Rows, { teamId, userId }: MemberActor): Promise<void> {
  const owner = await rows
    .selectFrom('teamMember')
    .select('id')
    .where('teamId', '=', teamId)
    .where('userId', '=', userId)
    .where('isOwner', '=', 1)
    .executeTakeFirst()
  if (!owner) throw new AppError('forbidden', { message: 'Only the owner of the team may do that.' })
}
