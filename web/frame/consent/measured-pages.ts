/** Pages that analytics may see: none with a secret in its URL, because the script reads the URL. Pure. */
const SECRET_PATHS = /\/(reset-password|verify-email)\//
/** `invitation_code` and `deletion_code` of our mails, `code` of the sign-in providers. */
const SECRET_PARAMETER = /(?:^|_)(?:code|token)$/

/** `query` is without the question mark. Analytics starts only once the user is on a page that may be measured. */
export function mayBeMeasured(path: string, query: string): boolean {
  return !SECRET_PATHS.test(path) && ![...new URLSearchParams(query).keys()].some((name) => SECRET_PARAMETER.test(name))
}
