/** Webhooks: events of a team, sent to URLs that it chose. */
import type { BackendConfig } from '#backend/config.ts'
import type { Egress } from '#backend/crawler/fetch/egress.ts'
import type { Mails } from '#backend/mails/mails.ts'
import { createSealer } from '#backend/platform/secrets.ts'
import type { Ports } from '#backend/ports.ts'
import type { RunEnded } from '#backend/store/run-endings.ts'
import type { Transaction } from '#backend/platform/database/database.ts'
import type { Language } from '#contract/languages.ts'
import type { SwitchedOff } from '#contract/webhooks.ts'
import { testBody } from './bodies.ts'
import { createCreditsLow } from './credits-low.ts'
import type { Allowance } from './credits-low.ts'
import { createDeliveries } from './deliveries.ts'
import { createDeliveryLog } from './delivery-log.ts'
import { createEndpointSecrets } from './endpoint-secrets.ts'
import { createEndpoints } from './endpoints.ts'
import type { EndpointRow } from './endpoints.ts'
import { createLogKeeper } from './keep-log.ts'
import type { PostHost } from './post-host.ts'
import { webhookRoutes } from './routes.ts'
import { createRunFeeds } from './run-feeds.ts'
import type { MadeRun, RunBodies } from './run-feeds.ts'
import { CLAIM_MS, createSender, longestWaitMs } from './sender.ts'

type Others = {
  allowance: Allowance
  checkOwner: Parameters<typeof webhookRoutes>[0]['checkOwner']
  egress: Pick<Egress, 'judgeUrl'>
  /** The mail that tells a team's owner that an endpoint was switched off. */
  mail: Mails['webhookOff']
  poster: PostHost
  /** The owners of a team. */
  readersOf: (transaction: Transaction, teamId: string) => Promise<{ email: string; language: Language | null }[]>
  /** The message bodies for an endpoint that was requested with a run. */
  bodiesOf: (metadata: string | null, events: readonly string[], run: { runId: string; teamId: string }) => RunBodies
}

/** Its routes, and hooks for runs; `start` begins to send, once everything else is ready. */
export function webhooksFeature(
  config: BackendConfig,
  ports: Ports,
  { allowance, checkOwner, egress, mail, poster, readersOf, bodiesOf }: Others,
) {
  const { baseUrl, bus, database, every, keyFor, limits, log, newId, now, outbox, steady, warn } = ports
  const waitsMs = config.webhookRetrySeconds.map((seconds) => seconds * 1000)
  const deliveries = createDeliveries({
    database,
    claimMs: CLAIM_MS,
    longestMs: longestWaitMs(waitsMs),
    newId,
    now,
    onWaiting: () => sender.wake(),
  })
  const deliveryLog = createDeliveryLog({ database, now, onWaiting: () => sender.wake() })
  const secrets = createEndpointSecrets({ now, sealer: createSealer(keyFor('webhooks')) })
  const endpoints = createEndpoints({
    database,
    maySendTo: async (url) => (await egress.judgeUrl(url)) === null,
    newId,
    now,
    onEnabled: () => sender.wake(),
    secrets,
  })
  const feeds = createRunFeeds({
    bus,
    database,
    deliveries,
    endpoints,
    every,
    now,
    warn,
    bodiesOf: ({ events, metadata, teamId }, runId) => bodiesOf(metadata, JSON.parse(events) as string[], { runId, teamId }),
  })
  const creditsLow = createCreditsLow({ allowance, database, deliveries, endpoints, now, warn })
  const sender = createSender({
    database,
    deliveries,
    endpoints,
    log,
    now,
    onSettled: feeds.onSettled,
    onSwitchedOff: (row, why) => void tellOwner(row, why),
    post: poster.post,
    secrets,
    steady,
    userAgent: `${config.productName.replace(/[^\w.-]+/g, '-')}-Webhooks/${config.version}`,
    waitsMs,
  })
  const keeper = createLogKeeper({
    database,
    deliveries,
    deliveryLog,
    endpoints,
    every,
    logDays: config.webhookLogDays,
    now,
    onSwitchedOff: (row, why) => void tellOwner(row, why),
    warn,
  })
  const routes = webhookRoutes({
    baseUrl,
    checkOwner,
    deliveryLog,
    endpoints,
    limits,
    onDeleted: () => void keeper.look(),
    secrets,
    async sendTest(row) {
      const body = testBody(now(), row.id)
      const delivery = await deliveries.addClaimed({ endpointId: row.id, type: 'webhook.test', runId: null, body })
      await sender.sendNow(row, delivery)
      return delivery.id
    },
  })
  return { endpoints, addFeed: feeds.addFeed, onRunMade, onRunEnded, routes: [routes], start, close }

  /** Call in the transaction that creates a run. */
  async function onRunMade(transaction: Transaction, run: MadeRun): Promise<void> {
    await feeds.onMade(transaction, run)
    creditsLow.changed(run.teamId)
  }

  async function onRunEnded(transaction: Transaction, ended: RunEnded): Promise<void> {
    await feeds.onEnded(transaction, ended)
    creditsLow.changed(ended.teamId)
  }

  async function tellOwner(row: EndpointRow, why: SwitchedOff): Promise<void> {
    // The owner cannot correct an endpoint that belongs to one run, so no mail is sent.
    if (row.runNo !== null) return
    log.warn({ endpoint: row.id, team: row.teamId, why }, 'a webhook endpoint was switched off')
    try {
      await database.transaction().execute(async (transaction) => {
        for (const { email, language } of await readersOf(transaction, row.teamId))
          await outbox.queue(transaction, {
            to: email,
            mail: mail({ url: row.url, why, language }),
          })
      })
    } catch (error) {
      warn({ err: error }, 'the owner of a team could not be told that a webhook endpoint was switched off')
    }
  }

  async function start(): Promise<void> {
    await feeds.start()
    sender.start()
    void keeper.look()
  }

  async function close(): Promise<void> {
    await feeds.close()
    await creditsLow.close()
    await keeper.close()
    await sender.close()
    await poster.close()
  }
}
