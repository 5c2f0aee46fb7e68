/** The receivers of the hostile site as webhook endpoints of the running product: after one crawl, checks what each receiver got. */
import { createHash, createHmac } from 'node:crypto'
import { login } from '#contract/accounts.ts'
import { createCrawl } from '#contract/crawls.ts'
import { fillPath } from '#contract/endpoint.ts'
import { createWebhook, getWebhook, listWebhookDeliveries } from '#contract/webhooks.ts'
import type { WebhookDelivery, WebhookEndpoint } from '#contract/webhooks.ts'
import type { HostileCase, Verdict } from './hostile-product.ts'
import { startHostileSite } from './hostile-site.ts'
import type { HostileHits } from './hostile-site.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'

type Hook = { id: string; ms: number; sha256: string; headers: Record<string, string>; body: string }
type Outcome = { delivery: WebhookDelivery; endpoint: WebhookEndpoint; hooks: Hook[]; bytes: number }

/** Short, so that a whole schedule fits into a test. */
const WAITS_SECONDS = [0.5, 1, 2]
const ATTEMPTS = WAITS_SECONDS.length + 1
const POLL_MS = 100
/**
 * Bytes that a receiver's own kernel takes of its answer (Linux: `tcp_wmem`), whether we read or not. The site counts them as sent. Measured
 * with a reader that stood still: 4,046,867 bytes were written, 126,995 of them were sent to it.
 */
const SEND_BUFFER_BYTES = 4 * 1024 * 1024

/** The expectations of each receiver; each returns what does not hold. */
const CHECKS: Record<string, (outcome: Outcome) => string[]> = {
  'hook-ok': ({ delivery, hooks }) => [...must(delivery, 'delivered'), ...times(hooks, 1)],
  'hook-fail-3': ({ delivery, hooks }) => [...must(delivery, 'delivered'), ...times(hooks, 4), ...growing(hooks)],
  'hook-always-500': ({ delivery, endpoint, hooks }) => [
    ...must(delivery, 'failed'),
    ...times(hooks, ATTEMPTS),
    ...off(endpoint, 'failing'),
  ],
  'hook-gone': ({ delivery, endpoint, hooks }) => [...must(delivery, 'failed'), ...times(hooks, 1), ...off(endpoint, 'gone')],
  'hook-redirect': ({ delivery, hooks }) => [...must(delivery, 'failed'), ...times(hooks, ATTEMPTS)],
  'hook-silent': ({ delivery, hooks }) => [...must(delivery, 'failed'), ...times(hooks, ATTEMPTS)],
  'hook-endless': ({ delivery, hooks }) => [...must(delivery, 'delivered'), ...times(hooks, 1)],
  'hook-slow-ack': ({ delivery, hooks }) => [...must(delivery, 'delivered'), ...times(hooks, 1)],
  'hook-busy': ({ delivery, hooks }) => [...must(delivery, 'delivered'), ...times(hooks, 3), ...gaps(hooks, 2500)],
  'hook-reset': ({ delivery, hooks }) => [...must(delivery, 'failed'), ...times(hooks, ATTEMPTS)],
}

/**
 * Runs the cases of the group `webhook` together, with a product and a site of their own.
 *
 * @param takes  which of them
 */
export async function judgeWebhooks(takes: (id: string) => boolean = () => true): Promise<Verdict[]> {
  const site = await startHostileSite({ maxBodyMib: 64, maxHoldSeconds: 60 })
  const product = await startProduct({
    EGRESS_ALLOW: site.allow,
    EGRESS_RESOLVER: site.resolver,
    WEBHOOK_RETRY_SECONDS: WAITS_SECONDS.join(','),
  })
  try {
    const { access } = await call<{ access: string }>('POST', login.path, OWNER)
    const cases = (site.cases as HostileCase[]).filter(({ id, needs }) => needs === 'webhook' && takes(id))
    const made = []
    for (const each of cases)
      made.push({
        each,
        ...(await call<WebhookEndpoint & { secret: string }>('POST', createWebhook.path, { url: each.url, events: ['run.ended'] }, access)),
      })
    const page = (site.cases as HostileCase[]).find(({ id }) => id === 'big-but-fine')!
    const from = performance.now()
    await call('POST', createCrawl.path, { url: page.url, options: { page_options: { ignore_rendering: true } } }, access)
    return await Promise.all(
      made.map(async ({ each, secret, uuid }) => {
        const params = { id: uuid }
        const delivery = await settled(params, from, each.expect.maxMs, access)
        const tookMs = performance.now() - from
        const endpoint = await call<WebhookEndpoint>('GET', fillPath(getWebhook.path, params), undefined, access)
        const hits = (await site.hits()) as unknown as Omit<HostileHits, 'hooks'> & { hooks: Hook[] }
        const hooks = hits.hooks.filter(({ id }) => id === each.id)
        const bytes = hits.cases[each.id]?.bytes ?? 0
        const faults =
          delivery === undefined
            ? ['nothing was sent']
            : [
                ...(CHECKS[each.id]?.({ delivery, endpoint, hooks, bytes }) ?? ['the case is not known']),
                ...sameMessage(hooks, delivery, secret),
              ]
        if (hits.canary.requests + hits.canary.udp > 0) faults.push(`the internal service was reached: ${JSON.stringify(hits.canary)}`)
        const mostBytes = each.expect.maxBytes + SEND_BUFFER_BYTES
        if (bytes > mostBytes) faults.push(`${bytes} bytes were written, ${mostBytes} allowed`)
        if (each.expect.maxHits !== undefined && hooks.length > each.expect.maxHits) faults.push(`${hooks.length} requests`)
        const ended = `${delivery?.status ?? 'none'}${delivery?.failure ? `: ${delivery.failure}` : ''}`
        return { id: each.id, group: each.group, expected: 'webhook', ended, tookMs, requests: hooks.length, bytes, faults }
      }),
    )
  } finally {
    await product.close()
    await site.stop()
  }

  async function settled(params: { id: string }, from: number, maxMs: number, access: string): Promise<WebhookDelivery | undefined> {
    for (;;) {
      const { results } = await call<{ results: WebhookDelivery[] }>('GET', fillPath(listWebhookDeliveries.path, params), undefined, access)
      const [delivery] = results
      if (delivery !== undefined && delivery.status !== 'waiting') return delivery
      if (performance.now() - from > maxMs + 60_000) return delivery
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }

  async function call<T>(method: string, path: string, body?: unknown, access?: string): Promise<T> {
    const reply = await fetch(product.url + path, {
      method,
      headers: {
        ...(access !== undefined && { authorization: `Bearer ${access}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const said = await reply.text()
    if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${said}`)
    return JSON.parse(said) as T
  }
}

const must = ({ status }: WebhookDelivery, wanted: string) => (status === wanted ? [] : [`it is ${status}, not ${wanted}`])
const times = (hooks: Hook[], wanted: number) => (hooks.length === wanted ? [] : [`${hooks.length} requests, ${wanted} wanted`])
const off = ({ switched_off: why }: WebhookEndpoint, wanted: string) => (why === wanted ? [] : [`switched off: ${why}, not ${wanted}`])
const gapsOf = (hooks: Hook[]) => hooks.slice(1).map(({ ms }, index) => ms - hooks[index]!.ms)
const gaps = (hooks: Hook[], leastMs: number) =>
  gapsOf(hooks).every((gap) => gap >= leastMs) ? [] : [`gaps of ${gapsOf(hooks).join(', ')} ms`]
const growing = (hooks: Hook[]) => {
  const found = gapsOf(hooks)
  return found.every((gap, index) => gap >= WAITS_SECONDS[index]! * 1000 - 50) ? [] : [`gaps of ${found.join(', ')} ms`]
}

/** Every request has the id and the body of the delivery, and a signature by Standard Webhooks over the raw body. */
function sameMessage(hooks: Hook[], { uuid }: WebhookDelivery, secret: string): string[] {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return hooks.flatMap(({ body, headers, sha256 }) => {
    const signed = createHmac('sha256', key).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64')
    return [
      ...(headers['webhook-id'] === uuid ? [] : ['another id']),
      ...(sha256 === hooks[0]!.sha256 && createHash('sha256').update(body).digest('hex') === sha256 ? [] : ['another body']),
      ...(headers['webhook-signature'] === `v1,${signed}` ? [] : ['the signature is wrong']),
    ]
  })
}
