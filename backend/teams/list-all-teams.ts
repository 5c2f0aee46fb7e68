/** Every team of the installation, for its operator. */
import type { Database } from '#backend/platform/database/database.ts'

type ListedTeam = { id: string; name: string; owner: string; membersCount: number; createdAt: number }

/** The oldest first; `owner` is an e-mail address. */
export async function listAllTeams(database: Database): Promise<ListedTeam[]> {
  const rows = await database
    .selectFrom('team')
    .leftJoin('teamMember', 'teamMember.teamId', 'team.id')
    .leftJoin('user', (join) => join.onRef('user.id', '=', 'teamMember.userId').on('teamMember.isOwner', '=', 1))
    .where('team.deletedAt', 'is', null)
    .select(['team.id', 'team.name', 'team.createdAt'])
    .select(({ fn }) => [fn.max('user.email').as('owner'), fn.count<number>('teamMember.id').as('membersCount')])
    .groupBy('team.id')
    .orderBy('team.createdAt')
    .orderBy('team.id')
    .execute()
  return rows.map((row) => ({ ...row, owner: row.owner ?? '' }))
}
