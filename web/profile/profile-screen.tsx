/** Who one is here: names, newsletter, password, and the way out. */
import { useState } from 'react'
import { PASSWORD_RULES, STRENGTH_LABELS, getProfile, updateProfile } from '#contract/accounts.ts'
import type { Profile } from '#contract/accounts.ts'
import { fieldError } from '#web/api/field-error.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { logOut } from '#web/session/log-out.ts'
import { Button } from '#web/ui/button.tsx'
import { OptionSection } from '#web/ui/card.tsx'
import { SwitchRow } from '#web/ui/choice.tsx'
import { ErrorState, Loading } from '#web/ui/feedback.tsx'
import { PasswordField, TextField } from '#web/ui/field.tsx'
import { LogoutIcon } from '#web/ui/icons.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PasswordStrength } from '#web/ui/password-strength.tsx'
import { toast } from '#web/ui/toaster.tsx'
import { nameErrors, passwordChangeErrors } from './profile-form.ts'

export function ProfileScreen() {
  const { data: profile, error, isValidating, mutate } = useEndpoint(getProfile)
  return (
    <>
      <PageHeader title="Profile" description="Your own account, the same in every team." />
      {profile ? (
        <div>
          <OptionSection title="About you" description="Your name is shown to the members of your teams.">
            <ProfileForm key={profile.uuid} profile={profile} />
          </OptionSection>
          <OptionSection title="Password" description="The current one is asked for, so that nobody at an open screen can change it.">
            <PasswordForm />
          </OptionSection>
          <OptionSection title="Account actions" description="Ends the session on this device.">
            <Button icon={LogoutIcon} onClick={logOut}>
              Logout
            </Button>
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

function ProfileForm({ profile }: { profile: Profile }) {
  const [values, setValues] = useState({
    firstName: profile.first_name,
    lastName: profile.last_name,
    newsletter: profile.newsletter_confirmed,
  })
  const [isTried, setTried] = useState(false)
  const save = useAction(updateProfile, { refreshes: [getProfile] })
  const wrong = isTried ? nameErrors(values) : {}
  const submit = async () => {
    if (save.busy) return
    setTried(true)
    if (Object.keys(nameErrors(values)).length > 0) return
    const outcome = await save.run({
      body: { first_name: values.firstName, last_name: values.lastName, newsletter_confirmed: values.newsletter },
    })
    if (outcome.ok) toast.success('Profile saved')
    else toast.error(outcome.error.message || 'Failed to save your profile')
  }
  return (
    <form
      noValidate
      className="grid max-w-130 gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="First name"
          autoComplete="given-name"
          maxLength={150}
          value={values.firstName}
          onChange={(firstName) => setValues({ ...values, firstName })}
          error={wrong.firstName ?? fieldError(save.error, 'first_name')}
        />
        <TextField
          label="Last name"
          autoComplete="family-name"
          maxLength={150}
          value={values.lastName}
          onChange={(lastName) => setValues({ ...values, lastName })}
          error={wrong.lastName ?? fieldError(save.error, 'last_name')}
        />
      </div>
      <TextField
        label="Email"
        type="email"
        value={profile.email}
        onChange={() => undefined}
        readOnly
        hint="The address cannot be changed."
      />
      <div className="rounded-card border border-line bg-surface px-4 py-3">
        <SwitchRow
          label="Newsletter"
          description="A few letters a year: releases and security notes."
          checked={values.newsletter}
          onChange={(newsletter) => setValues({ ...values, newsletter })}
        />
      </div>
      <div>
        <Button type="submit" look="primary" busy={save.busy} busyLabel="Saving…">
          Save
        </Button>
      </div>
    </form>
  )
}

const NO_PASSWORDS = { current: '', password: '', confirmation: '' }

function PasswordForm() {
  const [values, setValues] = useState(NO_PASSWORDS)
  const [isTried, setTried] = useState(false)
  const change = useAction(updateProfile)
  const wrong = isTried ? passwordChangeErrors(values) : {}
  const set = (name: keyof typeof NO_PASSWORDS) => (value: string) => setValues({ ...values, [name]: value })
  const submit = async () => {
    if (change.busy) return
    setTried(true)
    if (Object.keys(passwordChangeErrors(values)).length > 0) return
    const outcome = await change.run({ body: { current_password: values.current, password: values.password } })
    if (outcome.ok) {
      toast.success('Password changed')
      setValues(NO_PASSWORDS)
      setTried(false)
    } else if (!fieldError(outcome.error, 'current_password') && !fieldError(outcome.error, 'password'))
      toast.error(outcome.error.message || 'Failed to change the password')
  }
  return (
    <form
      noValidate
      className="grid max-w-130 gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        value={values.current}
        onChange={set('current')}
        error={wrong.current ?? fieldError(change.error, 'current_password')}
      />
      <div className="grid gap-3">
        <PasswordField
          label="New password"
          autoComplete="new-password"
          value={values.password}
          onChange={set('password')}
          error={wrong.password ?? fieldError(change.error, 'password')}
        />
        {values.password !== '' && <PasswordStrength value={values.password} rules={PASSWORD_RULES} labels={STRENGTH_LABELS} />}
      </div>
      <PasswordField
        label="Confirm new password"
        autoComplete="new-password"
        value={values.confirmation}
        onChange={set('confirmation')}
        error={wrong.confirmation}
      />
      <div>
        <Button type="submit" busy={change.busy} busyLabel="Changing…">
          Change password
        </Button>
      </div>
    </form>
  )
}
