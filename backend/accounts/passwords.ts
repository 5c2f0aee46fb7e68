/** Rules for passwords, and their hashes. */
import { availableParallelism } from 'node:os'
import { readFileSync } from 'node:fs'
import { hash, verify } from '@node-rs/argon2'
import { MIN_PASSWORD_LENGTH } from '#contract/passwords.ts'
import { fieldErrors } from '#backend/http/field-errors.ts'
import { AppError, fieldError } from '#backend/errors.ts'
import { createRoundRobinLimit } from '#backend/http/round-robin-limit.ts'
import { NO_WORDS, isMadeOf } from './password-words.ts'
import type { Words } from './password-words.ts'

/** The cost of a hash. */
export type HashCost = { memoryKiB: number; passes: number }

/** Source: OWASP Password Storage Cheat Sheet, Argon2id. About 20 ms of one core. */
const HASH_COST: HashCost = { memoryKiB: 19_456, passes: 2 }

/** One string with a line per password, read on first use: a Set would take ten times its 75 KB. */
let common: string | null = null

/**
 * The list has 7,000 of the most common passwords, more than 3,000 of them long enough. Sources:
 * `docs/decisions/0010-passwords-and-sessions.md`.
 */
function isCommon(password: string): boolean {
  common ??= `\n${readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')}`
  const line = password.trim().toLowerCase()
  return !line.includes('\n') && common.includes(`\n${line}\n`)
}

/** What is wrong with a password, in the order of the checks; the forms demand more. `words` are its owner's. */
export function passwordFaults(password: string, words: Words = NO_WORDS): string[] {
  return [
    ...(password.length < MIN_PASSWORD_LENGTH
      ? [`This password is too short. It must contain at least ${MIN_PASSWORD_LENGTH} characters.`]
      : []),
    ...(isCommon(password) ? ['This password is too common.'] : []),
    ...(/^\p{Nd}+$/u.test(password) ? ['This password is entirely numeric.'] : []),
    ...(isMadeOf(password, words)
      ? ['This password is too easy to guess: it is made of your name, email address or team, or of the product’s name.']
      : []),
  ]
}

/** Throws `invalid_input` for a password that breaks the rules. */
export function checkPassword(password: string, words: Words): void {
  const faults = passwordFaults(password, words)
  if (faults.length)
    throw new AppError('invalid_input', {
      fields: fieldErrors(
        faults.map((message) => ({ path: ['password'], message })),
        {},
      ),
    })
}

/** The error for a current password that does not match. */
export const wrongPassword = () => fieldError('current_password', 'Wrong password')

/** Most tasks that wait for a hash: about twenty seconds of one core. */
const MAX_WAITING = 1000
/** Unknown callers share one queue. */
const ANYBODY = ''

/**
 * Hashes and compares with Argon2id. Each hash takes a core and its memory, so one core is left for the event loop. Callers take turns;
 * `caller` identifies them: a network, or a user.
 */
export function createPasswords({
  cost = HASH_COST,
  atOnce = Math.max(1, availableParallelism() - 1),
}: { cost?: HashCost; atOnce?: number } = {}) {
  const options = { memoryCost: cost.memoryKiB, timeCost: cost.passes, parallelism: 1 }
  const inTurn = createRoundRobinLimit({ atOnce, maxWaiting: MAX_WAITING })
  let decoy: Promise<string> | null = null
  return { hash: hashed, matches }

  function hashed(password: string, caller = ANYBODY): Promise<string> {
    return inTurn(caller, () => hash(password, options))
  }

  /** Whether the password matches the hash. A missing hash takes as long as a wrong password, so that the time reveals nothing. */
  async function matches(password: string, passwordHash: string | null, caller: string): Promise<boolean> {
    decoy ??= hash('of nobody', options)
    const known = passwordHash ?? (await decoy)
    return (await inTurn(caller, () => verify(known, password))) && passwordHash !== null
  }
}

export type Passwords = ReturnType<typeof createPasswords>
