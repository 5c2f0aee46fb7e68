/** Why the crawl of a schedule was refused. Pure. */
import { messagesOf } from '#backend/http/error-messages.ts'
import type { AppError } from '#backend/errors.ts'
import type { RefusedBecause } from '#backend/mails/scheduled-outcome.ts'
import { HIDDEN_PASSWORD } from '#backend/runs/run-secrets.ts'

/** The first reason counts: with secrets that cannot be read, for example, the URLs are never judged. */
export function refusedBecause(error: AppError): RefusedBecause {
  if (error.code === 'plan_limit' || error.code === 'no_active_plan') return 'plan'
  const messages = messagesOf(error)
  const [first] = FIELDS.find(([, isAbout]) => messages.some(isAbout)) ?? ['options']
  return first
}

const FIELDS: [RefusedBecause, (message: string) => boolean][] = [
  ['proxy', (message) => message.startsWith('options.spider_options.proxy_server')],
  ['secrets', (message) => message.startsWith('options.page_options.extra_headers') || message.endsWith(HIDDEN_PASSWORD)],
  ['url', (message) => message.startsWith('urls')],
]
