/** A receiver of webhooks on loopback: it stores each raw body, and answers as the test says. */
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { serve } from './serve.ts'
import { until } from '#tests/support/until.ts'

export type Received = { at: number; path: string; headers: IncomingMessage['headers']; raw: Buffer; json: Event }
/** The parsed body. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Event = { type: string; timestamp: string; data: any } & Record<string, any>
type Answer = (received: Received, response: ServerResponse, times: number) => void

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** @param answer  by default 204 */
export async function startReceiver(answer: Answer = (_received, response) => response.writeHead(204).end()) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const raw = Buffer.concat(chunks)
      const one: Received = {
        at: performance.now(),
        path: request.url ?? '',
        headers: request.headers,
        raw,
        json: JSON.parse(raw.toString()) as Event,
      }
      received.push(one)
      answer(one, response, received.filter(({ path }) => path === one.path).length)
    })
  })
  const { close, url } = await serve(server)
  return {
    received,
    url: (path = '/') => url + path,
    types: (path?: string) => received.filter((one) => path === undefined || one.path === path).map(({ json }) => json.type),
    /** Resolves when this many have arrived in total. */
    arrived: (count: number) => until(() => received.length >= count),
    close,
  }
}

/** Signatures by Standard Webhooks, implemented here from its text: base64 of HMAC-SHA256 over id, timestamp and body. */
export function signatureOf({ headers, raw }: Received, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signed = Buffer.concat([Buffer.from(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`), raw])
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
