/** Teams of users: which team a caller acts for, and their names. */
import type { ExpressionBuilder } from 'kysely'
import { MAX_OWN_TEAMS } from '#contract/sizes.ts'
import { countRows } from '#backend/platform/database/count-rows.ts'
import type { Database, Rows, Tables, Transaction } from '#backend/platform/database/database.ts'
import { AppError, fieldError } from '#backend/errors.ts'

/** A team as one of its members sees it. */
export type TeamOfMember = {
  id: string
  name: string
  isDefault: boolean
  isOwner: boolean
  membersCount: number
  createdAt: number
  updatedAt: number
}

const DEFAULT_TEAM_NAME = 'Default'
const DEFAULT_KEY_NAME = 'Default'

/** @param issueKey  creates an API key of a team in the given transaction */
export function createTeams({ database, issueKey, newId, now }: TeamNeeds) {
  return { actingFor, byId, create, createDefault, listOf, read, rename }

  /** The requested team if the user is a member, else their oldest, else a new default team. */
  async function actingFor(userId: string, askedTeamId: string | null): Promise<string> {
    const membership = await membershipOf(database, userId, askedTeamId)
    return (
      membership ??
      database
        .transaction()
        .execute(async (transaction) => (await membershipOf(transaction, userId, null)) ?? createDefault(transaction, userId))
    )
  }

  /**
   * Creates a team that the user owns, with an API key. Throws `bad_access_token` for a user who was deleted meanwhile, `invalid_input` for
   * one who owns the most teams allowed.
   */
  async function create(userId: string, name: string): Promise<TeamOfMember> {
    const teamId = await database.transaction().execute(async (transaction) => {
      if ((await ownedBy(transaction, userId)) >= MAX_OWN_TEAMS) throw fieldError('name', `A user may own ${MAX_OWN_TEAMS} teams.`)
      return insertTeam(transaction, { userId, name, isDefault: 0 })
    })
    return read(userId, teamId)
  }

  function ownedBy(transaction: Transaction, userId: string): Promise<number> {
    return countRows(transaction.selectFrom('teamMember').where('userId', '=', userId).where('isOwner', '=', 1))
  }

  /** Creates the user's default team with an API key, in the caller's transaction. Returns its id. */
  async function createDefault(transaction: Transaction, userId: string): Promise<string> {
    return insertTeam(transaction, { userId, name: DEFAULT_TEAM_NAME, isDefault: 1 })
  }

  /** The user's teams, oldest first. */
  async function listOf(userId: string): Promise<TeamOfMember[]> {
    return (await selectTeams(userId).execute()).map(teamOf)
  }

  /** One of the user's teams. Throws `not_found` for any other. */
  async function read(userId: string, teamId: string): Promise<TeamOfMember> {
    const row = await selectTeams(userId).where('team.id', '=', teamId).executeTakeFirst()
    if (!row) throw new AppError('not_found')
    return teamOf(row)
  }

  /** Teams by id, as the user sees them; the user need not be a member. */
  async function byId(userId: string, ids: readonly string[]): Promise<Map<string, TeamOfMember>> {
    if (ids.length === 0) return new Map()
    const rows = await database
      .selectFrom('team')
      .leftJoin('teamMember as own', (join) => join.onRef('own.teamId', '=', 'team.id').on('own.userId', '=', userId))
      .select(COLUMNS)
      .select(membersCount)
      .where('team.id', 'in', ids)
      .execute()
    return new Map(rows.map((row) => [row.id, teamOf({ ...row, isOwner: row.isOwner ?? 0 })]))
  }

  async function rename({ userId, teamId }: { userId: string; teamId: string }, name: string): Promise<TeamOfMember> {
    await database.updateTable('team').set({ name, updatedAt: now() }).where('id', '=', teamId).execute()
    return read(userId, teamId)
  }

  async function insertTeam(
    transaction: Transaction,
    { userId, name, isDefault }: { userId: string; name: string; isDefault: 0 | 1 },
  ): Promise<string> {
    const owner = await transaction.selectFrom('user').select('id').where('id', '=', userId).executeTakeFirst()
    if (!owner) throw new AppError('bad_access_token')
    const teamId = newId()
    const createdAt = now()
    await transaction.insertInto('team').values({ id: teamId, ownerId: userId, name, isDefault, createdAt, updatedAt: createdAt }).execute()
    await transaction.insertInto('teamMember').values({ id: newId(), teamId, userId, isOwner: 1, createdAt }).execute()
    await issueKey(transaction, { teamId, userId }, DEFAULT_KEY_NAME)
    return teamId
  }

  function selectTeams(userId: string) {
    return database
      .selectFrom('teamMember as own')
      .innerJoin('team', 'team.id', 'own.teamId')
      .select(COLUMNS)
      .select(membersCount)
      .where('own.userId', '=', userId)
      .orderBy('team.createdAt')
      .orderBy('team.id')
  }
}

export type Teams = ReturnType<typeof createTeams>

type TeamNeeds = {
  database: Database
  issueKey: (transaction: Transaction, maker: { teamId: string; userId: string }, name: string) => Promise<unknown>
  newId: () => string
  now: () => number
}

type TeamRow = Omit<TeamOfMember, 'isDefault' | 'isOwner' | 'membersCount'> & {
  isDefault: number
  isOwner: number
  membersCount: number | null
}

const COLUMNS = ['team.id', 'team.name', 'team.isDefault', 'team.createdAt', 'team.updatedAt', 'own.isOwner'] as const

const membersCount = (team: ExpressionBuilder<Tables, 'team'>) =>
  team
    .selectFrom('teamMember as each')
    .whereRef('each.teamId', '=', 'team.id')
    .select(team.fn.countAll<number>().as('total'))
    .as('membersCount')

const teamOf = (row: TeamRow): TeamOfMember => ({
  ...row,
  isDefault: row.isDefault === 1,
  isOwner: row.isOwner === 1,
  membersCount: row.membersCount ?? 0,
})

/** The requested team if it is the user's, else the user's oldest, else null. */
async function membershipOf(rows: Rows, userId: string, askedTeamId: string | null): Promise<string | null> {
  const teams = await rows
    .selectFrom('teamMember')
    .innerJoin('team', 'team.id', 'teamMember.teamId')
    .select('team.id')
    .where('teamMember.userId', '=', userId)
    .orderBy('team.createdAt')
    .orderBy('team.id')
    .execute()
  return (teams.find(({ id }) => id === askedTeamId) ?? teams[0])?.id ?? null
}
