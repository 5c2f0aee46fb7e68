/** Covers the dashboard until privacy policy and terms are confirmed. The only ways out are accepting and logging out. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import { getProfile, updateProfile } from '#contract/accounts.ts'
import type { Profile } from '#contract/accounts.ts'
import { getSettings } from '#contract/settings.ts'
import type { Settings } from '#contract/settings.ts'
import { refresh, useAction, useEndpoint } from '#web/api/hooks.ts'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { SwitchRow } from '#web/ui/form/choice.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { ExternalIcon, FileIcon, LockIcon } from '#web/ui/icons.tsx'
import type { Icon } from '#web/ui/icons.tsx'
import { dayText } from '#web/ui/text/time-texts.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { list } from '#texts/language.ts'
import * as t from '#texts/session.ts'
import { logOut } from './log-out.ts'
import { confirmation, mustConfirm } from './privacy-terms.ts'

/** Calls `children` once it is known whether the dialog is shown, and tells them. */
export function PrivacyTermsDialog({ children }: { children?: (isShown: boolean) => ReactNode }) {
  const { data: profile } = useEndpoint(getProfile)
  const { data: settings } = useEndpoint(getSettings)
  const [confirmedBy, setConfirmedBy] = useState<string | null>(null)
  if (!profile || !settings) return null
  // `confirmedBy` also closes the dialog if the texts are dated in the future: then even the new confirmation counts as older.
  const isShown = mustConfirm(profile, settings) && confirmedBy !== profile.uuid
  return (
    <>
      {isShown && <Confirmation key={profile.uuid} profile={profile} settings={settings} onDone={() => setConfirmedBy(profile.uuid)} />}
      {children?.(isShown)}
    </>
  )
}

function Confirmation({ profile, settings, onDone }: { profile: Profile; settings: Settings; onDone: () => void }) {
  const [newsletter, setNewsletter] = useState(true)
  const [isReloading, setReloading] = useState(false)
  const confirm = useAction(updateProfile)
  const isBusy = confirm.busy || isReloading
  const isEnterprise = settings.is_enterprise_mode_active
  const isPublished = settings.policy_url !== '' || settings.terms_url !== ''

  const accept = async () => {
    const outcome = await confirm.run({ body: confirmation(isEnterprise, newsletter, profile) })
    if (!outcome.ok) return toast.error(t.failedToConfirmPrivacyPolicyAnd)
    toast.success(t.privacyPolicyAndTermsOfService)
    setReloading(true)
    await refresh(getProfile)
    setReloading(false)
    onDone()
  }

  return (
    <Dialog
      open
      onClose={() => undefined}
      dismissible={false}
      size="normal"
      title={t.privacyAndTermsUpdate}
      footer={
        <>
          <Button look="quiet" className="mr-auto -ml-3.5" onClick={logOut}>
            {t.logout}
          </Button>
          <Button look="primary" busy={isBusy} busyLabel={t.confirming} onClick={() => void accept()}>
            {t.acceptAndContinue}
          </Button>
        </>
      }
    >
      {/* Focus starts here rather than on a link or the button that agrees. */}
      <p tabIndex={-1} data-autofocus className="outline-none">
        {isPublished ? t.pleaseReadAndConfirmTheFollowing : t.thisServerHasPublishedNeitherA}
      </p>
      {isPublished && (
        <ul className="overflow-hidden rounded-card border border-line bg-surface">
          <Text icon={LockIcon} name={t.privacyPolicy} updatedAt={settings.policy_update_at} url={settings.policy_url} />
          <Text icon={FileIcon} name={t.termsOfService} updatedAt={settings.terms_update_at} url={settings.terms_url} />
        </ul>
      )}
      {isEnterprise && (
        <div className="rounded-card border border-line bg-surface px-4 py-3 text-ink">
          <SwitchRow label={t.newsletter} description={t.aFewEmailsAYearReleases} checked={newsletter} onChange={setNewsletter} />
        </div>
      )}
      {isPublished && <p className="text-table">{t.byChoosingAcceptAndContinueYou(agreementOf(settings))}</p>}
    </Dialog>
  )
}

const agreementOf = ({ policy_url, terms_url }: Settings) =>
  list([policy_url !== '' && t.thePrivacyPolicy, terms_url !== '' && t.theTermsOfService].filter((name) => name !== false))

/** `url` '' means not published: then there is no row. */
function Text({ icon: Icon, name, updatedAt, url }: { icon: Icon; name: string; updatedAt: string | null; url: string }) {
  if (url === '') return null
  return (
    <li className="flex min-h-14 items-center gap-3 px-4 py-2.5 not-first:border-t not-first:border-line">
      <Icon className="size-5 text-faint" />
      <span className="min-w-0 flex-1">
        <span className="block font-medium text-ink">{name}</span>
        {updatedAt && (
          <span className="block text-label text-faint">{t.lastUpdated(<time dateTime={updatedAt}>{dayText(updatedAt)}</time>)}</span>
        )}
      </span>
      <ButtonLink size="small" icon={ExternalIcon} href={url} external>
        {t.view(<span className="sr-only"> {name}</span>)}
      </ButtonLink>
    </li>
  )
}
