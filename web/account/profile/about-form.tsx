/** Names, address and newsletter of the person who is signed in. */
import { useRef, useState } from 'react'
import { getProfile, updateProfile } from '#contract/accounts.ts'
import type { Profile } from '#contract/accounts.ts'
import { fieldError } from '#web/api/field-error.ts'
import { useAction } from '#web/api/hooks.ts'
import { Button } from '#web/ui/form/button.tsx'
import { SwitchRow } from '#web/ui/form/choice.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/profile.ts'
import { nameErrors } from './profile-form.ts'
import { focusFirstError } from './focus-first-error.ts'

export function AboutForm({ profile }: { profile: Profile }) {
  const [values, setValues] = useState({
    firstName: profile.first_name,
    lastName: profile.last_name,
    newsletter: profile.newsletter_confirmed,
  })
  const [isTried, setTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const save = useAction(updateProfile, { refreshes: [getProfile] })
  const wrong = isTried ? nameErrors(values) : {}
  const submit = async () => {
    if (save.busy) return
    setTried(true)
    if (Object.keys(nameErrors(values)).length > 0) return focusFirstError(form)
    const outcome = await save.run({
      body: { first_name: values.firstName, last_name: values.lastName, newsletter_confirmed: values.newsletter },
    })
    if (outcome.ok) toast.success(t.profileSaved)
    else toast.error(outcome.error.message || t.failedToSaveYourProfile)
  }
  return (
    <form
      ref={form}
      noValidate
      className="grid max-w-130 gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t.firstName}
          autoComplete="given-name"
          maxLength={150}
          value={values.firstName}
          onChange={(firstName) => setValues({ ...values, firstName })}
          error={wrong.firstName ?? fieldError(save.error, 'first_name')}
        />
        <TextField
          label={t.lastName}
          autoComplete="family-name"
          maxLength={150}
          value={values.lastName}
          onChange={(lastName) => setValues({ ...values, lastName })}
          error={wrong.lastName ?? fieldError(save.error, 'last_name')}
        />
      </div>
      <TextField
        label={t.email}
        type="email"
        value={profile.email}
        onChange={() => undefined}
        readOnly
        hint={t.theAddressCannotBeChanged}
      />
      <div className="rounded-card bg-wash px-4 py-3">
        <SwitchRow
          label={t.newsletter}
          description={t.aFewLettersAYearReleases}
          checked={values.newsletter}
          onChange={(newsletter) => setValues({ ...values, newsletter })}
        />
      </div>
      <div>
        <Button type="submit" look="primary" busy={save.busy} busyLabel={t.saving}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}
