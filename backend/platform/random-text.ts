/** Unguessable random texts. */
import { randomInt } from 'node:crypto'

export const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** Upper-case letters and digits without lookalikes: 0 and O, 1 and I. */
export const CLEAR_CHARACTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** `length` characters of the alphabet, uniformly distributed. */
export function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}
