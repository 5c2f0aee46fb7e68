/** The team's name, who is invited, who belongs to it, and the way out. */
import { Suspense, lazy } from 'react'
import { getProfile } from '#contract/accounts.ts'
import { currentTeam } from '#contract/teams.ts'
import { useIsEnterprise } from '#web/api/enterprise.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { InviteForm } from '#web/teams/invite-form.tsx'
import { LeaveTeamButton } from '#web/teams/leave-team-button.tsx'
import { PendingInvitations } from '#web/teams/pending-invitations.tsx'
import { TeamMembers } from '#web/teams/team-members.tsx'
import { TeamName } from '#web/teams/team-name.tsx'
import { OptionSection } from '#web/ui/card.tsx'
import { ErrorState, Skeleton } from '#web/ui/feedback.tsx'

/** Loaded where plans exist. */
const SeatsNote = lazy(async () => ({ default: (await import('#web/plans/seats-note.tsx')).SeatsNote }))

export function TeamSettings() {
  const isEnterprise = useIsEnterprise()
  const { data: team, error, isValidating, mutate } = useEndpoint(currentTeam)
  const { data: profile } = useEndpoint(getProfile)
  if (error && !team)
    return <ErrorState title="Failed to load the team" details={error.message} retrying={isValidating} onRetry={() => void mutate()} />
  return (
    <div>
      <OptionSection title="Team name" description="Shown in the team switcher and in invitations.">
        {team ? <TeamName key={team.uuid} name={team.name} /> : <Skeleton className="h-9 max-w-100 rounded-control" />}
      </OptionSection>
      <OptionSection title="Invite member" description="The invitation goes out by e-mail, with a link that works once.">
        <div className="grid min-w-0 gap-4">
          <InviteForm />
          <PendingInvitations />
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
      {team && profile && (
        <OptionSection title="Leave team" description="You lose access at once; what you made stays.">
          <LeaveTeamButton team={team} userId={profile.uuid} />
        </OptionSection>
      )}
    </div>
  )
}
