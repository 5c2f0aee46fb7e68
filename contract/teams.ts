/** Teams and API keys. */
import * as z from 'zod/mini'
import { endpoint, paged } from './endpoint.ts'
import { shape, text } from './fields.ts'

const USER = '/api/v1/user'

export const team = z.object({
  uuid: z.string(),
  name: z.string(),
  is_default: z.boolean(),
  is_owner: z.boolean(),
  members_count: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Team = z.output<typeof team>

const named = shape({ name: text({ max: 255 }) })

export const listTeams = endpoint({
  method: 'GET',
  path: `${USER}/teams/`,
  access: 'user+team',
  tag: 'Teams',
  summary: 'The teams one belongs to, oldest first',
  answer: z.array(team),
})
export const createTeam = endpoint({
  method: 'POST',
  path: `${USER}/teams/`,
  access: 'user+team',
  tag: 'Teams',
  summary: 'Create a team and own it',
  body: named,
  answer: team,
  status: 201,
})
export const currentTeam = endpoint({
  method: 'GET',
  path: `${USER}/teams/current/`,
  access: 'user+team',
  tag: 'Teams',
  summary: 'The team acted for',
  answer: team,
})
export const renameTeam = endpoint({
  method: 'PATCH',
  path: `${USER}/teams/current/`,
  access: 'user+team',
  tag: 'Teams',
  summary: 'Rename the team acted for',
  body: named,
  answer: team,
})
export const getTeam = endpoint({
  method: 'GET',
  path: `${USER}/teams/{id}/`,
  access: 'user+team',
  tag: 'Teams',
  summary: 'One of the own teams',
  answer: team,
})

export const apiKey = z.object({
  uuid: z.string(),
  name: z.string(),
  key: z.string(),
  created_at: z.string(),
  last_used_at: z.nullable(z.string()),
})
export type ApiKey = z.output<typeof apiKey>

export const listApiKeys = endpoint({
  method: 'GET',
  path: `${USER}/api-keys/`,
  access: 'user+team',
  tag: 'API keys',
  summary: "The team's API keys, newest first",
  answer: paged(apiKey),
})
export const createApiKey = endpoint({
  method: 'POST',
  path: `${USER}/api-keys/`,
  access: 'user+team',
  tag: 'API keys',
  summary: 'Create an API key',
  body: named,
  answer: apiKey,
  status: 201,
})
export const deleteApiKey = endpoint({
  method: 'DELETE',
  path: `${USER}/api-keys/{id}/`,
  access: 'user+team',
  tag: 'API keys',
  summary: 'Revoke an API key at once',
  status: 204,
})
