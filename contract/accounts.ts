/** Install, registration, links of mails, login, session, profile. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { LANGUAGES } from './languages.ts'
import { email, flag, httpUrl, oneOf, shape, text } from './fields.ts'

const USER = '/api/v1/user'
const TAG = 'Account'

const password = () => text({ max: 1024, trim: false })

export const install = endpoint({
  method: 'POST',
  path: `${USER}/install/`,
  access: 'public',
  tag: TAG,
  summary: "Create the administrator's account (once)",
  body: shape({
    email: email(),
    password: password(),
    newsletter_confirmed: z._default(flag(), false),
    analytics_confirmed: z._default(flag(), false),
  }),
  status: 204,
})

const tokenPair = z.object({ access: z.string(), refresh: z.string() })
export type TokenPair = z.output<typeof tokenPair>

export const login = endpoint({
  method: 'POST',
  path: `${USER}/auth/login/`,
  access: 'public',
  tag: TAG,
  summary: 'Sign in with e-mail address and password',
  body: shape({ email: email(), password: password() }),
  answer: tokenPair,
})

const registration = () =>
  shape({
    email: email(),
    password: password(),
    first_name: z._default(text({ max: 150, blank: true }), ''),
    last_name: z._default(text({ max: 150, blank: true }), ''),
  })

const registered = z.object({ email: z.string(), first_name: z.string(), last_name: z.string(), email_verified: z.boolean() })
export type Registered = z.output<typeof registered>

export const register = endpoint({
  method: 'POST',
  path: `${USER}/auth/register/`,
  access: 'public',
  tag: TAG,
  summary: 'Create an account; a mail asks to verify its address',
  description: 'Where the server sends no mail, the account may sign in at once. 403 while sign-up is switched off.',
  body: registration(),
  answer: registered,
  status: 201,
})

export const verifyEmail = endpoint({
  method: 'GET',
  path: `${USER}/auth/verify-email/{token}/`,
  access: 'public',
  tag: TAG,
  summary: 'Verify an address by the token from the mail, and sign in',
  answer: tokenPair,
})

export const resendVerifyEmail = endpoint({
  method: 'POST',
  path: `${USER}/auth/resend-verify-email/`,
  access: 'public',
  tag: TAG,
  summary: 'Mail the link that verifies an address again',
  body: shape({ email: email() }),
  status: 204,
})

/** The ways to sign in with an account elsewhere, and what `token` holds in each. */
export const OAUTH_PROVIDERS = ['github', 'google', 'google-signin', 'oidc'] as const

export const signInWithProvider = endpoint({
  method: 'POST',
  path: `${USER}/auth/oauth/`,
  access: 'public',
  tag: TAG,
  summary: 'Sign in with an account of GitHub, Google or the server’s OpenID provider',
  description:
    'The token is the authorisation code (`github`, `oidc`), the access token (`google`) or the signed id token (`google-signin`). `oidc` also needs the ticket of the start, and the `iss` of the return if there is one. 403 while the provider is switched off.',
  body: shape({
    provider: oneOf(OAUTH_PROVIDERS),
    token: text({ max: 8192 }),
    ticket: z.optional(text({ max: 8192 })),
    iss: z.optional(text({ max: 2048 })),
  }),
  answer: tokenPair,
})

/** The library repeats it in the token request as browsers write it, without a query; providers compare both as texts. */
const redirectUri = () =>
  httpUrl().check(
    z.refine((value) => URL.parse(value)?.href === value && !/[?#]/.test(value), {
      error: 'Enter the URL as browsers write it, without a query and a fragment.',
    }),
  )

export const startOidcSignIn = endpoint({
  method: 'POST',
  path: `${USER}/auth/oidc/start/`,
  access: 'public',
  tag: TAG,
  summary: 'Begin to sign in with the server’s OpenID provider',
  description:
    'Open `authorization_url`. The provider returns to `redirect_uri`, which must be registered there, with `state` and a code. Send the code within 30 minutes as the token of a sign-in with `oidc`. 403 if no provider is configured.',
  body: shape({ state: text({ max: 255 }), redirect_uri: redirectUri() }),
  answer: z.object({ authorization_url: z.string(), ticket: z.string() }),
})

export const forgotPassword = endpoint({
  method: 'POST',
  path: `${USER}/auth/forgot-password/`,
  access: 'public',
  tag: TAG,
  summary: 'Mail a link to set a new password',
  body: shape({ email: email() }),
  status: 204,
})

export const checkPasswordReset = endpoint({
  method: 'GET',
  path: `${USER}/auth/reset-password/{token}/`,
  access: 'public',
  tag: TAG,
  summary: 'Check whether a password reset token is still valid',
  status: 204,
})

export const resetPassword = endpoint({
  method: 'POST',
  path: `${USER}/auth/reset-password/{token}/`,
  access: 'public',
  tag: TAG,
  summary: 'Set a new password with the token from the mail; ends all sessions',
  body: shape({ password: password() }),
  status: 204,
})

export const readInvitation = endpoint({
  method: 'GET',
  path: `${USER}/auth/invitation/{code}/`,
  access: 'public',
  tag: TAG,
  summary: 'Who an invitation is for, and whether they have an account',
  answer: z.object({ new_user: z.boolean(), email: z.string(), invitation_code: z.string() }),
})

export const registerInvited = endpoint({
  method: 'POST',
  path: `${USER}/auth/invitation/{code}/`,
  access: 'public',
  tag: TAG,
  summary: 'Create the account of an invited person and join the team',
  description: 'Also while sign-up is switched off. The address is verified by the invitation.',
  body: registration(),
  answer: registered,
  status: 201,
})

export const refreshToken = endpoint({
  method: 'POST',
  path: `${USER}/auth/token/refresh/`,
  access: 'public',
  tag: TAG,
  summary: 'A new access token for a refresh token',
  body: shape({ refresh: text({ max: 4096 }) }),
  answer: z.object({ access: z.string() }),
})

export const verifyToken = endpoint({
  method: 'POST',
  path: `${USER}/auth/token/verify/`,
  access: 'public',
  tag: TAG,
  summary: 'Check whether a token is valid',
  body: shape({ token: text({ max: 4096 }) }),
  answer: z.object({}),
})

export const logout = endpoint({
  method: 'POST',
  path: `${USER}/auth/logout/`,
  access: 'public',
  tag: TAG,
  summary: 'End the session of a refresh token',
  body: shape({ refresh: z.optional(z.unknown()) }),
  status: 204,
})

export const profile = z.object({
  uuid: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  full_name: z.string(),
  privacy_confirmed_at: z.nullable(z.string()),
  terms_confirmed_at: z.nullable(z.string()),
  newsletter_confirmed: z.boolean(),
  /** The language of the dashboard and the mails; null for the browser's. Other backends do not send it. */
  language: z.optional(z.nullable(z.enum(LANGUAGES))),
  email_verified: z.boolean(),
  /** Other backends do not send it. */
  is_provider_only: z.optional(z.boolean()),
  is_active: z.boolean(),
  is_superuser: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Profile = z.output<typeof profile>

export const getProfile = endpoint({
  method: 'GET',
  path: `${USER}/profile/`,
  access: 'user',
  tag: TAG,
  summary: 'Your profile',
  answer: profile,
})

export const updateProfile = endpoint({
  method: 'PATCH',
  path: `${USER}/profile/`,
  access: 'user',
  tag: TAG,
  summary: 'Change your profile, password or confirmations',
  description: 'A new password requires the current one if the account has one.',
  body: shape({
    first_name: z.optional(text({ max: 150, blank: true })),
    last_name: z.optional(text({ max: 150, blank: true })),
    newsletter_confirmed: z.optional(flag()),
    language: z.optional(z.nullable(oneOf(LANGUAGES))),
    privacy_confirmed: z.optional(flag()),
    terms_confirmed: z.optional(flag()),
    password: z.optional(password()),
    current_password: z.optional(text({ max: 1024, trim: false, blank: true })),
  }),
  answer: profile,
})

/** What a deletion of the account deletes, and what prevents it. */
export const accountContents = z.object({
  /** Teams that the account owns; the deletion deletes them too. */
  teams: z.array(
    z.object({
      uuid: z.string(),
      name: z.string(),
      /** Other members, who lose the team's data. */
      other_members: z.int(),
      runs: z.int(),
      pages: z.int(),
    }),
  ),
  /** Teams of others, which the account leaves. */
  memberships: z.int(),
  /** API keys that the account created in those teams; they stop working. */
  api_keys: z.int(),
  /** Reasons to refuse the deletion, as sentences for people; empty if it is possible. */
  obstacles: z.array(z.string()),
})
export type AccountContents = z.output<typeof accountContents>

export const describeAccountDeletion = endpoint({
  method: 'GET',
  path: `${USER}/profile/deletion/`,
  access: 'user',
  tag: TAG,
  summary: 'What deleting your account would remove, and what prevents it',
  answer: accountContents,
})

export const mailDeletionCode = endpoint({
  method: 'POST',
  path: `${USER}/profile/deletion/code/`,
  access: 'user',
  tag: TAG,
  summary: 'Mail a code for deleting your account, for accounts without a password',
  status: 204,
})

export const deleteAccount = endpoint({
  method: 'DELETE',
  path: `${USER}/profile/`,
  access: 'user',
  tag: TAG,
  summary: 'Delete your account and the teams that it owns',
  description:
    'Needs the current password, or a code that was mailed. If a team of the account has other members, `delete_teams` must confirm its deletion; otherwise the answer is 409 and names the teams. Also 409 if a team pays for a plan, and for the only administrator of the installation. Invitations that the user sent and nobody has accepted are withdrawn.',
  body: shape({
    current_password: z.optional(text({ max: 1024, trim: false, blank: true })),
    code: z.optional(text({ max: 255 })),
    delete_teams: z._default(flag(), false),
  }),
  status: 204,
})

export const confirmPrivacyTerms = endpoint({
  method: 'POST',
  path: `${USER}/auth/confirm-privacy-terms/`,
  access: 'user',
  tag: TAG,
  summary: 'Confirm the privacy policy and the terms of service',
  body: z.prefault(
    shape({
      privacy_confirmed: z._default(flag(), true),
      terms_confirmed: z._default(flag(), true),
      newsletter_confirmed: z.optional(flag()),
    }),
    {},
  ),
  answer: profile,
})
