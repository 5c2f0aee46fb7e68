/** Rules of the sign-up form. Pure. */
import * as t from '#texts/session.ts'
import { emailError, foundErrors, passwordError } from './account-rules.ts'

export type SignUpValues = { firstName: string; lastName: string; email: string; password: string }

export type SignUpErrors = { [Name in keyof SignUpValues]?: string }

export const EMPTY_SIGN_UP: SignUpValues = { firstName: '', lastName: '', email: '', password: '' }

export const SIGN_UP_FAILED = t.anErrorOccurredDuringSignUp

/** Fields with their own messages from the server. */
export const SIGN_UP_FIELDS = ['first_name', 'last_name', 'email', 'password'] as const

export const signUpErrors = ({ firstName, lastName, email, password }: SignUpValues): SignUpErrors =>
  foundErrors({
    firstName: firstName.trim() === '' ? t.firstNameIsRequired : undefined,
    lastName: lastName.trim() === '' ? t.lastNameIsRequired : undefined,
    email: emailError(email),
    password: passwordError(password),
  })

export const signUpBody = ({ firstName, lastName, email, password }: SignUpValues) => ({
  email: email.trim(),
  password,
  first_name: firstName.trim(),
  last_name: lastName.trim(),
})
