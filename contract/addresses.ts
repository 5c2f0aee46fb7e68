/** What is an address: of a page, and of a mailbox. */

/** True for an absolute http or https URL with a host. */
export function isAddress(value: string): boolean {
  // The scheme and the slashes must stand there: a browser would add them, a program that stored the URL would not.
  if (!/^https?:\/\/[^\s/]/i.test(value) || /\s/.test(value)) return false
  // Of these two schemes the parser takes no URL without a host.
  return URL.canParse(value)
}

// One @, no spaces, a dotted domain of labels: what mail servers accept in practice, stricter than RFC 5322 in form and laxer in nothing.
const EMAIL = /^[^\s@"(),:;<>[\\\]]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u

/** True for something that a mail can be sent to. */
export const isEmail = (value: string) =>
  value.length <= 254 && EMAIL.test(value) && !value.startsWith('.') && !value.includes('..') && !value.includes('.@')
