/** The API as one plugin: body parsing, error responses, authentication, the routes of each feature, and a response for all other paths. */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
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
    app.addHook('onRequest', async ({ url }) => {
      if (url.length > MAX_TARGET_LENGTH) throw new AppError('target_too_long')
    })
    allowOrigins(app, corsOrigins)
    authenticateWith(app, callers)
    const methodsOf = rememberPaths(app)
    for (const routes of features) await app.register(routes)
    answerOtherPaths(app, methodsOf)
  }
}

type ApiNeeds = { callers: Callers; corsOrigins: readonly string[]; features: readonly FastifyPluginAsync[]; maxBodyBytes: number }

const ALL_PATHS = ['/api', '/api/*']

/** Records every route that is added later. Returns a function that lists the methods of a path. */
function rememberPaths(app: FastifyInstance): (path: string) => string[] {
  const known: { pattern: RegExp; method: string }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    if (ALL_PATHS.includes(url)) return
    const pattern = new RegExp(`^${url.replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`)
    for (const each of [method].flat()) known.push({ pattern, method: each })
  })
  return (path) => [...new Set(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))]
}

/** Rejects unknown methods and paths before it reads any body. */
function answerOtherPaths(app: FastifyInstance, methodsOf: (path: string) => string[]): void {
  for (const url of ALL_PATHS)
    app.route({
      method: app.supportedMethods,
      url,
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        const methods = methodsOf(request.url.split('?')[0] ?? '')
        if (methods.length === 0) throw new AppError('not_found')
        reply.header('allow', [...methods, 'OPTIONS'].join(', '))
        if (request.method === 'OPTIONS') return sendEmpty(reply)
        throw new AppError('method_not_allowed', { message: `Method "${request.method}" not allowed.` })
      },
      handler: async () => undefined,
    })
}
