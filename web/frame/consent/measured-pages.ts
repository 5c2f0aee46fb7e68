/** Pages that analytics may see: none with a secret in its URL, because the script reads the URL. Pure. */
const OPENING_PATHS = /\/(reset-password|verify-email)\//
const OPENING_PARAMETERS = ['invitation_code', 'code']

/** `query` is without the question mark. Analytics that has not started yet waits until such a page is left. */
export function mayBeMeasured(path: string, query: string): boolean {
  const given = new URLSearchParams(query)
  return !OPENING_PATHS.test(path) && !OPENING_PARAMETERS.some((name) => given.has(name))
}
