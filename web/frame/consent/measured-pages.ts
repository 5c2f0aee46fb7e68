/** Pages that analytics may see: none whose address opens something, since a measuring script reads the address. Pure. */
const OPENING_PATHS = /\/(reset-password|verify-email)\//
const OPENING_PARAMETERS = ['invitation_code', 'code']

/** `query` without its question mark. Analytics that has not started yet waits until such a page is left. */
export function mayBeMeasured(path: string, query: string): boolean {
  const given = new URLSearchParams(query)
  return !OPENING_PATHS.test(path) && !OPENING_PARAMETERS.some((name) => given.has(name))
}
