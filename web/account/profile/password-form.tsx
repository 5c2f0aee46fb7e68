/** A new password. It ends every session of the account, so this one is signed in again at once and the person stays where they are. */
import { useRef, useState } from 'react'
import { updateProfile } from '#contract/accounts.ts'
import { fieldError } from '#web/api/field-error.ts'
import { useAction } from '#web/api/hooks.ts'
import { logOut } from '#web/account/session/log-out.ts'
import { Button } from '#web/ui/form/button.tsx'
import { PasswordField } from '#web/ui/form/field.tsx'
import { PasswordStrength } from '#web/ui/form/password-strength.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/profile.ts'
import { focusFirstError } from './focus-first-error.ts'
import { passwordChangeErrors } from './profile-form.ts'
import { signInAgain } from './sign-in-again.ts'

const NO_PASSWORDS = { current: '', password: '', confirmation: '' }

/**
 * @param email        whose password it is, for the browser's own store of passwords
 * @param hasPassword  whether there is a current one; an account that a sign-in provider made has none
 */
export function PasswordForm({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const [values, setValues] = useState(NO_PASSWORDS)
  const [isTried, setTried] = useState(false)
  const change = useAction(updateProfile)
  const form = useRef<HTMLFormElement>(null)
  const faults = passwordChangeErrors(values, hasPassword)
  const wrong = isTried ? faults : {}
  const set = (name: keyof typeof NO_PASSWORDS) => (value: string) => setValues({ ...values, [name]: value })
  const submit = async () => {
    if (change.busy) return
    setTried(true)
    if (Object.keys(faults).length > 0) return focusFirstError(form)
    const outcome = await change.run({
      body: { password: values.password, ...(hasPassword && { current_password: values.current }) },
    })
    if (!outcome.ok) {
      if (fieldError(outcome.error, 'current_password') ?? fieldError(outcome.error, 'password')) focusFirstError(form)
      else toast.error(outcome.error.message || t.failedToChangeThePassword)
      return
    }
    if (await signInAgain(email, values.password)) toast.success(t.passwordChanged)
    else {
      toast.blank(t.passwordChangedPleaseSignInWith)
      logOut()
    }
    setValues(NO_PASSWORDS)
    setTried(false)
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
      {/* Tells a password manager whose password changes. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {hasPassword && (
        <PasswordField
          label={t.currentPassword}
          autoComplete="current-password"
          value={values.current}
          onChange={set('current')}
          error={wrong.current ?? fieldError(change.error, 'current_password')}
        />
      )}
      <div className="grid gap-3">
        <PasswordField
          label={t.newPassword}
          autoComplete="new-password"
          value={values.password}
          onChange={set('password')}
          error={wrong.password ?? fieldError(change.error, 'password')}
        />
        {values.password !== '' && <PasswordStrength value={values.password} />}
      </div>
      <PasswordField
        label={t.confirmNewPassword}
        autoComplete="new-password"
        value={values.confirmation}
        onChange={set('confirmation')}
        error={wrong.confirmation}
      />
      <div>
        <Button type="submit" busy={change.busy} busyLabel={t.changing}>
          {hasPassword ? t.changePassword : t.setPassword}
        </Button>
      </div>
    </form>
  )
}
