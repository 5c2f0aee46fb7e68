/** What the gateway wrote into the page for the time before, or without, an answer of the API. */
import { runtimeConfig as shape } from '#contract/settings.ts'
import type { RuntimeConfig } from '#contract/settings.ts'

const DEFAULTS: RuntimeConfig = {
  apiUrl: '',
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
    const written: unknown = JSON.parse(text)
    const checked = shape.safeParse({ ...DEFAULTS, ...(written as object) })
    if (checked.success) return { ...checked.data, apiUrl: checked.data.apiUrl.replace(/\/+$/, '') }
    console.warn('runtime config is not understood', checked.error)
  } catch (cause) {
    console.warn('runtime config is not JSON', cause)
  }
  return DEFAULTS
}

/** Read once, when the page loads. */
export const runtimeConfig: RuntimeConfig = parseRuntimeConfig(
  typeof document === 'undefined' ? null : document.getElementById('runtime-config')?.textContent,
)
