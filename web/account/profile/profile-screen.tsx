/** Who one is here: names, newsletter, invitations, password, the way out and the end. */
import { getProfile } from '#contract/accounts.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { logOut } from '#web/account/session/log-out.ts'
import { Button } from '#web/ui/form/button.tsx'
import { OptionSection } from '#web/ui/card.tsx'
import { ErrorState, Loading } from '#web/ui/feedback/feedback.tsx'
import { LogoutIcon } from '#web/ui/icons.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { AboutForm } from './about-form.tsx'
import { DeleteAccountButton } from './delete-account-button.tsx'
import { OwnInvitations } from './own-invitations.tsx'
import { PasswordForm } from './password-form.tsx'

const CHANGE = 'Enter your current password to change it. Other devices are signed out.'

export function ProfileScreen() {
  const { data: profile, error, isValidating, mutate } = useEndpoint(getProfile)
  return (
    <>
      <PageHeader title="Profile" description="Your own account, the same in every team." />
      {profile ? (
        <div>
          <OptionSection title="About you" description="Your name is shown to the members of your teams.">
            <AboutForm key={profile.uuid} profile={profile} />
          </OptionSection>
          <OptionSection title="Team invitations" description="Teams that would like you to join them.">
            <OwnInvitations />
          </OptionSection>
          <OptionSection
            title="Password"
            description={profile.is_provider_only ? 'Your account has no password yet. Other devices are signed out.' : CHANGE}
          >
            <PasswordForm email={profile.email} hasPassword={profile.is_provider_only !== true} />
          </OptionSection>
          <OptionSection title="Account actions" description="Ends the session on this device.">
            <Button icon={LogoutIcon} onClick={logOut}>
              Logout
            </Button>
          </OptionSection>
          <OptionSection title="Delete account" description="With the teams that you own and everything that they stored.">
            <DeleteAccountButton hasPassword={profile.is_provider_only !== true} />
          </OptionSection>
        </div>
      ) : error ? (
        <ErrorState title="Failed to load your profile" details={error.message} retrying={isValidating} onRetry={() => void mutate()} />
      ) : (
        <Loading>Loading your profile…</Loading>
      )}
    </>
  )
}
