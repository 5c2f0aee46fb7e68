/**
 * The page's policy lets no text become markup (Trusted Types): this is the one exception. The toaster's style element is started with
 * white space; everything else that tries is stopped by the browser.
 *
 * Imported before anything that draws.
 */
type Policies = { createPolicy: (name: string, rules: { createHTML: (text: string) => string | null }) => unknown }

const { trustedTypes } = globalThis as { trustedTypes?: Policies }
trustedTypes?.createPolicy('default', { createHTML: (text) => (text.trim() === '' ? text : null) })
