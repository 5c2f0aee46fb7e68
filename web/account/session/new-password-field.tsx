/** The field for a new password: hidden or visible, with its strength and the rules that it fulfils. */
import { PasswordField } from '#web/ui/form/field.tsx'
import type { TextFieldProps } from '#web/ui/form/field.tsx'
import { PasswordStrength } from '#web/ui/form/password-strength.tsx'

export function NewPasswordField(props: Omit<TextFieldProps, 'type' | 'suffix'>) {
  return (
    <div className="grid gap-3">
      <PasswordField name="password" autoComplete="new-password" {...props} />
      <PasswordStrength value={props.value} />
    </div>
  )
}
