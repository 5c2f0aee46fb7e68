/** The endpoint for the payment provider's events. Nothing of a message is parsed before its signature over the raw bytes is verified. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { takePaymentEvent } from '#contract/plans.ts'
import { AppError } from '#backend/errors.ts'
import { parseBody } from '#backend/http/json-body.ts'
import { route } from '#backend/http/route.ts'
import type { TakeEvent } from './payment-events.ts'
import { PaymentFault } from './payment-provider.ts'
import type { PaymentProvider } from './payment-provider.ts'

export function webhookRoutes({
  provider,
  takeEvent,
}: {
  provider: Pick<PaymentProvider, 'isGenuine' | 'readEvent'>
  takeEvent: TakeEvent
}): FastifyPluginAsync {
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.addHook('preHandler', async (request) => {
      request.body = readGenuine(request)
    })
    route(app, takePaymentEvent, async ({ body }) => {
      try {
        await takeEvent(provider.readEvent(body))
      } catch (cause) {
        // The provider will send it again.
        throw cause instanceof PaymentFault ? new AppError('unavailable', { cause }) : cause
      }
    })
  }

  function readGenuine(request: FastifyRequest): unknown {
    const signature = request.headers['stripe-signature']
    if (typeof signature !== 'string' || signature === '')
      throw new AppError('bad_payment_signature', { message: 'Signature header is missing.' })
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    if (!provider.isGenuine(body, signature)) throw new AppError('bad_payment_signature')
    return parseBody(request.headers['content-type'], body, takePaymentEvent.size)
  }
}
