/**
 * The content security policy forbids turning text into HTML or into the URL of a script (Trusted Types). Two exceptions are allowed: the
 * toaster's style element, which starts as white space, and the analytics script, if the policy names its host. The policy does so only in
 * enterprise mode with an analytics id.
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
