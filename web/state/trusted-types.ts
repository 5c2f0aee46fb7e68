/**
 * The page's policy lets no text become markup, and no text become the address of a script (Trusted Types). These are the two exceptions:
 * the toaster's style element is started with white space, and the analytics script may be loaded where the policy names its host, which
 * it does in enterprise mode with an id only. Everything else that tries is stopped by the browser.
 *
 * Imported before anything that draws.
 */
type Rules = { createHTML: (text: string) => string | null; createScriptURL: (text: string) => string | null }
type Policies = { createPolicy: (name: string, rules: Rules) => unknown }

const { trustedTypes } = globalThis as { trustedTypes?: Policies }
trustedTypes?.createPolicy('default', {
  createHTML: (text) => (text.trim() === '' ? text : null),
  createScriptURL: (text) => (text.startsWith('https://www.googletagmanager.com/') ? text : null),
})
