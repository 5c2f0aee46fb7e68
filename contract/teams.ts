/** Teams, their members and invitations, and API keys. */
import * as z from 'zod/mini'
import { endpoint, paged } from './endpoint.ts'
import { count, email, queryFlag, shape, text } from './fields.ts'
import { MAX_OWN_TEAMS } from './sizes.ts'

const USER = '/api/v1/user'

export const team = z.object({
  uuid: z.string(),
  name: z.string(),
  is_default: z.boolean(),
  is_owner: z.boolean(),
  members_count: z.int(),
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
  summary: 'Your teams, oldest first',
  answer: z.array(team),
})
export const createTeam = endpoint({
  method: 'POST',
  path: `${USER}/teams/`,
  access: 'user+team',
  tag: 'Teams',
  summary: 'Create a team; you become its owner',
  description: `A user may own ${MAX_OWN_TEAMS} teams.`,
  body: named,
  answer: team,
  status: 201,
})
export const currentTeam = endpoint({
  method: 'GET',
  path: `${USER}/teams/current/`,
  access: 'user+team',
  tag: 'Teams',
  summary: 'The current team',
  answer: team,
})
export const renameTeam = endpoint({
  method: 'PATCH',
  path: `${USER}/teams/current/`,
  access: 'user+team',
  tag: 'Teams',
  summary: 'Rename the current team',
  body: named,
  answer: team,
})
/** What a deletion of the team deletes, and what prevents it. */
export const teamContents = z.object({
  name: z.string(),
  /** Includes the caller. */
  members: z.int(),
  api_keys: z.int(),
  proxy_servers: z.int(),
  runs: z.int(),
  pages: z.int(),
  /** Reasons to refuse the deletion, as sentences for people; empty if it is possible. */
  obstacles: z.array(z.string()),
})
export type TeamContents = z.output<typeof teamContents>

export const describeTeamDeletion = endpoint({
  method: 'GET',
  path: `${USER}/teams/current/deletion/`,
  access: 'user+team',
  tag: 'Teams',
  summary: 'What deleting the team would remove, and what prevents it',
  description: 'Only for the owner of the team.',
  answer: teamContents,
})
export const deleteTeam = endpoint({
  method: 'DELETE',
  path: `${USER}/teams/current/`,
  access: 'user+team',
  tag: 'Teams',
  summary: 'Delete the current team and everything that it has',
  description:
    'Only for its owner, who sends the name of the team as `confirm`. Members, API keys, invitations and signed links end at once, running jobs are canceled, and the stored data is removed within minutes. A team that pays for a plan is refused with 409: cancel the plan first. If `X-Team-Id` names a team that the caller is not a member of, nothing is deleted.',
  query: z.object({ confirm: text({ max: 255 }) }),
  status: 204,
})

/** Days after which ended jobs are deleted; null keeps them. Of several the smallest holds. */
const days = z.nullable(z.int())
export const MAX_RETENTION_DAYS = 36_500

export const retention = z.object({
  days,
  installation_days: days,
  effective_days: days,
  /** What would be deleted at once with the query's `days`, or with the current setting. */
  expired: z.object({
    days,
    runs: z.int(),
    pages: z.int(),
    /** Stored bytes of the pages; estimated from a sample if there are many. */
    bytes: z.int(),
    is_estimate: z.boolean(),
    oldest_at: z.nullable(z.string()),
  }),
})
export type Retention = z.output<typeof retention>

export const getRetention = endpoint({
  method: 'GET',
  path: `${USER}/teams/current/retention/`,
  access: 'user+team',
  tag: 'Teams',
  summary: "How long the team's jobs are kept, and what a given number of days would delete",
  query: z.object({ days: z.optional(count({ min: 1, max: MAX_RETENTION_DAYS })) }),
  answer: retention,
})
export const setRetention = endpoint({
  method: 'PATCH',
  path: `${USER}/teams/current/retention/`,
  access: 'user+team',
  tag: 'Teams',
  summary: "Set how long the team's jobs are kept",
  description:
    'Only for the owner of the team. A job counts from its end; unfinished ones stay. Older jobs are deleted within an hour. If the installation sets fewer days, those apply.',
  body: shape({ days: z.nullable(count({ min: 1, max: MAX_RETENTION_DAYS })) }),
  answer: retention,
})
export const getTeam = endpoint({
  method: 'GET',
  path: `${USER}/teams/{id}/`,
  access: 'user+team',
  tag: 'Teams',
  summary: 'One of your teams',
  answer: team,
})

export const member = z.object({
  /** The membership, not the user. */
  uuid: z.string(),
  is_owner: z.boolean(),
  user: z.object({
    uuid: z.string(),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    full_name: z.string(),
    privacy_confirmed_at: z.nullable(z.string()),
    terms_confirmed_at: z.nullable(z.string()),
    newsletter_confirmed: z.boolean(),
  }),
})
export type Member = z.output<typeof member>

export const listMembers = endpoint({
  method: 'GET',
  path: `${USER}/teams/current/members/`,
  access: 'user+team',
  tag: 'Members and invitations',
  summary: 'The members of the team: the owner first, then by the date they joined',
  answer: paged(member),
})
export const removeMember = endpoint({
  method: 'DELETE',
  path: `${USER}/teams/current/members/{id}/`,
  access: 'user+team',
  tag: 'Members and invitations',
  summary: 'Remove a member, or leave the team',
  description:
    'The id is that of the membership. The owner stays. `revoke_keys` also ends the API keys that the person has read, and the invitations that they sent.',
  query: z.object({ revoke_keys: queryFlag() }),
  status: 204,
})
export const inviteMember = endpoint({
  method: 'POST',
  path: `${USER}/teams/current/invite/`,
  access: 'user+team',
  tag: 'Members and invitations',
  summary: 'Invite a person to the team by mail',
  description:
    'A person who was invited before gets a new mail, and the link of the old mail stops working. If the server sends no mail, `link/` returns the link.',
  body: shape({ email: email() }),
  status: 200,
})

export const invitation = z.object({ uuid: z.string(), email: z.string(), created_at: z.string() })
export type Invitation = z.output<typeof invitation>

export const listInvitations = endpoint({
  method: 'GET',
  path: `${USER}/teams/current/invitations/`,
  access: 'user+team',
  tag: 'Members and invitations',
  summary: 'Unanswered invitations to the team, newest first',
  answer: z.array(invitation),
})
export const linkInvitation = endpoint({
  method: 'POST',
  path: `${USER}/teams/current/invitations/{id}/link/`,
  access: 'user+team',
  tag: 'Members and invitations',
  summary: 'Get the link of an invitation, to pass it on without a mail',
  description: 'Only for the owner of the team. The link is new, and the previous link stops working.',
  answer: z.object({ link: z.string() }),
})
export const withdrawInvitation = endpoint({
  method: 'DELETE',
  path: `${USER}/teams/current/invitations/{id}/`,
  access: 'user+team',
  tag: 'Members and invitations',
  summary: 'Withdraw an invitation',
  status: 204,
})

export const ownInvitation = z.object({ uuid: z.string(), team, created_at: z.string() })
export type OwnInvitation = z.output<typeof ownInvitation>

export const listOwnInvitations = endpoint({
  method: 'GET',
  path: `${USER}/profile/invitations/`,
  access: 'user',
  tag: 'Members and invitations',
  summary: 'Your unanswered invitations, newest first',
  description: 'Empty until the address is verified by a mailed link, a mailed invitation code, or a sign-in provider.',
  answer: z.array(ownInvitation),
})
export const acceptInvitation = endpoint({
  method: 'POST',
  path: `${USER}/profile/invitations/{id}/accept/`,
  access: 'user',
  tag: 'Members and invitations',
  summary: 'Accept an invitation and join the team',
  description: 'Only for a verified address; otherwise accept with the code of the invitation.',
  status: 204,
})
export const acceptInvitationCode = endpoint({
  method: 'POST',
  path: `${USER}/profile/invitations/accept/`,
  access: 'user',
  tag: 'Members and invitations',
  summary: 'Accept an invitation by its link code and join the team',
  description: 'A code that was mailed also verifies the address.',
  body: shape({ invitation_code: text({ max: 255 }) }),
  status: 204,
})
export const declineInvitation = endpoint({
  method: 'DELETE',
  path: `${USER}/profile/invitations/{id}/`,
  access: 'user',
  tag: 'Members and invitations',
  summary: 'Decline an invitation',
  status: 204,
})

export const apiKey = z.object({
  uuid: z.string(),
  name: z.string(),
  /** Empty when the server can no longer read it: its secret key was lost or changed. */
  key: z.string(),
  created_by: z.nullable(z.string()),
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
