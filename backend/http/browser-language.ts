import type { FastifyRequest } from 'fastify'
import { preferredLanguage } from '#contract/languages.ts'
import type { Language } from '#contract/languages.ts'

/** The preferred language of a browser; null when the product has none of its languages. */
export const browserLanguage = ({ headers }: FastifyRequest): Language | null => preferredLanguage(headers['accept-language']) ?? null
