/** The words that a stranger would try first: the product's, and those that belong to one account. */
import type { Rows } from '#backend/platform/database/database.ts'

/** Whom a password is for, as far as is known. */
export type PasswordOwner = { email: string; firstName?: string; lastName?: string; teamNames?: readonly string[] }

/** Names of the product in every installation, besides the name that the operator gives it. */
const PRODUCT = 'Seine'

/** `open` words are seen at the login or typed there: the product, the address before its @. `own` are names of the person and their teams. */
export type Words = { open: readonly string[]; own: readonly string[] }

export const NO_WORDS: Words = { open: [], own: [] }

export function createPasswordWords({ productName }: { productName: string }) {
  return { of: wordsOf, ofUser }

  function wordsOf({ email, firstName = '', lastName = '', teamNames = [] }: PasswordOwner): Words {
    return { open: [PRODUCT, productName, email.slice(0, email.lastIndexOf('@'))], own: [firstName, lastName, ...teamNames] }
  }

  async function ofUser(rows: Rows, userId: string): Promise<Words> {
    const user = await rows.selectFrom('user').select(['email', 'firstName', 'lastName']).where('id', '=', userId).executeTakeFirstOrThrow()
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

/** Shorter words stand inside too many others. */
const LEAST_WORD = 3
/** Letters that may stand beside the words and still make no password of its own. */
const MOST_LETTERS = 2
/** Signs that people write for letters. */
const LOOKALIKES: Record<string, string> = { a: 'a4@', e: 'e3', i: 'i1!', l: 'l1', o: 'o0', s: 's5$', t: 't7' }

/**
 * Whether a password is nothing but words, whole or in parts, with at most two more letters. Beside open words digits and signs may stand
 * (`Seine-2026!`, `s3ine123`); beside own words, which a stranger does not know, digits alone (`wintermute99`).
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

/** Matches a word of letters in every spelling with signs for letters. Each letter is one class, so the match takes linear time. */
const spellingsOf = (word: string) => new RegExp(Array.from(word, (letter) => `[${LOOKALIKES[letter] ?? letter}]`).join(''), 'gu')

/** Without case and accents. */
const plain = (text: string) => text.normalize('NFKD').toLowerCase()

const lettersOf = (text: string) => text.replace(/[^\p{L}]/gu, '')
