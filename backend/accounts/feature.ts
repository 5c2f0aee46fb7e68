/** Accounts: installation, sign-in and sign-up, profiles, and deletion. */
import type { BackendConfig } from '#backend/config.ts'
import { createOperatorClient } from '#backend/crawler/fetch/operator-client.ts'
import { createSealer, keyedHash } from '#backend/platform/secrets.ts'
import type { Ports } from '#backend/ports.ts'
import type { Mails } from '#backend/mails/mails.ts'
import { createClaim } from './claim-account.ts'
import { createAccountDeletion } from './delete-account.ts'
import { createInstall } from './install.ts'
import { createMailedLinks } from './mailed-links.ts'
import { createOneTimeLinks } from './one-time-links.ts'
import { createPasswordWords } from './password-words.ts'
import { createPasswords } from './passwords.ts'
import type { HashCost } from './passwords.ts'
import { createProfile } from './profile.ts'
import { createProviderSignIn } from './provider-sign-in.ts'
import { configuredOidc, configuredProviders } from './providers/configured.ts'
import { createRegistration } from './registration.ts'
import { accountRoutes } from './routes.ts'
import { createSessions } from './sessions.ts'
import { signUpRoutes } from './sign-up-routes.ts'
import { createTokens } from './tokens.ts'

type Needs<F extends (needs: never) => unknown> = Parameters<F>[0]

type Others = {
  withdrawInvitations: Needs<typeof createClaim>['withdrawInvitations']
  endKeys: Needs<typeof createClaim>['endKeys'] & Needs<typeof createAccountDeletion>['endKeys']
  createDefaultTeam: Needs<typeof createInstall>['createDefaultTeam']
  hashCost?: HashCost | undefined
  invitations: Needs<typeof createRegistration>['invitations']
  isBilled: Needs<typeof createAccountDeletion>['isBilled']
  mails: Mails
  onDeleting: Needs<typeof createAccountDeletion>['onDeleting']
  onInstalled: () => void
  teamDeletion: Needs<typeof createAccountDeletion>['teams']
}

/** The operator names only the issuer of the OpenID provider; its configuration names the servers to call. */
const ANY_SERVER = { allow: '0.0.0.0/0,[::]/0', resolver: null }

/** Its functions and routes; `close` ends the connections to identity providers. */
export function accountsFeature(config: BackendConfig, ports: Ports, others: Others) {
  const { database, keyFor, limits, newId, now, outbox, warn } = ports
  const { endKeys, hashCost, invitations, mails } = others
  const passwords = createPasswords({ ...(hashCost && { cost: hashCost }) })
  const passwordWords = createPasswordWords({ productName: config.productName })
  const tokens = createTokens({
    accessSeconds: config.accessTokenSeconds,
    key: keyFor('access and refresh tokens'),
    now,
    refreshSeconds: config.refreshTokenSeconds,
  })
  const addressHashKey = keyFor('network addresses')
  const sessions = createSessions({ database, hashAddress: (address) => keyedHash(addressHashKey, address), now, passwords, tokens })
  const linkHashKey = keyFor('one-time links')
  const oneTimeLinks = createOneTimeLinks({ database, hash: (text) => keyedHash(linkHashKey, text), now })
  const claim = createClaim({
    endKeys,
    endSessions: sessions.forgetAllOf,
    now,
    withdrawInvitations: others.withdrawInvitations,
    withdrawLinks: oneTimeLinks.withdraw,
  })
  const hasNothingToConfirm = config.policyUrl === undefined && config.termsUrl === undefined
  const install = createInstall({
    createDefaultTeam: others.createDefaultTeam,
    database,
    hasNothingToConfirm,
    newId,
    now,
    onInstalled: others.onInstalled,
    passwords,
    passwordWords,
  })
  const profile = createProfile({
    database,
    endSessions: sessions.endAllOf,
    now,
    passwords,
    passwordWords,
    withdrawLinks: oneTimeLinks.withdraw,
  })
  const registration = createRegistration({
    database,
    hasNothingToConfirm,
    invitations,
    isInstalled: () => install.isInstalled(),
    isSignupEnabled: config.signupEnabled,
    links: oneTimeLinks,
    mails,
    newId,
    now,
    passwords,
    passwordWords,
    queueMail: outbox.queue,
    sendsMail: config.smtpUrl !== undefined,
  })
  const mailedLinks = createMailedLinks({
    claim,
    database,
    links: oneTimeLinks,
    mails,
    now,
    passwords,
    passwordWords,
    queueMail: outbox.queue,
    sessions,
  })
  const signInClient = createOperatorClient({
    origins: [config.githubApiUrl, config.githubOauthUrl, config.googleApiUrl, config.googleOauthUrl],
    userAgent: `${config.productName}/${config.version}`,
  })
  const oidcClient = createOperatorClient({ door: ANY_SERVER, origins: [], userAgent: `${config.productName}/${config.version}` })
  const oidc = configuredOidc(config, { ask: oidcClient.ask, now, sealer: createSealer(keyFor('sealing')), warn })
  const providerSignIn = createProviderSignIn({
    claim,
    database,
    hasNothingToConfirm,
    isInstalled: install.isInstalled,
    isSignupEnabled: config.signupEnabled,
    newId,
    now,
    oidc,
    providers: configuredProviders({ ...config, ask: signInClient.ask, now, oidc }),
    sessions,
  })
  const deletion = createAccountDeletion({
    database,
    endKeys,
    isBilled: others.isBilled,
    links: oneTimeLinks,
    mails,
    onDeleting: others.onDeleting,
    passwords,
    queueMail: outbox.queue,
    teams: others.teamDeletion,
    withdrawInvitations: others.withdrawInvitations,
  })
  return {
    install,
    sessions,
    routes: [
      accountRoutes({ deletion, install, isLoginEnabled: config.loginEnabled, limits, profile, sessions }),
      signUpRoutes({ hasSignedInFrom: sessions.hasSignedInFrom, limits, mailedLinks, providerSignIn, registration }),
    ],
    close: async () => void (await Promise.all([signInClient.close(), oidcClient.close()])),
  }
}
