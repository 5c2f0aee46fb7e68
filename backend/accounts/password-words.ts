/** The words that an attacker would try first: the product's name, and words about the account. */
import type { Rows } from '#backend/platform/database/database.ts'

/** Facts about the password's owner, as far as known. */
type PasswordOwner = { email: string; firstName?: string; lastName?: string; teamNames?: readonly string[] }

/** The product's name, beside the one that the operator gives it. */
const PRODUCT = 'Seine'

/**
 * `open`: words that the login page shows or receives, such as the product and the address before its @. `own`: names of the person and
 * their teams.
 */
export type Words = { open: readonly string[]; own: readonly string[] }

export const NO_WORDS: Words = { open: [], own: [] }

export function createPasswordWords({ productName }: { productName: string }) {
  return { of: wordsOf, ofUser }

  function wordsOf({ email, firstName = '', lastName = '', teamNames = [] }: PasswordOwner): Words {
    return { open: [PRODUCT, productName, email.slice(0, email.lastIndexOf('@'))], own: [firstName, lastName, ...teamNames] }
  }

  async function ofUser(rows: Rows, userId: string): Promise<Words> {
    const user = await rows.selectFrom('user').select(['email', 'firstName', 'lastName']).where('id', '=', userId).executeTakeFirst()
    if (user === undefined) return NO_WORDS
    const teams = await rows
      .selectFrom('teamMember')
      .innerJoin('team', 'team.id', 'teamMember.teamId')
      .select('team.name')
      .where('teamMember.userId', '=', userId)
      .execute()
    return wordsOf({ ...user, teamNames: teams.map(({ name }) => name) })
  }
}

export type PasswordWords = ReturnType<typeof createPasswordWords>

/** Shorter words occur within too many others. */
const LEAST_WORD = 3
/** So many other letters do not make such a password acceptable. */
const MOST_LETTERS = 2
/** Characters that replace letters. */
const LOOKALIKES: Record<string, string> = { a: 'a4@', e: 'e3', i: 'i1!', l: 'l1', o: 'o0', s: 's5$', t: 't7' }

/**
 * Whether a password consists of such words or their parts, with at most two more letters. Open words may have digits and symbols beside
 * them (`Seine-2026!`, `s3ine123`); own words, which an attacker does not know, digits only (`wintermute99`).
 */
export function isMadeOf(password: string, { open, own }: Words): boolean {
  const text = plain(password)
  const withoutOpen = without(text, open)
  const withoutAny = without(text, [...open, ...own])
  const isLittle = (rest: string) => rest !== text && lettersOf(rest).length <= MOST_LETTERS
  return isLittle(withoutOpen) || (isLittle(withoutAny) && !/[^\p{L}\p{N}]/u.test(withoutAny))
}

function without(text: string, words: readonly string[]): string {
  const parts = [...new Set(words.flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)]).map((word) => lettersOf(plain(word))))]
    .filter((part) => part.length >= LEAST_WORD)
    .toSorted((one, other) => other.length - one.length)
  return parts.reduce((left, part) => left.replace(spellingsOf(part), ''), text)
}

/** Matches a word in every spelling with lookalike characters. Each letter is one character class, so matching takes linear time. */
const spellingsOf = (word: string) => new RegExp(Array.from(word, (letter) => `[${LOOKALIKES[letter] ?? letter}]`).join(''), 'gu')

/** Removes case and accents. */
const plain = (text: string) => text.normalize('NFKD').toLowerCase()

const lettersOf = (text: string) => text.replace(/[^\p{L}]/gu, '')
