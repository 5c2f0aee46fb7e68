/** Binds an endpoint of the contract to a handler: checks access, input and output against the contract. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnswerOf, BodyOf, EndpointSpec, PathParam, QueryOf } from '#contract/endpoint.ts'
import { bodySizeOf } from '#contract/sizes.ts'
import { AppError } from '#backend/errors.ts'
import type { ActorOf } from './actor.ts'
import { fieldErrors } from './field-errors.ts'
import { wordsOf } from './issue-words.ts'
import { workingFor } from '#backend/platform/current-share.ts'
import { isRawJson, sendEmpty, sendJson } from './reply.ts'
import type { RawJson } from './reply.ts'

/**
 * What a handler receives. Ids among the parameters are well-formed and in lower case; `body` and `query` have been parsed by their shapes.
 */
export type Call<E extends EndpointSpec> = {
  actor: ActorOf<E['access']>
  params: Record<PathParam<E['path']> | '*', string>
  query: QueryOf<E>
  body: BodyOf<E>
  request: FastifyRequest
  reply: FastifyReply
}

/** The answer's value; finished JSON text; or the reply itself, when the handler has sent it or taken it over. */
export type Answer<E extends EndpointSpec> = AnswerOf<E> | RawJson | FastifyReply

/**
 * Serves an endpoint with and without a final slash, without a redirect.
 *
 * In this order: authentication (401) and rate limit (429), size of the body (413), format of ids (404), `permit` (403), shape of query and
 * body (400), the handler, and the answer's shape, which drops all fields that it does not name.
 *
 * @param permit  throws while nobody may call, such as when a feature is switched off
 * @param isOneTime  the call uses something up, so HEAD is refused
 */
export function route<const E extends EndpointSpec>(
  app: FastifyInstance,
  endpoint: E,
  handler: (call: Call<E>) => Promise<Answer<E> | void> | Answer<E> | void,
  { permit, isOneTime = false }: { permit?: () => void | Promise<void>; isOneTime?: boolean } = {},
): void {
  const size = bodySizeOf(endpoint)
  for (const url of spellings(endpoint.path)) {
    app.route({
      method: endpoint.method,
      url,
      bodyLimit: Math.min(size.bytes, app.maxBodyBytes),
      config: { size, ...(endpoint.isUpload === true && { isUpload: true }) },
      // Download managers ask for the head of a file first. A stream of events has no head without its events.
      exposeHeadRoute: endpoint.method === 'GET' && endpoint.media !== 'text/event-stream' && !isOneTime,
      onRequest: async (request) => {
        request.actor = await app.authenticate(request, endpoint)
      },
      handler: async (request, reply) => {
        const params = paramsOf(request)
        await permit?.()
        const call = {
          actor: request.actor as ActorOf<E['access']>,
          params,
          query: checked(endpoint.query, plainQuery(request.query)) as QueryOf<E>,
          body: checked(endpoint.body, bodyOf(request)) as BodyOf<E>,
          request,
          reply,
        }
        const answer = await workingFor(shareOf(request), () => handler(call))
        return reply.sent || answer === reply ? reply : send(endpoint, reply, answer as AnswerOf<E> | RawJson)
      },
    })
  }
}

/** Whose part of what callers share the work of a request uses. */
function shareOf({ actor, ip }: FastifyRequest): string {
  if (actor === null) return ip
  return 'share' in actor ? actor.share : actor.userId
}

/** Converts a path of the contract to Fastify's syntax, with and without the final slash. */
export function spellings(path: string): string[] {
  const url = path.replace(/\{(\w+)\}/g, ':$1')
  if (url.endsWith('*')) return [url]
  const bare = url.replace(/\/$/, '')
  return [bare, `${bare}/`]
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the caller of an endpoint, or throws the refusal. */
    authenticate(request: FastifyRequest, endpoint: EndpointSpec): Promise<ActorOf<EndpointSpec['access']>>
  }
  interface FastifyRequest {
    actor: ActorOf<EndpointSpec['access']>
  }
}

function send<E extends EndpointSpec>(endpoint: E, reply: FastifyReply, answer: AnswerOf<E> | RawJson): FastifyReply {
  if (endpoint.answer === undefined) return sendEmpty(reply, endpoint.status ?? 204)
  if (endpoint.orEmpty && answer === undefined) return sendEmpty(reply)
  const text = isRawJson(answer) ? answer.rawJson : JSON.stringify(endpoint.answer.parse(answer))
  return sendJson(reply, endpoint.status ?? 200, text)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The parameters of the path. A malformed id gets the same answer as an unknown one. */
function paramsOf(request: FastifyRequest): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.params as Record<string, string>)) {
    const isId = name === 'id' || name.endsWith('Id')
    params[name] = isId ? value.toLowerCase() : value
    if (isId && !UUID.test(value.toLowerCase())) throw new AppError('not_found')
  }
  return params
}

/** Each parameter's last value; `params[name]`, which one published client sends, counts if `name` is absent. */
function plainQuery(query: unknown): Record<string, unknown> {
  const entries = Object.entries(query as Record<string, unknown>).map(([name, value]): [string, unknown] => [
    name,
    Array.isArray(value) ? value.at(-1) : value,
  ])
  const aliases = entries.flatMap(([name, value]): [string, unknown][] => {
    const plain = /^params\[(\w+)\]$/.exec(name)?.[1]
    return plain === undefined ? [] : [[plain, value]]
  })
  return Object.fromEntries([...aliases, ...entries])
}

/** Treats a missing body as an empty object if the contract expects one, so that missing fields are named. */
const bodyOf = (request: FastifyRequest): unknown => request.body ?? (request.body === null ? null : {})

/** The most messages of one error: as many as a batch has URLs. */
const MAX_COMPLAINTS = 1000

function checked(shape: EndpointSpec['body'], input: unknown): unknown {
  if (shape === undefined) return undefined
  const result = shape.safeParse(input)
  if (result.success) return result.data
  const complaints = withoutSizes(result.error.issues)
    .slice(0, MAX_COMPLAINTS)
    .map(({ message, path, ...issue }) => ({
      path,
      // For an invalid name in a map, zod only reports the map.
      message: issue.code === 'invalid_key' ? 'Enter a valid name.' : wordsOf({ ...issue, message, path }, input, 'field'),
    }))
  throw new AppError('invalid_input', { fields: fieldErrors(complaints, input) })
}

/** zod also compares the length of a text with the limits of the list that was expected. */
function withoutSizes<I extends { code: string; path: readonly PropertyKey[] }>(issues: readonly I[]): I[] {
  const mistyped = new Set(issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => path.join('\n')))
  return issues.filter(({ code, path }) => (code !== 'too_big' && code !== 'too_small') || !mistyped.has(path.join('\n')))
}
