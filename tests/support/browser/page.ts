/** Helpers of tests of the page without a browser. */
import type { KeyStorage } from '#web/state/browser-storage.ts'

/** A local storage in memory. */
export function fakeStorage(kept: Record<string, string> = {}): KeyStorage {
  const values = new Map(Object.entries(kept))
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  }
}

/** A token with these claims, unsigned: the page never verifies one. */
export function tokenOf(claims: Record<string, unknown>): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.signature`
}

/** A stream that returns its text in the given pieces. */
export function streamOf(
  pieces: readonly (string | Uint8Array)[],
  { onCancel }: { onCancel?: () => void } = {},
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let at = 0
  return new ReadableStream({
    pull(controller) {
      const piece = pieces[at++]
      if (piece === undefined) controller.close()
      else controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece)
    },
    cancel: () => onCancel?.(),
  })
}
