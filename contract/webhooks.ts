/** Webhooks of a team: endpoints that receive events, and the log of deliveries. */
import * as z from 'zod/mini'
import { endpoint, paged } from './endpoint.ts'
import { httpUrlWithoutCredentials, count, flag, listOf, oneOf, shape, text, wrong } from './fields.ts'
import { MAX_DELETED_AT_ONCE, MAX_REPLAYED_AT_ONCE, MAX_WEBHOOKS, MAX_WEBHOOK_HEADERS, MAX_WEBHOOK_HEADER_VALUE } from './sizes.ts'
import type { BodySize } from './sizes.ts'

const WEBHOOKS = '/api/v1/core/webhooks'
const TAG = 'Webhooks'

/** Events that an endpoint can subscribe to. `run.pages` reports several pages at once. */
export const WEBHOOK_EVENTS = ['run.started', 'run.pages', 'run.ended', 'credits.low'] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** `failed`: no further attempt is made unless it is sent again by hand. */
export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** Why the service switched an endpoint off: it answered 410, failed for a whole schedule of retries, or has too many waiting messages. */
export const SWITCHED_OFF = ['gone', 'failing', 'overflow'] as const
export type SwitchedOff = (typeof SWITCHED_OFF)[number]

/** Hours for which both the old and the new secret sign after a rotation. */
export const DEFAULT_OVERLAP_HOURS = 24
const MAX_OVERLAP_HOURS = 168

/** Lower case. Headers that each delivery sets itself, and headers of the connection. */
const RESERVED_HEADERS: readonly string[] =
  'accept-encoding connection content-encoding content-length content-type expect host http2-settings keep-alive proxy-authorization proxy-connection te trailer transfer-encoding upgrade x-firecrawl-signature'.split(
    ' ',
  )
export const isReservedHeader = (name: string): boolean =>
  RESERVED_HEADERS.includes(name.toLowerCase()) || name.toLowerCase().startsWith('webhook-')

const headerName = z.string().check(z.regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/, { error: 'Enter a valid header name.' }))
const headerValue = text({ max: MAX_WEBHOOK_HEADER_VALUE, blank: true }).check(
  z.regex(/^[\t\x20-\x7e\x80-\xff]*$/, { error: 'Enter a valid header value.' }),
)

/** Further headers by their names. */
export const webhookHeaders = z
  .record(headerName, headerValue, { error: wrong('Expected a dictionary of items.') })
  .check(({ value, issues }) => {
    const names = Object.keys(value)
    if (names.length > MAX_WEBHOOK_HEADERS)
      issues.push({ code: 'custom', input: value, message: `Ensure this field has no more than ${MAX_WEBHOOK_HEADERS} elements.` })
    for (const name of names)
      if (isReservedHeader(name))
        issues.push({ code: 'custom', input: value, path: [name], message: `The header ${name} is set by the service itself.` })
  })

/** The URL that receives the events. */
export const webhookUrl = () => httpUrlWithoutCredentials('Put user name and password into a header, not into the URL.')

const events = () => listOf(oneOf(WEBHOOK_EVENTS), { min: 1, max: WEBHOOK_EVENTS.length })

const webhookBody = shape({
  name: z._default(text({ max: 255, blank: true }), ''),
  url: webhookUrl(),
  events: events(),
  headers: z._default(webhookHeaders, {}),
  is_enabled: z._default(flag(), true),
})
const webhookChanges = shape({
  name: z.optional(text({ max: 255, blank: true })),
  url: z.optional(webhookUrl()),
  events: z.optional(events()),
  /** A missing field keeps the stored value; a given list replaces it. */
  headers: z.optional(webhookHeaders),
  is_enabled: z.optional(flag()),
})
export type WebhookBody = z.output<typeof webhookBody>
export type WebhookChanges = z.output<typeof webhookChanges>

/** Headers of full size. */
const WEBHOOK_BODY: BodySize = { bytes: 128 * 1024, values: 256, depth: 8 }

export const webhookEndpoint = z.object({
  uuid: z.string(),
  name: z.string(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  /** Their values are not shown. */
  header_names: z.array(z.string()),
  is_enabled: z.boolean(),
  /** Set when the service switched it off. */
  switched_off: z.nullable(z.enum(SWITCHED_OFF)),
  switched_off_at: z.nullable(z.string()),
  /** The time of the first failure since the last success. */
  failing_since: z.nullable(z.string()),
  last_attempt_at: z.nullable(z.string()),
  /** The status of the answer; null when there was none. */
  last_status_code: z.nullable(z.int()),
  /** Until this time the secret before the last rotation signs as well. */
  previous_secret_until: z.nullable(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
})
export type WebhookEndpoint = z.output<typeof webhookEndpoint>

/** A new endpoint, with the secret that signs. */
export const madeWebhook = z.extend(webhookEndpoint, { secret: z.string() })

export const replayedWebhooks = z.object({ replayed: z.int(), remaining: z.int() })

export const webhookSecret = z.object({
  /** `whsec_` and base64. */
  secret: z.string(),
  previous_secret_until: z.nullable(z.string()),
})
export type WebhookSecret = z.output<typeof webhookSecret>

const deliveryFields = {
  /** The `webhook-id` of each attempt. */
  uuid: z.string(),
  type: z.string(),
  /** The run that the event is about, if any. */
  run_id: z.nullable(z.string()),
  status: z.enum(DELIVERY_STATES),
  attempts: z.int(),
  /** The status of the last answer; null when there was none. */
  status_code: z.nullable(z.int()),
  /** Why the last attempt failed, in words. */
  failure: z.nullable(z.string()),
  /** Time of the next attempt; null if there is none. */
  next_attempt_at: z.nullable(z.string()),
  created_at: z.string(),
  ended_at: z.nullable(z.string()),
}
export const webhookDelivery = z.object(deliveryFields)
export type WebhookDelivery = z.output<typeof webhookDelivery>

export const webhookAttempt = z.object({
  at: z.string(),
  took_ms: z.int(),
  url: z.string(),
  /** Values of the endpoint's own headers are masked. */
  request_headers: z.record(z.string(), z.string()),
  status_code: z.nullable(z.int()),
  failure: z.nullable(z.string()),
  response_headers: z.record(z.string(), z.string()),
  /** The first bytes of the answer as text. */
  response_body: z.string(),
  is_response_cut: z.boolean(),
})
export type WebhookAttempt = z.output<typeof webhookAttempt>

export const webhookDeliveryDetails = z.object({
  ...deliveryFields,
  /** The body as it was sent, byte for byte. */
  body: z.string(),
  /** The newest first, at most 100. */
  log: z.array(webhookAttempt),
})
export type WebhookDeliveryDetails = z.output<typeof webhookDeliveryDetails>

const OWNER_ONLY = 'Only for the owner of the team.'

export const listWebhooks = endpoint({
  method: 'GET',
  path: `${WEBHOOKS}/`,
  access: 'user+team',
  tag: TAG,
  summary: "The team's webhook endpoints, oldest first",
  answer: paged(webhookEndpoint),
})
export const createWebhook = endpoint({
  method: 'POST',
  path: `${WEBHOOKS}/`,
  access: 'user+team',
  tag: TAG,
  summary: 'Add a webhook endpoint',
  description: `${OWNER_ONLY} At most ${MAX_WEBHOOKS} in a team. Private addresses are refused unless the operator allows them. The answer contains the signing secret.`,
  body: webhookBody,
  size: WEBHOOK_BODY,
  answer: madeWebhook,
  status: 201,
})
export const getWebhook = endpoint({
  method: 'GET',
  path: `${WEBHOOKS}/{id}/`,
  access: 'user+team',
  tag: TAG,
  summary: 'One webhook endpoint of the team',
  answer: webhookEndpoint,
})
export const changeWebhook = endpoint({
  method: 'PATCH',
  path: `${WEBHOOKS}/{id}/`,
  access: 'user+team',
  tag: TAG,
  summary: 'Change fields of a webhook endpoint',
  description: `${OWNER_ONLY} While an endpoint is switched off, its waiting deliveries are held until it is switched on again, and new events are not recorded for it.`,
  body: webhookChanges,
  size: WEBHOOK_BODY,
  answer: webhookEndpoint,
})
export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: `${WEBHOOKS}/{id}/`,
  access: 'user+team',
  tag: TAG,
  summary: 'Remove a webhook endpoint with its log and its waiting deliveries',
  description: OWNER_ONLY,
  status: 204,
})
export const getWebhookSecret = endpoint({
  method: 'GET',
  path: `${WEBHOOKS}/{id}/secret/`,
  access: 'user+team',
  tag: TAG,
  summary: 'The signing secret of an endpoint',
  description: OWNER_ONLY,
  answer: webhookSecret,
})
export const rotateWebhookSecret = endpoint({
  method: 'POST',
  path: `${WEBHOOKS}/{id}/rotate-secret/`,
  access: 'user+team',
  tag: TAG,
  summary: 'Create a new signing secret; the old one stays valid for some hours',
  description: `${OWNER_ONLY} With 0 hours the old secret becomes invalid at once.`,
  body: shape({ overlap_hours: z._default(count({ min: 0, max: MAX_OVERLAP_HOURS }), DEFAULT_OVERLAP_HOURS) }),
  answer: webhookSecret,
})
export const testWebhook = endpoint({
  method: 'POST',
  path: `${WEBHOOKS}/{id}/test/`,
  access: 'user+team',
  tag: TAG,
  summary: 'Send a test event now, once, and answer with the attempt',
  description: `${OWNER_ONLY} Also to an endpoint that is switched off. At most 20 in a minute.`,
  answer: webhookDeliveryDetails,
})
export const listWebhookDeliveries = endpoint({
  method: 'GET',
  path: `${WEBHOOKS}/{id}/deliveries/`,
  access: 'user+team',
  tag: TAG,
  summary: 'Deliveries to an endpoint, sent and waiting, newest first',
  query: shape({
    status: z.optional(z.union([z.literal(''), oneOf(DELIVERY_STATES)])),
    type: z.optional(text({ max: 64, blank: true })),
  }),
  answer: paged(webhookDelivery),
})
export const getWebhookDelivery = endpoint({
  method: 'GET',
  path: `${WEBHOOKS}/{id}/deliveries/{deliveryId}/`,
  access: 'user+team',
  tag: TAG,
  summary: 'One delivery with its body and every attempt',
  answer: webhookDeliveryDetails,
})
export const replayWebhook = endpoint({
  method: 'POST',
  path: `${WEBHOOKS}/{id}/replay/`,
  access: 'user+team',
  tag: TAG,
  summary: 'Send deliveries again: the given ones, or all that failed',
  description: `${OWNER_ONLY} Id and body stay the same, and the retry schedule starts over. At most ${MAX_REPLAYED_AT_ONCE} a call, the oldest first; \`remaining\` says how many more failed.`,
  body: shape({
    /** Absent: all failed deliveries. */
    deliveries: z.optional(listOf(z.string({ error: wrong('Not a valid string.') }), { min: 1, max: MAX_DELETED_AT_ONCE })),
  }),
  answer: replayedWebhooks,
})
