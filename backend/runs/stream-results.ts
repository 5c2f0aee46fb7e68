/** Runs with their results embedded, as JSON text that is made while it is sent: a result may be longer than what fits into memory. */
import type { Paged } from '#contract/endpoint.ts'
import type { Texts } from '#backend/http/send-texts.ts'

/** One run's object. `result` takes the place of what the object has under that name; null leaves it. */
export async function* embedded(shown: unknown, result: Texts | null): AsyncGenerator<string> {
  if (result === null) return yield JSON.stringify(shown)
  const { result: _replaced, ...rest } = shown as Record<string, unknown>
  yield `${JSON.stringify(rest).slice(0, -1)},"result":`
  yield* result
  yield '}'
}

/** A page of a list of runs, each with the result of its place. */
export async function* embeddedList({ results, ...head }: Paged<unknown>, texts: (Texts | null)[]): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"results":[`
  for (const [at, shown] of results.entries()) {
    if (at > 0) yield ','
    yield* embedded(shown, texts[at] ?? null)
  }
  yield ']}'
}
