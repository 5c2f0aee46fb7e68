/** The form of a webhook endpoint: validation and request. Pure. */
import { isHttpUrl } from '#contract/addresses.ts'
import { WEBHOOK_EVENTS } from '#contract/webhooks.ts'
import type { SwitchedOff, WebhookEndpoint, WebhookEvent } from '#contract/webhooks.ts'
import * as t from '#texts/webhooks.ts'

export const EVENT_TEXTS: Record<WebhookEvent, { label: string; hint: string }> = {
  'run.started': { label: t.aJobStarts, hint: t.runStarted },
  'run.pages': { label: t.pagesAreStored, hint: t.runPagesUpTo100Pages },
  'run.ended': { label: t.aJobEnds, hint: t.runEndedFinishedFailedOrCanceled },
  'credits.low': { label: t.creditsRunLow, hint: t.creditsLowOnceInAPeriod },
}

export const SWITCHED_OFF_TEXTS: Record<SwitchedOff, string> = {
  gone: t.theEndpointAnsweredThatItIs,
  failing: t.theEndpointTookNothingForAbout,
  overflow: t.tooManyDeliveriesWereWaitingFor,
}

export type WebhookForm = {
  name: string
  url: string
  events: readonly WebhookEvent[]
  /** One per line, `Name: value`. */
  headers: string
  is_enabled: boolean
}

export type WebhookErrors = { [Name in keyof WebhookForm]?: string }

export const formOf = (webhook: WebhookEndpoint | null): WebhookForm =>
  webhook === null
    ? { name: '', url: '', events: ['run.ended'], headers: '', is_enabled: true }
    : { name: webhook.name, url: webhook.url, events: webhook.events, headers: '', is_enabled: webhook.is_enabled }

/** Parses the entered headers into values by name; null when a line is invalid. */
function readHeaders(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => /^\s*([^\s:]+)\s*:(.*)$/.exec(line))
  return pairs.every((pair) => pair !== null) ? Object.fromEntries(pairs.map((pair) => [pair[1]!, pair[2]!.trim()])) : null
}

export function webhookErrors({ events, headers, url }: WebhookForm): WebhookErrors {
  return {
    ...(url.trim() === '' ? { url: t.urlIsRequired } : !isHttpUrl(url.trim()) && { url: t.enterAValidURL }),
    ...(events.length === 0 && { events: t.chooseAtLeastOneEvent }),
    ...(readHeaders(headers) === null && { headers: t.writeOneHeaderInALine }),
  }
}

/** The request. Empty headers keep the stored ones, unless `removesHeaders`. */
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
