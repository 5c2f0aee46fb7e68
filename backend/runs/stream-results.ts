/** Runs with embedded results, as JSON text that is produced while it is sent: a result may not fit into memory. */
import { setImmediate } from 'node:timers/promises'
import type { Paged } from '#contract/endpoint.ts'
import type { Pieces } from '#backend/platform/database/readers.ts'

/** Characters per piece. */
const PIECE = 64 * 1024

/** One run's object. `result` replaces the object's `result`; null leaves it. */
export async function* embedded(shown: unknown, result: Pieces | null): AsyncGenerator<string | Uint8Array> {
  if (result === null) return yield JSON.stringify(shown)
  const { result: _replaced, ...rest } = shown as Record<string, unknown>
  yield `${JSON.stringify(rest).slice(0, -1)},"result":`
  yield* result
  yield '}'
}

/**
 * A page of a list of runs. A small one is a single text, so that it has a Content-Length; a larger one lets other work run between its
 * pieces.
 */
export async function* listTexts(
  head: Omit<Paged<unknown>, 'results'>,
  groups: AsyncIterable<readonly Pieces[]>,
): AsyncGenerator<string | Uint8Array> {
  let text = `${JSON.stringify(head).slice(0, -1)},"results":[`
  let isFirst = true
  for await (const group of groups)
    for (const run of group) {
      if (!isFirst) text += ','
      isFirst = false
      for await (const piece of run) {
        if (typeof piece === 'string') {
          text += piece
          if (text.length < PIECE) continue
        }
        yield text
        text = ''
        if (typeof piece !== 'string') yield piece
        await setImmediate()
      }
    }
  yield `${text}]}`
}
