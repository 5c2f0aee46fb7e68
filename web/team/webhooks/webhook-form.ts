/** The rules of the form of a webhook endpoint: what is wrong with it, and what is sent of it. Pure. */
import { isAddress } from '#contract/addresses.ts'
import { WEBHOOK_EVENTS } from '#contract/webhooks.ts'
import type { SwitchedOff, WebhookEndpoint, WebhookEvent } from '#contract/webhooks.ts'

export const EVENT_TEXTS: Record<WebhookEvent, { label: string; hint: string }> = {
  'run.started': { label: 'A job starts', hint: 'run.started' },
  'run.pages': { label: 'Pages are stored', hint: 'run.pages, up to 100 pages at once' },
  'run.ended': { label: 'A job ends', hint: 'run.ended: finished, failed or canceled' },
  'credits.low': { label: 'Credits run low', hint: 'credits.low, once in a period, with a fifth of the credits left' },
}

export const SWITCHED_OFF_TEXTS: Record<SwitchedOff, string> = {
  gone: 'The endpoint answered that it is no longer there (410).',
  failing: 'The endpoint took nothing for about a day.',
  overflow: 'Too many deliveries were waiting for the endpoint.',
}

export type WebhookForm = {
  name: string
  url: string
  events: readonly WebhookEvent[]
  /** One in a line, `Name: value`. */
  headers: string
  is_enabled: boolean
}

export type WebhookErrors = { [Name in keyof WebhookForm]?: string }

export const formOf = (webhook: WebhookEndpoint | null): WebhookForm =>
  webhook === null
    ? { name: '', url: '', events: ['run.ended'], headers: '', is_enabled: true }
    : { name: webhook.name, url: webhook.url, events: webhook.events, headers: '', is_enabled: webhook.is_enabled }

/** Headers by their names; null when a line is none. */
export function readHeaders(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => /^\s*([^\s:]+)\s*:(.*)$/.exec(line))
  return pairs.every((pair) => pair !== null) ? Object.fromEntries(pairs.map((pair) => [pair[1]!, pair[2]!.trim()])) : null
}

export function webhookErrors({ events, headers, url }: WebhookForm): WebhookErrors {
  return {
    ...(url.trim() === '' ? { url: 'URL is required' } : !isAddress(url.trim()) && { url: 'Enter a valid URL' }),
    ...(events.length === 0 && { events: 'Choose at least one event' }),
    ...(readHeaders(headers) === null && { headers: 'Write one header in a line, as Name: value' }),
  }
}

/** Empty headers keep those that are stored, unless they are to be removed. */
export const bodyOf = (form: WebhookForm, removesHeaders: boolean) => {
  const headers = readHeaders(form.headers) ?? {}
  return {
    name: form.name.trim(),
    url: form.url.trim(),
    events: WEBHOOK_EVENTS.filter((event) => form.events.includes(event)),
    is_enabled: form.is_enabled,
    ...((Object.keys(headers).length > 0 || removesHeaders) && { headers }),
  }
}
