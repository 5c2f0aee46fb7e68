/** Webhook endpoints of a team and the log of their messages. Members read; the owner manages. */
import type { FastifyPluginAsync } from 'fastify'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  getWebhookDelivery,
  getWebhookSecret,
  listWebhookDeliveries,
  listWebhooks,
  replayWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '#contract/webhooks.ts'
import type {
  DeliveryState,
  SwitchedOff,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookEndpoint,
  WebhookEvent,
} from '#contract/webhooks.ts'
import type { MemberActor } from '#backend/http/actor.ts'
import { hrefOf } from '#backend/http/base-url.ts'
import type { BaseUrl } from '#backend/http/base-url.ts'
import { instant, instantOrNull } from '#backend/http/instants.ts'
import { pagedAnswer, pageWindow } from '#backend/http/pagination.ts'
import type { Query } from '#backend/http/pagination.ts'
import type { RateLimits } from '#backend/http/rate-limits.ts'
import { route } from '#backend/http/route.ts'
import type { DeliveryLog, ListedDelivery } from './delivery-log.ts'
import type { EndpointSecrets } from './endpoint-secrets.ts'
import type { EndpointRow, Endpoints } from './endpoints.ts'

/** Each test sends a request to a URL that the caller chose: enough tests for a person, too few for a port scan. */
const TESTS_OF_TEAM = { calls: 20, seconds: 60 }
/** For all teams of one user together. */
const TESTS_OF_USER = { calls: 40, seconds: 60 }

type Needs = {
  baseUrl: BaseUrl
  /** Throws `forbidden` unless the caller owns the team. */
  checkOwner: (actor: MemberActor) => Promise<void>
  deliveryLog: DeliveryLog
  endpoints: Endpoints
  limits: RateLimits
  /** Called when an endpoint was deleted. */
  onDeleted: () => void
  secrets: EndpointSecrets
  /** Sends a test event; returns the id of its delivery. */
  sendTest: (row: EndpointRow) => Promise<string>
}

export function webhookRoutes({
  baseUrl,
  checkOwner,
  deliveryLog,
  endpoints,
  limits,
  onDeleted,
  secrets,
  sendTest,
}: Needs): FastifyPluginAsync {
  return async (app) => {
    route(app, listWebhooks, async ({ actor, request }) => {
      const window = pageWindow(request.query as Query, await endpoints.count(actor.teamId))
      const rows = await endpoints.list(actor.teamId, { limit: window.pageSize, offset: window.offset })
      return pagedAnswer(hrefOf(baseUrl, request), window, rows.map(present))
    })
    route(app, createWebhook, async ({ actor, body }) => {
      await checkOwner(actor)
      const { row, secret } = await endpoints.create(actor.teamId, body)
      return { ...present(row), secret }
    })
    route(app, getWebhook, async ({ actor, params }) => present(await endpoints.read(actor.teamId, params.id)))
    route(app, changeWebhook, async ({ actor, body, params }) => {
      await checkOwner(actor)
      return present(await endpoints.change(actor.teamId, params.id, body))
    })
    route(app, deleteWebhook, async ({ actor, params }) => {
      await checkOwner(actor)
      await endpoints.remove(actor.teamId, params.id)
      onDeleted()
    })
    route(app, getWebhookSecret, async ({ actor, params }) => {
      await checkOwner(actor)
      return presentSecret(await endpoints.secretOf(actor.teamId, params.id))
    })
    route(app, rotateWebhookSecret, async ({ actor, body, params }) => {
      await checkOwner(actor)
      return presentSecret(await endpoints.rotate(actor.teamId, params.id, body.overlap_hours))
    })
    route(app, testWebhook, async ({ actor, params }) => {
      await checkOwner(actor)
      const row = await endpoints.read(actor.teamId, params.id)
      await limits.takeAll([
        { name: 'webhookTestByUser', limit: TESTS_OF_USER, parts: [actor.userId] },
        { name: 'webhookTestOfTeam', limit: TESTS_OF_TEAM, parts: [actor.teamId] },
      ])
      return details(row, await sendTest(row))
    })
    route(app, listWebhookDeliveries, async ({ actor, params, query, request }) => {
      const row = await endpoints.read(actor.teamId, params.id)
      const filter = { state: query.status || undefined, type: query.type || undefined }
      const window = pageWindow(request.query as Query, await deliveryLog.count(row.id, filter))
      const found = await deliveryLog.list(row.id, filter, { limit: window.pageSize, offset: window.offset })
      return pagedAnswer(
        hrefOf(baseUrl, request),
        window,
        found.map((each) => presentDelivery(row, each)),
      )
    })
    route(app, getWebhookDelivery, async ({ actor, params }) => details(await endpoints.read(actor.teamId, params.id), params.deliveryId))
    route(app, replayWebhook, async ({ actor, body, params }) => {
      await checkOwner(actor)
      const row = await endpoints.read(actor.teamId, params.id)
      return deliveryLog.replay(row.id, body.deliveries)
    })
  }

  async function details(row: EndpointRow, id: string): Promise<WebhookDeliveryDetails> {
    const delivery = await deliveryLog.read(row.id, id)
    const log = await deliveryLog.attemptsOf(delivery.no)
    return {
      ...presentDelivery(row, delivery),
      body: delivery.body,
      log: log.map((attempt) => ({
        at: instant(attempt.at),
        took_ms: attempt.tookMs,
        url: attempt.url,
        request_headers: JSON.parse(attempt.sent) as Record<string, string>,
        status_code: attempt.status,
        failure: attempt.failure,
        response_headers: JSON.parse(attempt.headers) as Record<string, string>,
        response_body: attempt.answer,
        is_response_cut: attempt.isCut === 1,
      })),
    }
  }

  function present(row: EndpointRow): WebhookEndpoint {
    return {
      uuid: row.id,
      name: row.name,
      url: row.url,
      events: JSON.parse(row.events) as WebhookEvent[],
      header_names: Object.keys(secrets.headersOf(row) ?? {}),
      is_enabled: row.isEnabled === 1,
      switched_off: row.switchedOff as SwitchedOff | null,
      switched_off_at: instantOrNull(row.switchedOffAt),
      failing_since: instantOrNull(row.failingSince),
      last_attempt_at: instantOrNull(row.lastAttemptAt),
      last_status_code: row.lastStatus,
      previous_secret_until: instantOrNull(secrets.previousUntil(row)),
      created_at: instant(row.createdAt),
      updated_at: instant(row.updatedAt),
    }
  }
}

const presentSecret = ({ previousUntil, secret }: { secret: string; previousUntil: number | null }) => ({
  secret,
  previous_secret_until: instantOrNull(previousUntil),
})

/** Messages that wait for a disabled endpoint have no due time. */
const presentDelivery = (endpoint: EndpointRow, row: ListedDelivery): WebhookDelivery => ({
  uuid: row.id,
  type: row.type,
  run_id: row.runId,
  status: row.state as DeliveryState,
  attempts: row.attempts,
  status_code: row.lastStatus,
  failure: row.lastFailure,
  next_attempt_at: row.state === 'waiting' && endpoint.isEnabled === 1 ? instant(Math.max(row.dueAt, endpoint.restUntil)) : null,
  created_at: instant(row.createdAt),
  ended_at: instantOrNull(row.endedAt),
})
