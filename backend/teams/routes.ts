/** Team and API key endpoints. */
import type { FastifyPluginAsync } from 'fastify'
import {
  createApiKey,
  createTeam,
  currentTeam,
  deleteApiKey,
  deleteTeam,
  describeTeamDeletion,
  getTeam,
  listApiKeys,
  listTeams,
  renameTeam,
} from '#contract/teams.ts'
import type { ApiKey as WireApiKey, Team as WireTeam } from '#contract/teams.ts'
import { AppError } from '#backend/errors.ts'
import { hrefOf } from '#backend/http/base-url.ts'
import type { BaseUrl } from '#backend/http/base-url.ts'
import { instant, instantOrNull } from '#backend/http/instants.ts'
import { pagedAnswer, pageWindow } from '#backend/http/pagination.ts'
import type { Query } from '#backend/http/pagination.ts'
import { route } from '#backend/http/route.ts'
import type { ApiKey, ApiKeys } from './api-keys.ts'
import type { TeamDeletion } from './delete-team.ts'
import type { TeamOfMember, Teams } from './teams.ts'

export function teamRoutes({
  apiKeys,
  baseUrl,
  deletion,
  teams,
}: {
  apiKeys: ApiKeys
  baseUrl: BaseUrl
  deletion: TeamDeletion
  teams: Teams
}): FastifyPluginAsync {
  return async (app) => {
    route(app, listTeams, async ({ actor }) => (await teams.listOf(actor.userId)).map(presentTeam))
    route(app, createTeam, async ({ actor, body }) => presentTeam(await teams.create(actor.userId, body.name)))
    route(app, currentTeam, async ({ actor }) => presentTeam(await teams.read(actor.userId, actor.teamId)))
    route(app, renameTeam, async ({ actor, body }) => presentTeam(await teams.rename(actor, body.name)))
    route(app, describeTeamDeletion, async ({ actor }) => {
      const { name, members, apiKeys: keys, proxyServers, runs, pages, obstacles } = await deletion.describe(actor)
      return { name, members, api_keys: keys, proxy_servers: proxyServers, runs, pages, obstacles }
    })
    route(app, deleteTeam, ({ actor, query, request }) => {
      // With other endpoints, a team that the caller has left is replaced by their oldest one, which must not be deleted by mistake.
      const asked = request.headers['x-team-id']
      if (typeof asked === 'string' && asked.trim() !== '' && asked.trim().toLowerCase() !== actor.teamId) throw new AppError('not_found')
      return deletion.remove(actor, query.confirm)
    })
    route(app, getTeam, async ({ actor, params }) => presentTeam(await teams.read(actor.userId, params.id)))

    route(app, listApiKeys, async ({ actor, request }) => {
      const window = pageWindow(request.query as Query, await apiKeys.count(actor.teamId))
      const keys = await apiKeys.list(actor, { limit: window.pageSize, offset: window.offset })
      return pagedAnswer(hrefOf(baseUrl, request), window, keys.map(presentApiKey))
    })
    route(app, createApiKey, async ({ actor, body }) => presentApiKey(await apiKeys.issue(actor, body.name)))
    route(app, deleteApiKey, ({ actor, params }) => apiKeys.revoke(actor.teamId, params.id))
  }
}

export const presentTeam = ({ id, name, isDefault, isOwner, membersCount, createdAt, updatedAt }: TeamOfMember): WireTeam => ({
  uuid: id,
  name,
  is_default: isDefault,
  is_owner: isOwner,
  members_count: membersCount,
  created_at: instant(createdAt),
  updated_at: instant(updatedAt),
})

const presentApiKey = ({ id, name, key, createdBy, createdAt, lastUsedAt }: ApiKey): WireApiKey => ({
  uuid: id,
  name,
  key,
  created_by: createdBy,
  created_at: instant(createdAt),
  last_used_at: instantOrNull(lastUsedAt),
})
