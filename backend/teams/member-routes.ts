/** Endpoints of a team's members, and of invitations, for teams and for invited users. */
import type { FastifyPluginAsync } from 'fastify'
import {
  acceptInvitation,
  acceptInvitationCode,
  declineInvitation,
  inviteMember,
  linkInvitation,
  listInvitations,
  listMembers,
  listOwnInvitations,
  removeMember,
  withdrawInvitation,
} from '#contract/teams.ts'
import type { Member as WireMember } from '#contract/teams.ts'
import { hrefOf } from '#backend/http/base-url.ts'
import type { BaseUrl } from '#backend/http/base-url.ts'
import { instant, instantOrNull } from '#backend/http/instants.ts'
import { pagedAnswer, pageWindow } from '#backend/http/pagination.ts'
import type { Query } from '#backend/http/pagination.ts'
import { SIGN_IN_LIMITS, addressTries } from '#backend/http/rate-limits.ts'
import type { Limit, RateLimits } from '#backend/http/rate-limits.ts'
import { route } from '#backend/http/route.ts'
import type { Invitations } from './invitations.ts'
import type { Member, Members } from './members.ts'
import { presentTeam } from './routes.ts'

/**
 * Each invitation is an unsolicited mail. One team may repeat an invitation a few times, in case a mail was lost; the other limits protect
 * an address against one user, one network address, and many teams that cooperate.
 */
const INVITE_LIMITS = {
  inviteToEmailFromTeam: { calls: 5, seconds: 3600 },
  inviteByUser: { calls: 60, seconds: 3600 },
  inviteFromAddress: { calls: 120, seconds: 3600 },
  inviteToEmail: { calls: 20, seconds: 3600 },
} as const satisfies Record<string, Limit>

/** @param invitationLink  the link that opens an invitation, by its code */
export function memberRoutes({ baseUrl, invitationLink, invitations, limits, members }: MemberNeeds): FastifyPluginAsync {
  return async (app) => {
    route(app, listMembers, async ({ actor, request }) => {
      const window = pageWindow(request.query as Query, await members.count(actor.teamId))
      const found = await members.list(actor.teamId, { limit: window.pageSize, offset: window.offset })
      return pagedAnswer(hrefOf(baseUrl, request), window, found.map(presentMember))
    })
    route(app, removeMember, ({ actor, params, query }) => members.remove(actor.teamId, params.id, { revokesKeys: query.revoke_keys }))

    route(app, inviteMember, async ({ actor, body, request }) => {
      await takeInvite(actor, body.email.toLowerCase(), request.ip)
      await invitations.invite(actor, body.email)
    })
    route(app, linkInvitation, async ({ actor, params }) => ({ link: invitationLink(await invitations.renewCode(actor, params.id)) }))
    route(app, listInvitations, async ({ actor }) =>
      (await invitations.list(actor.teamId)).map(({ id, email, createdAt }) => ({ uuid: id, email, created_at: instant(createdAt) })),
    )
    route(app, withdrawInvitation, ({ actor, params }) => invitations.withdraw(actor.teamId, params.id))

    route(app, listOwnInvitations, async ({ actor }) =>
      (await invitations.ofUser(actor.userId)).map(({ id, team, createdAt }) => ({
        uuid: id,
        team: presentTeam(team),
        created_at: instant(createdAt),
      })),
    )
    route(app, acceptInvitation, ({ actor, params }) => invitations.accept(actor.userId, params.id))
    route(app, acceptInvitationCode, async ({ actor, body, request }) => {
      await limits.takeAll(addressTries('linkFromAddress', SIGN_IN_LIMITS.linkFromAddress, request.ip))
      return invitations.acceptCode(actor.userId, body.invitation_code)
    })
    route(app, declineInvitation, ({ actor, params }) => invitations.decline(actor.userId, params.id))
  }

  async function takeInvite({ userId, teamId }: { userId: string; teamId: string }, email: string, ip: string): Promise<void> {
    await limits.takeAll([
      ...addressTries('inviteFromAddress', INVITE_LIMITS.inviteFromAddress, ip),
      { name: 'inviteByUser', limit: INVITE_LIMITS.inviteByUser, parts: [userId] },
      { name: 'inviteToEmailFromTeam', limit: INVITE_LIMITS.inviteToEmailFromTeam, parts: [email, teamId] },
      { name: 'inviteToEmail', limit: INVITE_LIMITS.inviteToEmail, parts: [email] },
    ])
  }
}

type MemberNeeds = {
  baseUrl: BaseUrl
  invitationLink: (code: string) => string
  invitations: Invitations
  limits: RateLimits
  members: Members
}

const presentMember = (member: Member): WireMember => ({
  uuid: member.id,
  is_owner: member.isOwner,
  user: {
    uuid: member.userId,
    email: member.email,
    first_name: member.firstName,
    last_name: member.lastName,
    full_name: [member.firstName, member.lastName].filter(Boolean).join(' ') || member.email,
    privacy_confirmed_at: instantOrNull(member.privacyConfirmedAt),
    terms_confirmed_at: instantOrNull(member.termsConfirmedAt),
    newsletter_confirmed: member.newsletterConfirmed,
  },
})
