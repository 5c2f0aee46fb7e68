/** The configuration that the gateway wrote into the page. It is available before the API answers, and if it does not answer. */
import type { RuntimeConfig } from '#contract/settings.ts'

const DEFAULTS: RuntimeConfig = {
  apiUrl: '',
  basePath: '',
  productName: 'Seine',
  enterpriseMode: false,
  repository: '',
  githubApiUrl: 'https://api.github.com',
  githubOauthUrl: 'https://github.com',
  guideUrl: '',
  supportEmail: '',
  enterpriseContact: '',
}

/** Parses the configuration; missing or invalid values get their defaults. */
export function parseRuntimeConfig(text: string | null | undefined): RuntimeConfig {
  if (!text?.trim()) return DEFAULTS
  try {
    const config: RuntimeConfig = { ...DEFAULTS, ...(JSON.parse(text) as object) }
    // Each value must have the type of its default; nothing else is checked.
    const mistyped = Object.entries(DEFAULTS).filter(([name, usual]) => typeof config[name as keyof RuntimeConfig] !== typeof usual)
    if (mistyped.length === 0) return { ...config, apiUrl: config.apiUrl.replace(/\/+$/, '') }
    console.warn('runtime config has values of the wrong type', Object.fromEntries(mistyped))
  } catch (cause) {
    console.warn('runtime config is not JSON', cause)
  }
  return DEFAULTS
}

/** Read once, when the page loads. */
export const runtimeConfig: RuntimeConfig = parseRuntimeConfig(
  typeof document === 'undefined' ? null : document.getElementById('runtime-config')?.textContent,
)

/** Prefix of every path of this page: '' or, for example, `/crawl`. */
export const { basePath } = runtimeConfig

/** Prefix of the page's own calls: a URL, or a path on its own origin. */
export const apiBase: string = runtimeConfig.apiUrl || basePath

/** The API's URL for other programs, without a final slash. */
export const publicApiUrl = (): string => runtimeConfig.apiUrl || window.location.origin + basePath

/**
 * Makes a name that all pages of an origin share (a storage key, a lock, a channel) unique to this installation: two installations below
 * different paths of a host must not use each other's tokens.
 */
export const ownName = (name: string): string => (basePath === '' ? name : `${basePath}:${name}`)
