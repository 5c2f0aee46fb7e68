/**
 * A server in the place of Stripe: the parts of its API that the product uses, as https://docs.stripe.com/api has them, and the pages that it
 * would show, reduced to their links. It stores subscriptions, and sends the product signed events about them.
 */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { eventOf, invoiceObject, newName, signatureOf, subscriptionObject } from './stripe-events.ts'
import type { StubEvent, StubSubscription } from './stripe-events.ts'
import { serve } from './serve.ts'

const MONTH = 30 * 24 * 60 * 60

export type StubCall = { method: string; path: string; fields: Record<string, string>; headers: Record<string, string | undefined> }

/** Sends a signed message to the product; returns the status of the answer. */
export type Deliver = (body: string, signature: string) => Promise<number>

export type StripeStub = Awaited<ReturnType<typeof startStripeStub>>

/** @param now  epoch milliseconds, the clock of the product */
export async function startStripeStub({ now = Date.now }: { now?: () => number } = {}) {
  const calls: StubCall[] = []
  const subscriptions = new Map<string, StubSubscription>()
  const sent: StubEvent[] = []
  const customers = new Map<string, Record<string, string>>()
  const byKey = new Map<string, string>()
  const pages = new Map<string, Record<string, string>>()
  let trouble: number | 'silence' | null = null
  let pagesAt: string | null = null
  let deliver: Deliver = async () => 204
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  const { close, url } = await serve(server)
  const seconds = () => Math.floor(now() / 1000)

  const endpoints: Record<string, (fields: Record<string, string>, id: string, request: IncomingMessage) => unknown> = {
    'POST customers': (fields, _id, request) => {
      const key = String(request.headers['idempotency-key'])
      const id = byKey.get(key) ?? newName('cus')
      byKey.set(key, id)
      customers.set(id, fields)
      return { id, object: 'customer' }
    },
    'POST checkout/sessions': (fields) => {
      const id = newName('cs')
      pages.set(id, fields)
      return { id, object: 'checkout.session', url: `${pagesAt ?? url}/pay/${id}` }
    },
    'POST billing_portal/sessions': (fields) => {
      const id = newName('bps')
      pages.set(id, fields)
      return { id, object: 'billing_portal.session', url: `${pagesAt ?? url}/portal/${id}` }
    },
    'GET subscriptions': (_fields, id) => objectOf(id),
    'POST subscriptions': async (fields, id) => {
      if (!subscriptions.has(id)) return undefined
      const isTakenBack = fields['cancel_at_period_end'] === 'false' || fields['cancel_at'] === ''
      await change(id, isTakenBack ? { cancelAt: null } : {})
      return objectOf(id)
    },
    'DELETE subscriptions': async (_fields, id) => {
      if (!subscriptions.has(id)) return undefined
      await change(id, { status: 'canceled' })
      return objectOf(id)
    },
  }

  return {
    url,
    calls,
    customers,
    subscriptions,
    /** Every event that was sent. */
    sent,
    tell,
    subscribe,
    change,
    /** Where events are sent: the URL of the product, or a function. */
    tellTo(to: string | Deliver) {
      deliver = typeof to === 'string' ? (body, signature) => post(to, body, signature) : to
    },
    /** Answers every request with a status, or never, until reset. */
    fail(how: number | 'silence' | null) {
      trouble = how
    },
    /** Answers with URLs of pages that are not its own. */
    lie(url: string) {
      pagesAt = url
    },
    close,
  }

  /** Sends a signed event to the product. Returns the status of the answer. */
  async function tell(type: string, object: unknown, created = seconds()): Promise<number> {
    const event = eventOf(type, object, created)
    sent.push(event)
    const body = JSON.stringify(event)
    return deliver(body, signatureOf(body, seconds()))
  }

  /** A payment: creates a subscription and sends the events to the product. */
  async function subscribe(customer: string, price: string): Promise<StubSubscription> {
    const start = seconds()
    const subscription: StubSubscription = {
      id: newName('sub'),
      customer,
      price,
      status: 'active',
      start,
      periodStart: start,
      periodEnd: start + MONTH,
      cancelAt: null,
    }
    subscriptions.set(subscription.id, subscription)
    await tell('checkout.session.completed', { id: newName('cs'), object: 'checkout.session', customer })
    await tell('customer.subscription.created', subscriptionObject(subscription))
    await tell('invoice.payment_succeeded', invoiceObject({ customer }))
    return subscription
  }

  /** Changes a subscription and sends the event. */
  async function change(id: string, changes: Partial<StubSubscription>): Promise<StubSubscription> {
    const subscription = { ...subscriptions.get(id)!, ...changes }
    subscriptions.set(id, subscription)
    await tell(`customer.subscription.${subscription.status === 'canceled' ? 'deleted' : 'updated'}`, subscriptionObject(subscription))
    return subscription
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    if (!pathname.startsWith('/v1/')) return showPage(pathname, response)
    const fields = Object.fromEntries(new URLSearchParams(await bodyOf(request)))
    calls.push({
      method: request.method ?? '',
      path: pathname,
      fields: { ...Object.fromEntries(searchParams), ...fields },
      headers: request.headers as Record<string, string | undefined>,
    })
    if (trouble === 'silence') return
    if (trouble !== null) return json(response, trouble, { error: { type: 'api_error', message: 'trouble' } })
    if (!/^Bearer sk_test_\w+$/.test(request.headers.authorization ?? ''))
      return json(response, 401, { error: { type: 'invalid_request_error', message: 'Invalid API Key' } })
    const [, name = '', id] =
      /^\/v1\/(customers|checkout\/sessions|billing_portal\/sessions|subscriptions)(?:\/([^/]+))?$/.exec(pathname) ?? []
    const found = await endpoints[`${request.method} ${name}`]?.(fields, id ?? '', request)
    if (!found) return json(response, 404, { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such thing' } })
    json(response, 200, found)
  }

  function objectOf(id: string) {
    const subscription = subscriptions.get(id)
    return subscription && subscriptionObject(subscription)
  }

  /** The hosted pages: each action is a link. */
  async function showPage(path: string, response: ServerResponse) {
    const [, kind, id = '', act] = /^\/(pay|portal)\/(\w+)(?:\/(go))?$/.exec(path) ?? []
    const page = pages.get(id)
    if (!kind || !page) return void response.writeHead(404).end('no such page')
    const flow = page['flow_data[type]']
    const left = (kind === 'pay' ? page['cancel_url'] : page['return_url']) ?? ''
    const done = (kind === 'pay' ? page['success_url'] : page['flow_data[after_completion][redirect][return_url]']) ?? left
    if (act) {
      await carryOut(kind === 'pay' ? 'pay' : (flow ?? ''), page)
      return void response.writeHead(303, { location: done }).end()
    }
    const words: Record<string, string> = {
      subscription_update_confirm: 'Confirm',
      subscription_cancel: 'Cancel subscription',
      payment_method_update: 'Save payment method',
    }
    const verb = kind === 'pay' ? 'Pay' : words[flow ?? '']
    const links = [verb && `<a href="/${kind}/${id}/go">${verb}</a>`, `<a href="${left.replaceAll('&', '&amp;')}">Go back</a>`]
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><html lang="en"><title>Payment</title><h1>Payment</h1>${links.filter(Boolean).join(' ')}</html>`)
  }

  async function carryOut(what: string, page: Record<string, string>) {
    const of = page[`flow_data[${what}][subscription]`] ?? ''
    if (what === 'pay') await subscribe(page['customer'] ?? '', page['line_items[0][price]'] ?? '')
    if (what === 'subscription_update_confirm')
      await change(of, { price: page['flow_data[subscription_update_confirm][items][0][price]'] ?? '' })
    if (what === 'subscription_cancel') await change(of, { cancelAt: subscriptions.get(of)!.periodEnd })
    if (what === 'payment_method_update')
      for (const { id, customer, status } of subscriptions.values())
        if (customer === page['customer'] && status === 'past_due') await change(id, { status: 'active' })
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function json(response: ServerResponse, status: number, value: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

async function post(product: string, body: string, signature: string): Promise<number> {
  const reply = await fetch(`${product}/api/v1/plan/webhook/stripe/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body,
  })
  return reply.status
}
