/** Account endpoints. */
import { isLanguage } from '#contract/languages.ts'
import type { Language } from '#contract/languages.ts'
import { browserLanguage } from '#backend/http/browser-language.ts'
import type { FastifyPluginAsync } from 'fastify'
import {
  confirmPrivacyTerms,
  deleteAccount,
  describeAccountDeletion,
  getProfile,
  install as installEndpoint,
  login,
  logout,
  mailDeletionCode,
  refreshToken,
  updateProfile,
  verifyToken,
} from '#contract/accounts.ts'
import type { Profile as WireProfile } from '#contract/accounts.ts'
import { AppError } from '#backend/errors.ts'
import { instant, instantOrNull } from '#backend/http/instants.ts'
import { SIGN_IN_LIMITS, addressTries, callerAddress, callerNetwork, callerOf } from '#backend/http/rate-limits.ts'
import type { RateLimits } from '#backend/http/rate-limits.ts'
import { route } from '#backend/http/route.ts'
import type { AccountDeletion } from './delete-account.ts'
import type { Install } from './install.ts'
import type { Profile, User } from './profile.ts'
import type { Sessions } from './sessions.ts'

export function accountRoutes({ deletion, install, isLoginEnabled, limits, profile, sessions }: AccountNeeds): FastifyPluginAsync {
  return async (app) => {
    route(
      app,
      installEndpoint,
      async ({ body, request }) => {
        await limits.takeAll(addressTries('install', SIGN_IN_LIMITS.install, request.ip))
        const { email, password, newsletter_confirmed: newsletterConfirmed, analytics_confirmed: analyticsConfirmed } = body
        await install.install({ email, password, newsletterConfirmed, analyticsConfirmed }, callerNetwork(request.ip))
      },
      { permit: install.onlyOnce },
    )

    route(
      app,
      login,
      async ({ body, request }) => {
        const giveBack = await takeLogin(request.ip, body.email.toLowerCase())
        const pair = await sessions.login(body, callerOf(request.ip))
        giveBack()
        return pair
      },
      { permit: onlyWithLogin },
    )
    route(app, refreshToken, async ({ body, request }) => {
      await limits.takeAll(addressTries('token', SIGN_IN_LIMITS.token, request.ip))
      return sessions.refresh(body.refresh)
    })
    route(app, verifyToken, async ({ body, request }) => {
      await limits.takeAll(addressTries('token', SIGN_IN_LIMITS.token, request.ip))
      await sessions.verify(body.token)
      return {}
    })
    route(app, logout, ({ body }) => sessions.end(body.refresh))

    route(app, getProfile, async ({ actor }) => presentProfile(await profile.read(actor.userId)))
    route(app, updateProfile, async ({ actor, body }) => {
      if (body.password !== undefined || body.current_password !== undefined)
        await limits.take('passwordChange', SIGN_IN_LIMITS.passwordChange, actor.userId)
      return presentProfile(await profile.change(actor.userId, profileChange(body)))
    })
    route(app, describeAccountDeletion, async ({ actor }) => {
      const { teams, memberships, apiKeys, obstacles } = await deletion.describe(actor.userId)
      return {
        teams: teams.map(({ id, name, otherMembers, runs, pages }) => ({ uuid: id, name, other_members: otherMembers, runs, pages })),
        memberships,
        api_keys: apiKeys,
        obstacles,
      }
    })
    route(app, mailDeletionCode, async ({ actor, request }) => {
      await limits.take('mailToEmail', SIGN_IN_LIMITS.mailToEmail, `delete ${actor.userId}`)
      return deletion.mailCode(actor.userId, browserLanguage(request))
    })
    route(app, deleteAccount, async ({ actor, body }) => {
      await limits.take('passwordChange', SIGN_IN_LIMITS.passwordChange, actor.userId)
      return deletion.remove(actor.userId, { currentPassword: body.current_password, code: body.code, deleteTeams: body.delete_teams })
    })
    route(app, confirmPrivacyTerms, async ({ actor, body }) => presentProfile(await profile.change(actor.userId, profileChange(body))))
  }

  function onlyWithLogin(): void {
    if (!isLoginEnabled) throw new AppError('forbidden')
  }

  /**
   * Counts a login before the password is checked; returns a function that takes it off the count again when the password was right.
   * Strangers can use up an account's common limit; a network address that has signed in to the account before has a limit of its own.
   */
  async function takeLogin(ip: string, email: string): Promise<() => void> {
    const address = callerAddress(ip)
    const giveOwnBack = await limits.takeAll([
      ...addressTries('loginFromAddress', SIGN_IN_LIMITS.loginFromAddress, ip),
      { name: 'loginOfEmailFromAddress', limit: SIGN_IN_LIMITS.loginOfEmailFromAddress, parts: [address, email] },
    ])
    try {
      const giveSharedBack = await limits.takeAll([{ name: 'loginOfEmail', limit: SIGN_IN_LIMITS.loginOfEmail, parts: [email] }])
      return () => (giveOwnBack(), giveSharedBack())
    } catch (error) {
      if (await sessions.hasSignedInFrom(email, address)) return giveOwnBack
      giveOwnBack()
      throw error
    }
  }
}

type AccountNeeds = {
  deletion: AccountDeletion
  install: Install
  isLoginEnabled: boolean
  limits: RateLimits
  profile: Profile
  sessions: Sessions
}

type WireChange = {
  first_name?: string | undefined
  last_name?: string | undefined
  newsletter_confirmed?: boolean | undefined
  language?: Language | null | undefined
  privacy_confirmed?: boolean | undefined
  terms_confirmed?: boolean | undefined
  password?: string | undefined
  current_password?: string | undefined
}

const profileChange = (body: WireChange) => ({
  firstName: body.first_name,
  lastName: body.last_name,
  newsletterConfirmed: body.newsletter_confirmed,
  language: body.language,
  confirmsPrivacy: body.privacy_confirmed,
  confirmsTerms: body.terms_confirmed,
  password: body.password,
  currentPassword: body.current_password,
})

const presentProfile = (user: User): WireProfile => ({
  uuid: user.id,
  email: user.email,
  first_name: user.firstName,
  last_name: user.lastName,
  full_name: [user.firstName, user.lastName].filter(Boolean).join(' ') || user.email,
  privacy_confirmed_at: instantOrNull(user.privacyConfirmedAt),
  terms_confirmed_at: instantOrNull(user.termsConfirmedAt),
  newsletter_confirmed: user.newsletterConfirmed === 1,
  language: isLanguage(user.language) ? user.language : null,
  email_verified: user.emailVerified === 1,
  is_provider_only: user.isProviderOnly,
  is_active: user.isActive === 1,
  is_superuser: user.isSuperuser === 1,
  created_at: instant(user.createdAt),
  updated_at: instant(user.updatedAt),
})
