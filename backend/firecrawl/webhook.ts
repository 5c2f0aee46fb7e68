/** The webhook of a crawl or batch: sends its start, each page and its end as Firecrawl's events. */
import * as z from 'zod/mini'
import { MAX_URL_LENGTH } from '#contract/sizes.ts'
import { webhookHeaders, webhookUrl } from '#contract/webhooks.ts'
import type { OnMade, Runs } from '#backend/runs/runs.ts'
import type { Run } from '#backend/runs/run.ts'
import type { RunFacts } from '#backend/webhooks/bodies.ts'
import type { Endpoints } from '#backend/webhooks/endpoints.ts'
import type { Message, RunBodies, RunFeeds } from '#backend/webhooks/run-feeds.ts'
import { badRequest } from './errors.ts'
import type { Asked } from './scrape-spec.ts'
import type { Statuses } from './status.ts'

/** As clients send it; the contract has validated the outer shape. */
type AskedWebhook = string | { url: string; headers?: unknown; metadata?: unknown; events?: string[] | undefined } | null | undefined

export type WebhookNeeds = {
  addFeed: RunFeeds['addFeed']
  endpoints: Pick<Endpoints, 'createForRun' | 'secretFor'>
  /** Whether the address guard allows the URL. */
  maySendTo: (url: string) => Promise<boolean>
}

/** Documents per read; each is sent in a message of its own. */
const PAGES_AT_ONCE = 10
const EVENTS = ['started', 'page', 'completed', 'failed', 'cancelled'] as const
const PREFIXES = ['crawl', 'batch_scrape']
const MAX_METADATA_BYTES = 16 * 1024

/**
 * What to store with the run for its webhook; undefined without a webhook. Throws the refusal for the caller.
 *
 * If the team has an endpoint with the same URL, its secret signs the messages.
 */
export async function askedWebhook({ addFeed, endpoints, maySendTo }: WebhookNeeds, webhook: AskedWebhook): Promise<OnMade | undefined> {
  if (webhook === undefined || webhook === null) return undefined
  const asked = typeof webhook === 'string' ? { url: webhook } : webhook
  const url = checked('webhook.url', webhookUrl(), asked.url)
  if (url.length > MAX_URL_LENGTH || !(await maySendTo(url))) throw badRequest('webhook.url: This address is not allowed.')
  const headers = checked('webhook.headers', webhookHeaders, asked.headers ?? {})
  const metadata = checked('webhook.metadata', z.record(z.string(), z.unknown()), asked.metadata ?? {})
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES) throw badRequest('webhook.metadata may take 16 KiB as JSON.')
  const events = asked.events?.length ? asked.events.map(eventOf) : [...EVENTS]
  return async (transaction, { runNo, teamId }) => {
    const secret = await endpoints.secretFor(transaction, teamId, url)
    const id = await endpoints.createForRun(transaction, teamId, runNo, { url, headers, events, metadata, secret })
    await addFeed(transaction, runNo, id)
  }
}

function checked<T extends z.ZodMiniType>(field: string, shape: T, value: unknown): z.output<T> {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  throw badRequest(`${field}: ${result.error.issues[0]?.message ?? 'Not valid.'}`)
}

/** `page` or `crawl.page`: returns the last part. */
function eventOf(text: string): string {
  const [prefix = '', name] = text.split('.', 2)
  const event = name === undefined ? prefix : PREFIXES.includes(prefix) ? name : ''
  if (!(EVENTS as readonly string[]).includes(event)) throw badRequest(`webhook.events: ${text.slice(0, 60)} is not known.`)
  return event
}

const ENDS: Readonly<Record<string, string>> = { finished: 'completed', failed: 'failed', canceled: 'cancelled' }

/**
 * The bodies of such a webhook.
 *
 * @param askedOf  returns the request that made a run
 * @param base     prefix of links to files
 */
export function createWebhookBodies({
  askedOf,
  base,
  newId,
  runs,
  statuses,
}: {
  askedOf: (run: Run) => Asked
  base: () => string
  newId: () => string
  runs: Pick<Runs, 'read'>
  statuses: Pick<Statuses, 'documents'>
}) {
  return (metadataText: string | null, events: readonly string[], { runId, teamId }: { runId: string; teamId: string }): RunBodies => {
    const metadata = JSON.parse(metadataText ?? '{}') as object
    const wants = (event: string) => events.includes(event)
    return {
      started: async (run) => (wants('started') ? messageOf(run, 'started') : null),
      pagesAtOnce: wants('page') ? PAGES_AT_ONCE : null,
      async pages(_facts, pages, first) {
        const run = await runs.read(teamId, 'crawl', runId)
        const messages: Message[] = []
        for await (const { text } of statuses.documents(run, askedOf(run), first, first + pages.length, base()))
          messages.push(messageOf(run, 'page', text.toString()))
        return messages
      },
      async ended(run) {
        const event = ENDS[run.status] ?? 'failed'
        if (!wants(event)) return null
        return messageOf(run, event, null, event === 'failed' ? `The job failed: ${run.reason ?? 'unknown reason'}` : null)
      },
    }

    function messageOf(
      run: Pick<RunFacts, 'variant'>,
      event: string,
      document: string | null = null,
      error: string | null = null,
    ): Message {
      const id = newId()
      const type = `${run.variant === 'batch' ? 'batch_scrape' : 'crawl'}.${event}`
      const head = JSON.stringify({ success: error === null, type, id: runId, webhookId: id })
      const tail = JSON.stringify({ ...(error !== null && { error }), metadata })
      // The document is JSON text already, so insert it.
      return { id, type, body: `${head.slice(0, -1)},"data":[${document ?? ''}],${tail.slice(1)}` }
    }
  }
}
