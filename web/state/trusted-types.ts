/**
 * The page's policy forbids turning text into HTML or into the URL of a script (Trusted Types). These are the two exceptions: the toaster's
 * style element starts as white space, and the analytics script may be loaded if the policy names its host, which it only does in
 * enterprise mode with an id. The browser blocks everything else.
 *
 * Import it before anything that renders.
 */
type Rules = { createHTML: (text: string) => string | null; createScriptURL: (text: string) => string | null }
type Policies = { createPolicy: (name: string, rules: Rules) => unknown }

const { trustedTypes } = globalThis as { trustedTypes?: Policies }
trustedTypes?.createPolicy('default', {
  createHTML: (text) => (text.trim() === '' ? text : null),
  createScriptURL: (text) => (text.startsWith('https://www.googletagmanager.com/') ? text : null),
})
