/** The team's name, who is invited, who belongs to it, how long its jobs stay, the way out and the end. */
import { Suspense, lazy } from 'react'
import { getProfile } from '#contract/accounts.ts'
import { getSettings } from '#contract/settings.ts'
import { currentTeam } from '#contract/teams.ts'
import { useIsEnterprise } from '#web/api/enterprise.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { DeleteTeamButton } from '#web/team/teams/delete-team-button.tsx'
import { InviteForm } from '#web/team/teams/invite-form.tsx'
import { LeaveTeamButton } from '#web/team/teams/leave-team-button.tsx'
import { PendingInvitations } from '#web/team/teams/pending-invitations.tsx'
import { RetentionForm } from '#web/team/teams/retention-form.tsx'
import { TeamMembers } from '#web/team/teams/team-members.tsx'
import { TeamName } from '#web/team/teams/team-name.tsx'
import { OptionSection } from '#web/ui/card.tsx'
import { ErrorState, Skeleton } from '#web/ui/feedback/feedback.tsx'

/** Loaded where plans exist. */
const SeatsNote = lazy(async () => ({ default: (await import('#web/team/plans/seats-note.tsx')).SeatsNote }))

const BY_MAIL = 'The invitation goes out by e-mail, with a link that works once.'
const BY_LINK = 'This server sends no mail: hand the invitation link over yourself. It works once.'

export function TeamSettings() {
  const isEnterprise = useIsEnterprise()
  const { data: team, error, isValidating, mutate } = useEndpoint(currentTeam)
  const { data: profile } = useEndpoint(getProfile)
  const { data: settings } = useEndpoint(getSettings)
  const sendsMail = settings?.is_mail_configured !== false
  const isOwner = team?.is_owner === true
  if (error && !team)
    return <ErrorState title="Failed to load the team" details={error.message} retrying={isValidating} onRetry={() => void mutate()} />
  return (
    <div>
      <OptionSection title="Team name" description="Shown in the team switcher and in invitations.">
        {team ? <TeamName key={team.uuid} name={team.name} /> : <Skeleton className="h-9 max-w-100 rounded-control" />}
      </OptionSection>
      <OptionSection title="Invite member" description={sendsMail ? BY_MAIL : BY_LINK}>
        <div className="grid min-w-0 gap-4">
          <InviteForm isOwner={isOwner} />
          <PendingInvitations isOwner={isOwner} />
        </div>
      </OptionSection>
      <OptionSection title="Team members" description="Every member works with all that the team has. The owner cannot be removed.">
        {isEnterprise && (
          <Suspense fallback={null}>
            <SeatsNote />
          </Suspense>
        )}
        <TeamMembers ownUserId={profile?.uuid} teamName={team?.name ?? 'the team'} />
      </OptionSection>
      <OptionSection
        title="Keep jobs"
        description="How long crawls, searches and sitemaps that have ended stay, with all that they stored."
      >
        {team ? <RetentionForm key={team.uuid} isOwner={isOwner} /> : <Skeleton className="h-9 max-w-100 rounded-control" />}
      </OptionSection>
      {team && profile && (
        <OptionSection title="Leave team" description="You lose access at once; what you made stays.">
          <LeaveTeamButton team={team} userId={profile.uuid} />
        </OptionSection>
      )}
      {team && isOwner && (
        <OptionSection title="Delete team" description="With its members, keys, jobs and everything that was stored.">
          <DeleteTeamButton key={team.uuid} team={team} />
        </OptionSection>
      )}
    </div>
  )
}
