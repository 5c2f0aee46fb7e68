/** The configuration that the gateway wrote into the page, for the time before, or without, an answer of the API. */
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
    // Every value has a default of the same type, which is all there is to check.
    const strange = Object.entries(DEFAULTS).filter(([name, usual]) => typeof config[name as keyof RuntimeConfig] !== typeof usual)
    if (strange.length === 0) return { ...config, apiUrl: config.apiUrl.replace(/\/+$/, '') }
    console.warn('runtime config is not understood', Object.fromEntries(strange))
  } catch (cause) {
    console.warn('runtime config is not JSON', cause)
  }
  return DEFAULTS
}

/** Read once, when the page loads. */
export const runtimeConfig: RuntimeConfig = parseRuntimeConfig(
  typeof document === 'undefined' ? null : document.getElementById('runtime-config')?.textContent,
)

/** Prefix of every path of this page: '' or such as `/crawl`. */
export const { basePath } = runtimeConfig

/** Prefix of the page's own calls: a URL, or a path on its own origin. */
export const apiBase: string = runtimeConfig.apiUrl || basePath

/** The API's URL for other programs, without a final slash. */
export const apiAddress = (): string => runtimeConfig.apiUrl || window.location.origin + basePath

/**
 * Makes a name unique to this installation that pages of one origin share (a storage key, a lock, a channel): two installations below
 * different paths of a host must not use each other's tokens.
 */
export const ownName = (name: string): string => (basePath === '' ? name : `${basePath}:${name}`)
