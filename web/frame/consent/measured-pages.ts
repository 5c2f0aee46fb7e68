/** Pages that analytics may see: none with a secret in its URL, because the script reads the URL. Pure. */
const SECRET_PATHS = /\/(reset-password|verify-email)\//
const SECRET_PARAMETERS = ['invitation_code', 'code']

/** `query` is without the question mark. Analytics starts only once the user is on a page that may be measured. */
export function mayBeMeasured(path: string, query: string): boolean {
  const given = new URLSearchParams(query)
  return !SECRET_PATHS.test(path) && !SECRET_PARAMETERS.some((name) => given.has(name))
}
