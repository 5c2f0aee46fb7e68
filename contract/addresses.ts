/** Validates URLs of pages and e-mail addresses. */

/** True for an absolute http or https URL with a host. */
export function isHttpUrl(value: string): boolean {
  // Scheme and slashes are required: a browser would add them, but a program that stored the URL would not.
  if (!/^https?:\/\/[^\s/]/i.test(value) || /\s/.test(value)) return false
  // For these two schemes the parser refuses a URL without a host.
  return URL.canParse(value)
}

// One @, no spaces, a domain of labels with a dot. This is what mail servers accept in practice; it is stricter than the form in RFC 5322
// and accepts nothing beyond it. No invisible characters (\p{C}: controls, direction marks, zero-width ones, halves of a pair; \p{DI}: those
// that a screen ignores, such as fillers and selectors): an address with one looks like that of another person.
const EMAIL = /^(?!.*\p{DI})[^\s\p{C}@"(),:;<>[\\\]]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u

/**
 * True for a valid e-mail address. It has no second form of a character, such as a Kelvin sign, full-width letters or an accent apart from
 * its letter: in lower case, for a name server or on the screen it would be another person's address.
 */
export const isEmail = (value: string) =>
  value.length <= 254 &&
  EMAIL.test(value) &&
  !value.startsWith('.') &&
  !value.includes('..') &&
  !value.includes('.@') &&
  value === value.normalize('NFKC')
