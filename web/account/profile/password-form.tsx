/** Changes the password. That ends every session of the account, so the form signs in again at once and the user stays on the page. */
import { updateProfile } from '#contract/accounts.ts'
import { fieldError } from '#web/api/field-error.ts'
import { useAction } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import { logOut } from '#web/account/session/log-out.ts'
import { Button } from '#web/ui/form/button.tsx'
import { PasswordField } from '#web/ui/form/field.tsx'
import { PasswordStrength } from '#web/ui/form/password-strength.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/profile.ts'
import { passwordChangeErrors } from './profile-form.ts'
import { signInAgain } from './sign-in-again.ts'

const NO_PASSWORDS = { current: '', password: '', confirmation: '' }

/**
 * @param email        for the browser's password manager
 * @param hasPassword  whether there is a current password; an account of a sign-in provider has none
 */
export function PasswordForm({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const change = useAction(updateProfile)
  const { attempt, field, form, restart, values } = useForm({
    initial: NO_PASSWORDS,
    judge: (typed) => passwordChangeErrors(typed, hasPassword),
    shows: 'left',
    submissions: [change],
    serverNames: { current: 'current_password' },
  })
  const send = async () => {
    if (change.busy) return
    const outcome = await change.run({
      body: { password: values.password, ...(hasPassword && { current_password: values.current }) },
    })
    if (!outcome.ok) {
      const isShown = fieldError(outcome.error, 'current_password') ?? fieldError(outcome.error, 'password')
      if (!isShown) toast.error(outcome.error.message || t.failedToChangeThePassword)
      return
    }
    if (await signInAgain(email, values.password)) toast.success(t.passwordChanged)
    else {
      toast.blank(t.passwordChangedPleaseSignInWith)
      logOut()
    }
    restart()
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
      {/* Tells a password manager which account's password changes. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {hasPassword && <PasswordField label={t.currentPassword} autoComplete="current-password" {...field('current')} />}
      <div className="grid gap-3">
        <PasswordField label={t.newPassword} autoComplete="new-password" {...field('password')} />
        {values.password !== '' && <PasswordStrength value={values.password} />}
      </div>
      <PasswordField label={t.confirmNewPassword} autoComplete="new-password" {...field('confirmation')} />
      <div>
        <Button type="submit" busy={change.busy} busyLabel={t.changing}>
          {hasPassword ? t.changePassword : t.setPassword}
        </Button>
      </div>
    </form>
  )
}
