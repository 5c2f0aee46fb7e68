/** The public settings, from the configuration and from whether the product is installed. */
import { sendMcpMessage } from '#contract/mcp.ts'
import type { Settings } from '#contract/settings.ts'
import { instant } from '#backend/http/instants.ts'

/** Settings of the operator that everyone may know. Instants are ISO 8601 texts. */
type PublicSettings = {
  analyticsId: string | undefined
  githubClientId: string | undefined
  googleClientId: string | undefined
  isEnterprise: boolean
  isLoginEnabled: boolean
  isSignupEnabled: boolean
  isMailConfigured: boolean
  isOidcConfigured: boolean
  isRenderingConfigured: boolean
  isSearchConfigured: boolean
  maxCrawlConcurrency: number
  maxUploadUrls: number
  /** The OpenID provider's name for people. */
  oidcName: string | undefined
  policyUpdatedAt: string | undefined
  policyUrl: string | undefined
  termsUpdatedAt: string | undefined
  termsUrl: string | undefined
  version: string
}

export function createSettings({ isInstalled, known }: { isInstalled: () => Promise<boolean>; known: PublicSettings }) {
  // Cached, because it never becomes false again, and every visit asks, even while the database is busy.
  let wasInstalled = false
  return { read }

  async function read(): Promise<Settings> {
    wasInstalled ||= await isInstalled()
    return {
      is_installed: wasInstalled,
      is_enterprise_mode_active: known.isEnterprise,
      api_version: known.version,
      google_analytics_id: known.analyticsId ?? '',
      policy_url: known.policyUrl ?? '',
      terms_url: known.termsUrl ?? '',
      policy_update_at: momentOf(known.policyUpdatedAt),
      terms_update_at: momentOf(known.termsUpdatedAt),
      is_login_active: known.isLoginEnabled,
      is_signup_active: known.isSignupEnabled,
      is_github_login_active: known.githubClientId !== undefined,
      is_google_login_active: known.googleClientId !== undefined,
      is_oidc_login_active: known.isOidcConfigured,
      github_client_id: known.githubClientId ?? '',
      google_client_id: known.googleClientId ?? '',
      oidc_name: known.oidcName ?? '',
      is_search_configured: known.isSearchConfigured,
      max_crawl_concurrency: known.maxCrawlConcurrency,
      mcp_server: sendMcpMessage.path,
      is_rendering_configured: known.isRenderingConfigured,
      max_upload_urls: known.maxUploadUrls,
      is_mail_configured: known.isMailConfigured,
    }
  }
}

export type SettingsReader = ReturnType<typeof createSettings>

const momentOf = (text: string | undefined) => (text === undefined ? null : instant(Date.parse(text)))
