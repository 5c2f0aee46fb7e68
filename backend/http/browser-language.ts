import type { FastifyRequest } from 'fastify'
import { preferredLanguage } from '#contract/languages.ts'
import type { Language } from '#contract/languages.ts'

/** The language that a browser asks for; null when the product has none of them. */
export const browserLanguage = ({ headers }: FastifyRequest): Language | null => preferredLanguage(headers['accept-language']) ?? null
