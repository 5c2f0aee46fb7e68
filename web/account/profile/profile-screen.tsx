/** The profile: names, newsletter, language, invitations, password, logout and deletion. */
import { getProfile } from '#contract/accounts.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { logOut } from '#web/account/session/log-out.ts'
import { Button } from '#web/ui/form/button.tsx'
import { OptionSection } from '#web/ui/card.tsx'
import { ErrorState, Loading } from '#web/ui/feedback/feedback.tsx'
import { LogoutIcon } from '#web/ui/icons.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import * as t from '#texts/profile.ts'
import { AboutForm } from './about-form.tsx'
import { LanguageForm } from './language-form.tsx'
import { DeleteAccountButton } from './delete-account-button.tsx'
import { OwnInvitations } from './own-invitations.tsx'
import { PasswordForm } from './password-form.tsx'

const CHANGE = t.enterYourCurrentPasswordToChange

export function ProfileScreen() {
  const { data: profile, error, isValidating, mutate } = useEndpoint(getProfile)
  return (
    <>
      <PageHeader title={t.profile} description={t.yourOwnAccountTheSameIn} />
      {profile ? (
        <div>
          <OptionSection title={t.aboutYou} description={t.yourNameIsShownToThe}>
            <AboutForm key={profile.uuid} profile={profile} />
          </OptionSection>
          <OptionSection title={t.language} description={t.ofTheDashboardAndTheMails}>
            <LanguageForm profile={profile} />
          </OptionSection>
          <OptionSection title={t.teamInvitations} description={t.teamsThatWouldLikeYouTo}>
            <OwnInvitations />
          </OptionSection>
          <OptionSection title={t.password} description={profile.is_provider_only ? t.yourAccountHasNoPasswordYet : CHANGE}>
            <PasswordForm email={profile.email} hasPassword={profile.is_provider_only !== true} />
          </OptionSection>
          <OptionSection title={t.accountActions} description={t.endsTheSessionOnThisDevice}>
            <Button icon={LogoutIcon} onClick={logOut}>
              {t.logout}
            </Button>
          </OptionSection>
          <OptionSection title={t.deleteAccount} description={t.withTheTeamsThatYouOwn}>
            <DeleteAccountButton hasPassword={profile.is_provider_only !== true} />
          </OptionSection>
        </div>
      ) : error ? (
        <ErrorState title={t.failedToLoadYourProfile} details={error.message} retrying={isValidating} onRetry={() => void mutate()} />
      ) : (
        <Loading>{t.loadingYourProfile}</Loading>
      )}
    </>
  )
}
