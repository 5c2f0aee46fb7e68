/**
 * Messages of the server in the language of the dashboard. The server writes English; a language that translates its messages loads them
 * with the first one.
 */
import { useEffect, useState } from 'react'
import type { ErrorBody } from '#contract/endpoint.ts'
import type { Translation, TranslationLoader } from '#web/texts/translation.ts'
import { loadTranslation } from '#texts/client.ts'

const unchanged: Translation = (message) => message
let translation: Translation | null = null
/** A newer version of the product may have replaced the file. */
const RETRY_MS = 60_000

/** @returns  a function that loads once; when that fails, messages stay English, and it loads again after `RETRY_MS` at the earliest */
export function loadOnce(load: TranslationLoader, now = Date.now): () => Promise<Translation> {
  let loading: Promise<Translation> | null = null
  let failedAt = Number.NEGATIVE_INFINITY
  return () => {
    if (now() - failedAt < RETRY_MS) return Promise.resolve(unchanged)
    loading ??= load().catch(() => {
      failedAt = now()
      loading = null
      return unchanged
    })
    return loading
  }
}

/** Returns the function that translates. */
export const translator = loadOnce(async () => (translation = await loadTranslation()))

/** Translates the messages of an error. */
export const translatedBody = ({ code, errors, message }: ErrorBody, translate: Translation): ErrorBody => ({
  code,
  errors: translatedIn(errors, translate),
  message: translate(message),
})

/** Translates all texts, however deep. */
function translatedIn<Messages>(messages: Messages, translate: Translation): Messages
function translatedIn(messages: unknown, translate: Translation): unknown {
  if (typeof messages === 'string') return translate(messages)
  if (Array.isArray(messages)) return messages.map((one: unknown) => translatedIn(one, translate))
  if (typeof messages !== 'object' || messages === null) return messages
  return Object.fromEntries(Object.entries(messages).map(([field, inner]) => [field, translatedIn(inner as unknown, translate)]))
}

/** A function that translates messages which are part of an answer; it changes nothing until the translation is loaded. */
export function useServerMessages(): Translation {
  const [translate, setTranslate] = useState(() => translation)
  useEffect(() => {
    if (translate === null) void translator().then((loaded) => setTranslate(() => loaded))
  }, [translate])
  return translate ?? unchanged
}
