/**
 * The first visit: the form for the administrator's account on the left; on the right what they agree to, which data is collected, and the
 * submit button.
 */
import { useState } from 'react'
import { install } from '#contract/accounts.ts'
import { useAction } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import { usePageTitle } from '#web/frame/layout/use-page-title.ts'
import { runtimeConfig } from '#web/state/runtime-config.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/choice.tsx'
import { PasswordField, TextField } from '#web/ui/form/field.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { CircleCheckIcon, LockIcon, MailIcon } from '#web/ui/icons.tsx'
import { PasswordStrength } from '#web/ui/form/password-strength.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/install.ts'
import { EMPTY_INSTALL, installBody, installErrors, installFailure } from './install-form.ts'

const COLLECTED = [t.osName, t.osVersionAndRelease, t.architecture, t.kernelVersion, t.cpuModel, t.uniqueInstallationID]

/** @param onLogin  reloads the settings, after which the app is available */
export function InstallScreen({ onLogin }: { onLogin: () => Promise<unknown> }) {
  const [isDone, setDone] = useState(false)
  usePageTitle(t.installTheProduct)
  return isDone ? <Done onLogin={onLogin} /> : <InstallForm onDone={() => setDone(true)} />
}

function InstallForm({ onDone }: { onDone: () => void }) {
  const submission = useAction(install)
  const { attempt, check, field, form, values } = useForm({ initial: EMPTY_INSTALL, judge: installErrors, shows: 'changed' })

  const send = async () => {
    if (submission.busy) return
    const outcome = await submission.run({ body: installBody(values) })
    if (!outcome.ok) return
    toast.success(t.systemInstalledSuccessfully)
    onDone()
  }

  return (
    <form
      ref={form}
      noValidate
      aria-labelledby="install-title"
      onSubmit={(event) => {
        event.preventDefault()
        attempt(() => void send())
      }}
      className="w-full max-w-230 overflow-hidden rounded-dialog border border-line bg-surface"
    >
      <div className="grid gap-1 border-b border-line p-5 sm:px-8 sm:py-6">
        <h1 id="install-title" className="text-title font-semibold">
          {t.installTheProduct}
        </h1>
        <p className="text-soft">{t.oneAdministratorAccountAndYouCan}</p>
      </div>
      <div className="grid md:grid-cols-2">
        <fieldset className="grid min-w-0 content-start gap-4 p-5 sm:p-8">
          <legend className="float-left mb-1 font-semibold">{t.administratorAccount}</legend>
          <TextField
            label={t.email}
            type="email"
            name="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            icon={MailIcon}
            {...field('email')}
          />
          <div className="grid gap-3">
            <PasswordField label={t.password} name="password" autoComplete="new-password" icon={LockIcon} {...field('password')} />
            <PasswordStrength value={values.password} />
          </div>
          <PasswordField
            label={t.confirmPassword}
            name="confirmation"
            autoComplete="new-password"
            icon={LockIcon}
            {...field('confirmation')}
          />
        </fieldset>
        <div className="flex min-w-0 flex-col gap-5 border-line bg-page/60 p-5 max-md:border-t sm:p-8 md:border-l">
          <fieldset className="grid min-w-0 gap-4">
            <legend className="float-left mb-1 font-semibold">{t.legalAndPreferences}</legend>
            <Checkbox label={<LicenseWords />} name="license" {...check('license')} />
            <Checkbox label={t.joinTheNewsletter} name="newsletter" hint={t.aFewEmailsAYearReleases} {...check('newsletter')} />
            <Checkbox
              label={t.sendAnonymousAnalytics}
              name="analytics"
              hint={t.helpsToSeeWhichSystemsRuns(runtimeConfig.productName)}
              {...check('analytics')}
            />
          </fieldset>
          <section aria-labelledby="collected" className="border-t border-line pt-4">
            <h2 id="collected" className="font-semibold">
              {t.systemInformationCollected}
            </h2>
            <p className="text-label text-faint">{t.onlyWithAnonymousAnalytics}</p>
            <ul className="mt-2 grid grid-cols-1 gap-x-4 text-table text-soft min-[420px]:grid-cols-2">
              {COLLECTED.map((name) => (
                <li key={name} className="flex items-center gap-2 py-1">
                  <span aria-hidden="true" className="size-1 flex-none rounded-full bg-control" />
                  {name}
                </li>
              ))}
            </ul>
          </section>
          <div className="mt-auto grid gap-4">
            {submission.error && (
              <Notice tone="danger" role="alert" title={installFailure(submission.error.status, submission.error.body)} />
            )}
            <Button type="submit" look="primary" size="large" block busy={submission.busy} busyLabel={t.installing}>
              {t.install}
            </Button>
          </div>
        </div>
      </div>
    </form>
  )
}

function LicenseWords() {
  const { repository } = runtimeConfig
  if (!repository) return <>{t.iAcceptTheLicenseAgreement}</>
  return (
    <>
      {t.iAcceptThe(
        <a className="link" href={`https://github.com/${repository}/blob/main/LICENSE`} target="_blank" rel="noreferrer">
          {t.licenseAgreement}
        </a>,
      )}
    </>
  )
}

function Done({ onLogin }: { onLogin: () => Promise<unknown> }) {
  const [isBusy, setBusy] = useState(false)
  const proceed = async () => {
    setBusy(true)
    await onLogin().finally(() => setBusy(false))
  }
  return (
    <section className="grid w-full max-w-100 justify-items-center gap-2 rounded-dialog border border-line bg-surface p-8 text-center">
      <span className="mb-2 grid size-12 place-items-center rounded-full bg-success-wash">
        <CircleCheckIcon className="size-6 text-success" />
      </span>
      <h1 tabIndex={-1} ref={(heading) => heading?.focus()} className="text-title font-semibold">
        {t.installationComplete}
      </h1>
      <p className="text-soft">{t.theAdministratorAccountIsReady}</p>
      <Button
        look="primary"
        size="large"
        block
        className="mt-4 h-auto! min-h-11 py-2 whitespace-normal"
        busy={isBusy}
        onClick={() => void proceed()}
      >
        {t.logInAndStartUsing(runtimeConfig.productName)}
      </Button>
    </section>
  )
}
