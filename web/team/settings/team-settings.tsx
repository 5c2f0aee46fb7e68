/** Team settings: name, invitations, members, retention, leaving and deletion. */
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
import * as t from '#texts/settings.ts'

/** Loaded in enterprise mode only. */
const SeatsNote = lazy(async () => ({ default: (await import('#web/team/plans/seats-note.tsx')).SeatsNote }))

const BY_MAIL = t.theInvitationGoesOutByE
const BY_LINK = t.thisServerSendsNoMailHand

export function TeamSettings() {
  const isEnterprise = useIsEnterprise()
  const { data: team, error, isValidating, mutate } = useEndpoint(currentTeam)
  const { data: profile } = useEndpoint(getProfile)
  const { data: settings } = useEndpoint(getSettings)
  const sendsMail = settings?.is_mail_configured !== false
  const isOwner = team?.is_owner === true
  if (error && !team)
    return <ErrorState title={t.failedToLoadTheTeam} details={error.message} retrying={isValidating} onRetry={() => void mutate()} />
  return (
    <div>
      <OptionSection title={t.teamName} description={t.shownInTheTeamSwitcherAnd}>
        {team ? <TeamName key={team.uuid} name={team.name} /> : <Skeleton className="h-9 max-w-100 rounded-control" />}
      </OptionSection>
      <OptionSection title={t.inviteMember} description={sendsMail ? BY_MAIL : BY_LINK}>
        <div className="grid min-w-0 gap-4">
          <InviteForm isOwner={isOwner} />
          <PendingInvitations isOwner={isOwner} />
        </div>
      </OptionSection>
      <OptionSection title={t.teamMembers} description={t.everyMemberWorksWithAllThat}>
        {isEnterprise && (
          <Suspense fallback={null}>
            <SeatsNote />
          </Suspense>
        )}
        <TeamMembers ownUserId={profile?.uuid} teamName={team?.name ?? t.theTeam} />
      </OptionSection>
      <OptionSection title={t.keepJobs} description={t.howLongCrawlsSearchesAndSitemaps}>
        {team ? <RetentionForm key={team.uuid} isOwner={isOwner} /> : <Skeleton className="h-9 max-w-100 rounded-control" />}
      </OptionSection>
      {team && profile && (
        <OptionSection title={t.leaveTeam} description={t.youLoseAccessAtOnceWhat}>
          <LeaveTeamButton team={team} userId={profile.uuid} />
        </OptionSection>
      )}
      {team && isOwner && (
        <OptionSection title={t.deleteTeam} description={t.withItsMembersKeysJobsAnd}>
          <DeleteTeamButton key={team.uuid} team={team} />
        </OptionSection>
      )}
    </div>
  )
}
