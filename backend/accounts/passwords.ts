/** Passwords: what the server asks of one, and its hash. */
import { availableParallelism } from 'node:os'
import { readFileSync } from 'node:fs'
import { hash, verify } from '@node-rs/argon2'
import { MIN_PASSWORD_LENGTH } from '#contract/passwords.ts'
import { fieldErrors } from '#backend/http/field-errors.ts'
import { AppError } from '#backend/errors.ts'
import { createTurns } from './fair-turns.ts'

/** What a hash costs. */
export type HashCost = { memoryKiB: number; passes: number }

/** Source: OWASP Password Storage Cheat Sheet, Argon2id. About 20 ms of one core. */
export const HASH_COST: HashCost = { memoryKiB: 19_456, passes: 2 }

const COMMON = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean),
)

/** What the server has against a password, in the order of the checks; the forms ask for more. */
export function passwordFaults(password: string): string[] {
  return [
    ...(password.length < MIN_PASSWORD_LENGTH
      ? [`This password is too short. It must contain at least ${MIN_PASSWORD_LENGTH} characters.`]
      : []),
    ...(COMMON.has(password.trim().toLowerCase()) ? ['This password is too common.'] : []),
    ...(/^\p{Nd}+$/u.test(password) ? ['This password is entirely numeric.'] : []),
  ]
}

/** Throws `invalid_input` for a password that the server does not take. */
export function checkPassword(password: string): void {
  const faults = passwordFaults(password)
  if (faults.length)
    throw new AppError('invalid_input', {
      fields: fieldErrors(
        faults.map((message) => ({ path: ['password'], message })),
        {},
      ),
    })
}

/** More than this do not wait for a hash: about ten seconds of two cores. */
const MAX_WAITING = 1000
/** Callers about whom nothing is known share one queue. */
const ANYBODY = ''

/**
 * Hashes and compares with Argon2id, at most as many at once as there are cores: each takes a core and its memory. Callers take turns;
 * `caller` says whose turn a work is, a network of strangers or a user.
 */
export function createPasswords({ cost = HASH_COST, atOnce = availableParallelism() }: { cost?: HashCost; atOnce?: number } = {}) {
  const options = { memoryCost: cost.memoryKiB, timeCost: cost.passes, parallelism: 1 }
  const inTurn = createTurns({ atOnce, maxWaiting: MAX_WAITING })
  let decoy: Promise<string> | null = null
  return { hash: hashed, matches }

  function hashed(password: string, caller = ANYBODY): Promise<string> {
    return inTurn(caller, () => hash(password, options))
  }

  /** Whether the password belongs to the hash. Takes as long for no hash as for a wrong password, so that time tells nothing. */
  async function matches(password: string, passwordHash: string | null, caller = ANYBODY): Promise<boolean> {
    decoy ??= hash('of nobody', options)
    const known = passwordHash ?? (await decoy)
    return (await inTurn(caller, () => verify(known, password))) && passwordHash !== null
  }
}

export type Passwords = ReturnType<typeof createPasswords>
