import type { Config } from '#config/read-config.ts'
import { listenUrl } from './listen-url.ts'

type Signs = Pick<Config, 'githubClientId' | 'googleClientId' | 'loginEnabled' | 'newDatabase'> &
  Pick<Config, 'blobPlace' | 'host' | 'port' | 'publicUrl' | 'role' | 'smtpUrl'> &
  Parts
type Parts = Pick<
  Config,
  | 'enterpriseMode'
  | 'oidcIssuer'
  | 'oidcName'
  | 'oidcTrustEmail'
  | 'plansFile'
  | 'policyUpdatedAt'
  | 'policyUrl'
  | 'stripeSecretKey'
  | 'stripeWebhookSecret'
  | 'termsUpdatedAt'
  | 'termsUrl'
>

/**
 * What the log says at the start about options that are valid, but have an effect that the operator may not expect.
 *
 * @param isDatabaseThere  null if it is not known
 */
export function warningsOf(config: Signs, isDatabaseThere: boolean | null): string[] {
  const { githubClientId, googleClientId, loginEnabled, newDatabase, oidcIssuer } = config
  const warnings = []
  if (newDatabase && isDatabaseThere === true)
    warnings.push(
      'NEW_DATABASE is set, but there is a database: unset it, or a start after the loss of the database begins with an empty one',
    )
  if (!loginEnabled && [githubClientId, googleClientId, oidcIssuer].every((value) => value === undefined))
    warnings.push(
      'LOGIN_ENABLED is false, and none of GITHUB_CLIENT_ID, GOOGLE_CLIENT_ID and OIDC_ISSUER is set: nobody can sign in to the dashboard',
    )
  if (config.smtpUrl !== undefined && config.publicUrl === undefined)
    warnings.push(
      `SMTP_URL is set, but PUBLIC_URL is not: links in mails begin with ${listenUrl(config.host, config.port)}, which only this machine may reach`,
    )
  if ((config.role === 'api' || config.role === 'worker') && config.blobPlace === undefined)
    warnings.push(
      'BLOB_STORE is not set: files of pages, such as screenshots, stay on the worker that stored them, and cannot be downloaded',
    )
  const isSet = (value: unknown) => value !== undefined && value !== false
  for (const [name, value, needed, needs] of partsOf(config))
    if (isSet(value) && !isSet(needs)) warnings.push(`${name} is set, but has no effect without ${needed}`)
  return warnings
}

/** Options that only have an effect with another one. They may stay in the file while the other is switched off. */
const partsOf = (config: Parts): [name: string, value: unknown, needed: string, needs: unknown][] => [
  ['OIDC_NAME', config.oidcName, 'OIDC_ISSUER', config.oidcIssuer],
  ['OIDC_TRUST_EMAIL', config.oidcTrustEmail, 'OIDC_ISSUER', config.oidcIssuer],
  ['PLANS_FILE', config.plansFile, 'ENTERPRISE_MODE', config.enterpriseMode],
  ['STRIPE_SECRET_KEY', config.stripeSecretKey, 'ENTERPRISE_MODE', config.enterpriseMode],
  ['STRIPE_WEBHOOK_SECRET', config.stripeWebhookSecret, 'STRIPE_SECRET_KEY', config.stripeSecretKey],
  ['POLICY_UPDATED_AT', config.policyUpdatedAt, 'POLICY_URL', config.policyUrl],
  ['TERMS_UPDATED_AT', config.termsUpdatedAt, 'TERMS_URL', config.termsUrl],
]
