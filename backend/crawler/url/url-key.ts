import { hash } from 'node:crypto'

/** Identifies a URL within one run: 64 bits, as two signed 32-bit numbers. */
export type UrlKey = { hi: number; lo: number }

const scratch = Buffer.alloc(16 * 1024)

/**
 * The key by which memory and store know a URL of a run: the first 8 bytes of SHA-256(salt ‖ identity).
 *
 * @param salt      secret, one per run, so that nobody can craft two URLs with the same key
 * @param identity  from `urlIdentity`, so that both spellings of a page have one key
 */
export function urlKey(salt: Uint8Array, identity: string): UrlKey {
  const whole =
    salt.length + identity.length * 3 <= scratch.length ? intoScratch(salt, identity) : Buffer.concat([salt, Buffer.from(identity)])
  // 'binary', one character per byte: 0.7 µs a key; a buffer takes 1.6
  const digest = hash('sha256', whole, 'binary')
  return { hi: int32At(digest, 0), lo: int32At(digest, 4) }
}

function int32At(bytes: string, at: number): number {
  return (bytes.charCodeAt(at) << 24) | (bytes.charCodeAt(at + 1) << 16) | (bytes.charCodeAt(at + 2) << 8) | bytes.charCodeAt(at + 3)
}

function intoScratch(salt: Uint8Array, identity: string): Buffer {
  scratch.set(salt)
  return scratch.subarray(0, salt.length + scratch.write(identity, salt.length))
}
