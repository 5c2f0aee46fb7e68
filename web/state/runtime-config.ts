/** What the gateway wrote into the page for the time before, or without, an answer of the API. */
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

/** The configuration in `text`; a value that is missing or cannot be understood is the default's. */
export function parseRuntimeConfig(text: string | null | undefined): RuntimeConfig {
  if (!text?.trim()) return DEFAULTS
  try {
    const config: RuntimeConfig = { ...DEFAULTS, ...(JSON.parse(text) as object) }
    // Every value has a default of its kind: that is its whole shape.
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

/** What every path of this page begins with: '' or such as `/crawl`. */
export const { basePath } = runtimeConfig

/** What the page's own calls begin with: an address, or a path of its own origin. */
export const apiBase: string = runtimeConfig.apiUrl || basePath

/** The address of the API as other programs need it, without a slash at its end. */
export const apiAddress = (): string => runtimeConfig.apiUrl || window.location.origin + basePath

/**
 * A name that pages of one origin share (a storage key, a lock, a channel), as this installation spells it: two installations below
 * different paths of a host must not take each other's tokens.
 */
export const ownName = (name: string): string => (basePath === '' ? name : `${basePath}:${name}`)
