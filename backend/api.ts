/** The API as one plugin: body parsing, error responses, authentication, the routes of each feature, and a response for all other paths. */
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { MAX_TARGET_LENGTH } from '#contract/sizes.ts'
import { AppError } from './errors.ts'
import { authenticateWith } from './http/authenticate.ts'
import type { Callers } from './http/authenticate.ts'
import { allowOrigins } from './http/cors.ts'
import { acceptJsonBodies } from './http/json-body.ts'
import { sendEmpty, sendError } from './http/reply.ts'

/**
 * @param callers      identifies callers
 * @param corsOrigins  other origins whose pages may call
 * @param features     the routes of each feature
 */
export function createApi({ callers, corsOrigins, features, maxBodyBytes }: ApiNeeds): FastifyPluginAsync {
  return async (app) => {
    acceptJsonBodies(app, { maxBytes: maxBodyBytes })
    app.setErrorHandler((error, _request, reply) => sendError(reply, error))
    // First, so that pages of these origins can read every refusal.
    allowOrigins(app, corsOrigins)
    app.addHook('onRequest', async ({ url }) => {
      if (url.length > MAX_TARGET_LENGTH) throw new AppError('target_too_long')
    })
    authenticateWith(app, callers)
    const known = rememberPaths(app)
    for (const routes of features) await app.register(routes)
    reserveWords(app, known)
    answerOtherPaths(app, known)
  }
}

type ApiNeeds = { callers: Callers; corsOrigins: readonly string[]; features: readonly FastifyPluginAsync[]; maxBodyBytes: number }

const ALL_PATHS = ['/api', '/api/*', '/health/*']

type KnownRoute = { url: string; pattern: RegExp; method: string }

/** Records every route that is added later. */
function rememberPaths(app: FastifyInstance): readonly KnownRoute[] {
  const known: KnownRoute[] = []
  app.addHook('onRoute', ({ config, method, url }) => {
    if (ALL_PATHS.includes(url) || config?.isRefusal === true) return
    const pattern = new RegExp(`^${url.replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`)
    for (const each of [method].flat()) known.push({ url, pattern, method: each })
  })
  return known
}

const methodsIn = (routes: readonly KnownRoute[]) => [...new Set(routes.map(({ method }) => method))]

/**
 * A path that is written out, such as `…/batch/`, is never read as one with an id: it gets 405 for the methods that only the latter has. The
 * router takes even nothing for an id, as in `DELETE …/webhooks/`.
 */
function reserveWords(app: FastifyInstance, known: readonly KnownRoute[]): void {
  const withIds = known.filter(({ url }) => /^\/api\/[^*]*:[^*]*$/.test(url))
  const refused = [...new Set(known.map(({ url }) => url).filter((url) => /^\/api\/[^:*]*$/.test(url)))].map((url) => {
    const allowed = methodsIn(known.filter((route) => route.url === url))
    const others = methodsIn(
      withIds.filter(({ pattern, method }) => !allowed.includes(method) && (pattern.test(url) || pattern.test(`${url}-`))),
    )
    return { url, allowed, others }
  })
  for (const { allowed, others, url } of refused)
    if (others.length > 0)
      app.route({
        method: others as HTTPMethods[],
        url,
        exposeHeadRoute: false,
        config: { isRefusal: true },
        onRequest: async (request, reply) => refuseMethod(request, reply, allowed),
        handler: async () => undefined,
      })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route only refuses a method. */
    isRefusal?: boolean
  }
}

function refuseMethod({ method }: FastifyRequest, reply: FastifyReply, allowed: readonly string[]): never {
  reply.header('allow', [...allowed, 'OPTIONS'].join(', '))
  throw new AppError('method_not_allowed', { message: `Method "${method}" not allowed.` })
}

/** Rejects unknown methods and paths before it reads any body. */
function answerOtherPaths(app: FastifyInstance, known: readonly KnownRoute[]): void {
  for (const url of ALL_PATHS)
    app.route({
      method: app.supportedMethods,
      url,
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        const [path = ''] = request.url.split('?')
        const own = known.filter(({ url: written }) => written === path)
        const methods = methodsIn(own.length > 0 ? own : known.filter(({ pattern }) => pattern.test(path)))
        if (methods.length === 0) throw new AppError('not_found')
        if (request.method !== 'OPTIONS') return refuseMethod(request, reply, methods)
        return sendEmpty(reply.header('allow', [...methods, 'OPTIONS'].join(', ')))
      },
      handler: async () => undefined,
    })
}
