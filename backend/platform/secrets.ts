/** The installation's one secret: derives a key for each purpose, and seals and hashes with it. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Purposes of keys. With one key for several purposes, a signature for one would be valid for another. */
export type Purpose =
  | 'access and refresh tokens'
  | 'api key hashes'
  | 'deleted accounts'
  | 'file links'
  | 'model keys'
  | 'names in Redis'
  | 'network addresses'
  | 'one-time links'
  | 'proxy passwords'
  | 'secrets of runs'
  | 'sealing'
  | 'webhooks'

/** The 32-byte key of a purpose. Source: RFC 5869 (HKDF) with SHA-256. */
export const deriveKey = (secretKey: string, purpose: Purpose): Buffer => Buffer.from(hkdfSync('sha256', secretKey, 'seine', purpose, 32))

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts text at rest. `context` names the place of the text: sealed text that was moved elsewhere cannot be opened. */
export function createSealer(key: Buffer) {
  return { seal, open, tryOpen }

  function seal(text: string, context: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(context))
    return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
  }

  /** Throws when the text was changed, moved, or sealed with another key. */
  function open(sealed: string, context: string): string {
    const bytes = Buffer.from(sealed, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-TAG_BYTES))
    return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  }

  /** Like `open`, but null where that throws. */
  function tryOpen(sealed: string, context: string): string | null {
    try {
      return open(sealed, context)
    } catch {
      return null
    }
  }
}

export type Sealer = ReturnType<typeof createSealer>

/** A keyed hash for lookups: its text cannot be guessed from a copy of the database. */
export const keyedHash = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('base64url')
