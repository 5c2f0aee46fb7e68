/** Teams: their members, invitations and API keys, and their deletion. */
import type { Mails } from '#backend/mails/mails.ts'
import { createSealer, keyedHash } from '#backend/platform/secrets.ts'
import type { Ports } from '#backend/ports.ts'
import { createApiKeys } from './api-keys.ts'
import { createTeamDeletion } from './delete-team.ts'
import { createInvitations } from './invitations.ts'
import { memberRoutes } from './member-routes.ts'
import { mailReaders, membersWithMail } from './mail-readers.ts'
import { checkOwner, createMembers } from './members.ts'
import { teamRoutes } from './routes.ts'
import { createTeams } from './teams.ts'

type Needs<F extends (needs: never) => unknown> = Parameters<F>[0]
type InvitationNeeds = Needs<typeof createInvitations>

type Others = {
  /** Whether the team's plan allows another invitation, and another member. */
  credits: Pick<InvitationNeeds, 'checkInvitation' | 'checkSeat'>
  isBilled: Needs<typeof createTeamDeletion>['isBilled']
  mails: Pick<Mails, 'invitation' | 'invitationLink'>
  /** Called with a team once its deletion is committed. */
  onDeleted: (teamId: string) => void
  /** Called in the transaction that deletes a team, before anything is deleted. */
  onDeleting: Needs<typeof createTeamDeletion>['onDeleting']
}

/** Its functions and routes. */
export function teamsFeature(ports: Ports, { credits, isBilled, mails, onDeleted, onDeleting }: Others) {
  const { baseUrl, database, keyFor, limits, newId, now, outbox, readers, warn } = ports
  const apiKeyHashKey = keyFor('api key hashes')
  const apiKeys = createApiKeys({
    database,
    hash: (text) => keyedHash(apiKeyHashKey, text),
    newId,
    now,
    onFault: (error) => warn({ err: error }, 'the last use of an API key could not be stored'),
    sealer: createSealer(keyFor('sealing')),
  })
  const teams = createTeams({ database, issueKey: apiKeys.issueIn, newId, now })
  const members = createMembers({
    database,
    endAccess: async (transaction, member) => {
      await apiKeys.revokeKnownTo(transaction, member)
      await invitations.withdrawSentBy(transaction, member.userId, member.teamId)
    },
    newId,
    now,
  })
  const invitations = createInvitations({ ...credits, database, mails, members, newId, now, outbox, teamsById: teams.byId })
  const deletion = createTeamDeletion({ database, isBilled, lists: readers.database, now, onDeleted, onDeleting })
  return {
    apiKeys,
    checkOwner: (actor: Parameters<typeof checkOwner>[1]) => checkOwner(database, actor),
    deletion,
    invitations,
    mailReaders,
    membersWithMail: (teamId: string) => membersWithMail(database, teamId),
    members,
    teams,
    routes: [
      teamRoutes({ apiKeys, baseUrl, deletion, teams }),
      memberRoutes({ baseUrl, invitationLink: mails.invitationLink, invitations, limits, members }),
    ],
  }
}
