/** Endpoints for people who are not signed in: registration, mailed links, providers, invitations. */
import { createHash } from 'node:crypto'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import {
  checkPasswordReset,
  forgotPassword,
  readInvitation,
  register,
  registerInvited,
  resendVerifyEmail,
  resetPassword,
  signInWithProvider,
  startOidcSignIn,
  verifyEmail,
} from '#contract/accounts.ts'
import type { Registered as WireRegistered } from '#contract/accounts.ts'
import { AppError } from '#backend/errors.ts'
import { browserLanguage } from '#backend/http/browser-language.ts'
import { SIGN_IN_LIMITS, addressTries, callerAddress, callerNetwork } from '#backend/http/rate-limits.ts'
import type { RateLimits } from '#backend/http/rate-limits.ts'
import { route } from '#backend/http/route.ts'
import type { MailedLinks } from './mailed-links.ts'
import type { ProviderSignIn } from './provider-sign-in.ts'
import type { Registered, RegistrationVerbs } from './registration.ts'

/** @param hasSignedInFrom  whether a network address has signed in to the account of an email address before */
export function signUpRoutes({ hasSignedInFrom, limits, mailedLinks, providerSignIn, registration }: SignUpNeeds): FastifyPluginAsync {
  return async (app) => {
    route(
      app,
      register,
      async ({ body, request }) => {
        await countAccount(request, body.email)
        return presentRegistered(await registration.register(personOf(body), callerNetwork(request.ip), browserLanguage(request)))
      },
      { permit: registration.onlyWhileOpen },
    )
    route(app, readInvitation, async ({ params, request }) => {
      await countLink(request)
      const { email, isNewUser } = await registration.readInvitation(params.code)
      return { new_user: isNewUser, email, invitation_code: params.code }
    })
    route(app, registerInvited, async ({ body, params, request }) => {
      await countInvited(request, params.code)
      return presentRegistered(await registration.registerInvited(params.code, personOf(body), callerNetwork(request.ip)))
    })

    route(
      app,
      verifyEmail,
      async ({ params, request }) => {
        await countLink(request)
        return mailedLinks.verifyEmail(params.token, callerAddress(request.ip))
      },
      { isOneTime: true },
    )
    route(app, resendVerifyEmail, async ({ body, request }) => {
      await countMail(request, body.email)
      return mailedLinks.resendVerification(body.email, browserLanguage(request))
    })

    route(app, forgotPassword, async ({ body, request }) => {
      await countMail(request, body.email)
      return mailedLinks.forgotPassword(body.email, browserLanguage(request))
    })
    route(app, checkPasswordReset, async ({ params, request }) => {
      await countLink(request)
      if (!(await mailedLinks.isResetGood(params.token))) throw new AppError('not_found')
    })
    route(app, resetPassword, async ({ body, params, request }) => {
      await countLink(request)
      return mailedLinks.resetPassword(params.token, body.password, callerNetwork(request.ip))
    })

    route(app, signInWithProvider, async ({ body, request }) => {
      await countLink(request)
      const { iss: issuer, provider, ticket, token } = body
      return providerSignIn.signIn(provider, { issuer, ticket, token }, callerAddress(request.ip))
    })
    route(
      app,
      startOidcSignIn,
      async ({ body, request }) => {
        await countLink(request)
        const { authorizationUrl, ticket } = await providerSignIn.start(body.state, body.redirect_uri)
        return { authorization_url: authorizationUrl, ticket }
      },
      { permit: providerSignIn.onlyWithOidc },
    )
  }

  /** By email with a narrow limit for each network and a wide one for all, so that one stranger cannot lock out the owner of the address. */
  async function countAccount({ ip }: FastifyRequest, email: string) {
    const address = email.toLowerCase()
    await limits.takeAll([
      ...addressTries('registrationFromAddress', SIGN_IN_LIMITS.registrationFromAddress, ip),
      {
        name: 'registrationOfEmailFromNetwork',
        limit: SIGN_IN_LIMITS.registrationOfEmailFromNetwork,
        parts: [callerNetwork(ip), address],
      },
      { name: 'registrationOfEmail', limit: SIGN_IN_LIMITS.registrationOfEmail, parts: [address] },
    ])
  }

  /** By the code of the invitation, which strangers do not know, instead of the address, which they may. Redis keeps only its hash. */
  async function countInvited({ ip }: FastifyRequest, code: string) {
    await limits.takeAll([
      ...addressTries('registrationFromAddress', SIGN_IN_LIMITS.registrationFromAddress, ip),
      { name: 'registrationOfInvitation', limit: SIGN_IN_LIMITS.registrationOfInvitation, parts: [hashOf(code)] },
    ])
  }

  /**
   * Strangers can use up the limit of mails to an address; a network address that has signed in to the account before has a limit of its
   * own.
   */
  async function countMail({ ip }: FastifyRequest, email: string) {
    const [fromAddress, address] = [addressTries('mailFromAddress', SIGN_IN_LIMITS.mailFromAddress, ip), email.toLowerCase()]
    try {
      await limits.takeAll([...fromAddress, { name: 'mailToEmail', limit: SIGN_IN_LIMITS.mailToEmail, parts: [address] }])
    } catch (error) {
      if (!(await hasSignedInFrom(address, callerAddress(ip)))) throw error
      const known = { name: 'mailToEmailFromKnownAddress', limit: SIGN_IN_LIMITS.mailToEmailFromKnownAddress }
      await limits.takeAll([...fromAddress, { ...known, parts: [callerAddress(ip), address] }])
    }
  }

  async function countLink({ ip }: FastifyRequest) {
    await limits.takeAll(addressTries('linkFromAddress', SIGN_IN_LIMITS.linkFromAddress, ip))
  }
}

type SignUpNeeds = {
  hasSignedInFrom: (email: string, address: string) => Promise<boolean>
  limits: RateLimits
  mailedLinks: MailedLinks
  providerSignIn: ProviderSignIn
  registration: RegistrationVerbs
}

const hashOf = (code: string) => createHash('sha256').update(code).digest('base64url')

const personOf = (body: { email: string; password: string; first_name: string; last_name: string }) => ({
  email: body.email,
  password: body.password,
  firstName: body.first_name,
  lastName: body.last_name,
})

const presentRegistered = (person: Registered): WireRegistered => ({
  email: person.email,
  first_name: person.firstName,
  last_name: person.lastName,
  email_verified: person.emailVerified,
})
