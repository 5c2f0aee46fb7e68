/** The signed-in user's name, email address and newsletter choice. */
import { getProfile, updateProfile } from '#contract/accounts.ts'
import type { Profile } from '#contract/accounts.ts'
import { useAction } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import { Button } from '#web/ui/form/button.tsx'
import { SwitchRow } from '#web/ui/form/choice.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/profile.ts'
import { nameErrors } from './profile-form.ts'

export function AboutForm({ profile }: { profile: Profile }) {
  const save = useAction(updateProfile, { refreshes: [getProfile] })
  const { attempt, check, field, form, values } = useForm({
    initial: { firstName: profile.first_name, lastName: profile.last_name, newsletter: profile.newsletter_confirmed },
    judge: nameErrors,
    shows: 'left',
    submissions: [save],
    serverNames: { firstName: 'first_name', lastName: 'last_name' },
  })
  const send = async () => {
    if (save.busy) return
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
        attempt(() => void send())
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={t.firstName} autoComplete="given-name" maxLength={150} {...field('firstName')} />
        <TextField label={t.lastName} autoComplete="family-name" maxLength={150} {...field('lastName')} />
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
        <SwitchRow label={t.newsletter} description={t.aFewEmailsAYearReleases} {...check('newsletter')} />
      </div>
      <div>
        <Button type="submit" look="primary" busy={save.busy} busyLabel={t.saving}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}
