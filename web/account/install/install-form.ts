/** Rules of the install form: validation, and which of the server's messages to show. Pure. */
import { objectOf } from '#web/api/json-object.ts'
import { confirmationError, emailError, foundErrors, passwordError } from '#web/account/session/account-rules.ts'
import * as t from '#texts/install.ts'

export type InstallValues = {
  email: string
  password: string
  confirmation: string
  license: boolean
  newsletter: boolean
  analytics: boolean
}

export const EMPTY_INSTALL: InstallValues = {
  email: '',
  password: '',
  confirmation: '',
  license: false,
  newsletter: false,
  analytics: false,
}

export type InstallErrors = { [Name in 'email' | 'password' | 'confirmation' | 'license']?: string }

export const INSTALL_FAILED = t.anErrorOccurredDuringInstallationPlease

/** The first error of each value. */
export const installErrors = ({ email, password, confirmation, license }: InstallValues): InstallErrors =>
  foundErrors({
    email: emailError(email),
    password: passwordError(password),
    confirmation: confirmationError(confirmation, password),
    license: license ? undefined : t.youMustAcceptTheLicenseAgreement,
  })

/** The request: confirmation and licence are not sent. */
export const installBody = ({ email, password, newsletter, analytics }: InstallValues) => ({
  email: email.trim(),
  password,
  newsletter_confirmed: newsletter,
  analytics_confirmed: analytics,
})

/** The message for a refused installation: the email's error, else the password's, else the first error, else the message. */
export function installFailure(status: number, body: { errors?: unknown; message?: unknown }): string {
  if (status !== 400) return INSTALL_FAILED
  const errors = objectOf(body.errors)
  const values = [errors['email'], errors['password'], ...Object.values(errors)]
  const message = typeof body.message === 'string' && body.message.trim() !== '' ? body.message : undefined
  return values.map(firstText).find((text) => text !== undefined) ?? message ?? INSTALL_FAILED
}

/** A text, or the first of a list of texts. */
function firstText(value: unknown): string | undefined {
  const text: unknown = Array.isArray(value) ? value[0] : value
  return typeof text === 'string' && text !== '' ? text : undefined
}
