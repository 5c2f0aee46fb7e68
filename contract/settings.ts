/** Settings, which the API returns, and RuntimeConfig, which the gateway writes into the page. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

const moment = z.nullable(z.string())

export const settings = z.object({
  is_installed: z.boolean(),
  is_enterprise_mode_active: z.boolean(),
  api_version: z.string(),
  google_analytics_id: z.string(),
  policy_url: z.string(),
  terms_url: z.string(),
  policy_update_at: moment,
  terms_update_at: moment,
  is_login_active: z.boolean(),
  is_signup_active: z.boolean(),
  is_github_login_active: z.boolean(),
  is_google_login_active: z.boolean(),
  is_oidc_login_active: z.boolean(),
  github_client_id: z.string(),
  google_client_id: z.string(),
  oidc_name: z.string(),
  is_search_configured: z.boolean(),
  max_crawl_concurrency: z.int(),
  mcp_server: z.string(),
  is_rendering_configured: z.boolean(),
  max_upload_urls: z.int(),
  is_mail_configured: z.boolean(),
})
export type Settings = z.output<typeof settings>

export const getSettings = endpoint({
  method: 'GET',
  path: '/api/v1/common/settings',
  access: 'public',
  tag: 'Settings',
  summary: 'Settings that the dashboard needs before sign-in',
  answer: settings,
})

/** Configuration that the page needs before its first API call. It contains no secret: the code that writes the page gets only this type. */
export const runtimeConfig = z.object({
  /** API base without a trailing slash; '' is the page's own origin, below `basePath`. */
  apiUrl: z.string(),
  /** The prefix of every path of the page: '' at the root of its host, else such as `/crawl`. */
  basePath: z.string(),
  productName: z.string(),
  /** The expected enterprise mode, so that the page does not flicker before the settings arrive. */
  enterpriseMode: z.boolean(),
  /** `owner/name` of the repository whose stars are counted, '' for none. */
  repository: z.string(),
  githubApiUrl: z.string(),
  /** The URL of GitHub's sign-in. */
  githubOauthUrl: z.string(),
  guideUrl: z.string(),
  supportEmail: z.string(),
  /** Contact for an individual plan. */
  enterpriseContact: z.string(),
})
export type RuntimeConfig = z.output<typeof runtimeConfig>
