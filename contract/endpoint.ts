/** An endpoint is one value: the server binds it, the browser calls it and the API reference shows it. Its path is written only there. */
import * as z from 'zod/mini'
import type { BodySize } from './sizes.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call.
 * `public` needs no credentials, a stale token is ignored · `user` a user's token · `user+team` a user's token with a team resolved ·
 * `team` a user's token or an API key · `signed` anyone who holds a signed link.
 */
export type Access = 'public' | 'user' | 'user+team' | 'team' | 'signed'

export type EndpointSpec = {
  method: Method
  /** Path as on the wire, `{name}` for a parameter; the server accepts it with and without the last slash. */
  path: string
  access: Access
  tag: string
  summary: string
  /** Longer text for the API reference. */
  description?: string
  query?: z.ZodMiniType
  body?: z.ZodMiniType
  /** Limits of the body: bytes, values and depth. Default: the limits of a form, see `bodySizeOf`. */
  size?: BodySize
  /** The body is the part `options` of a form, as JSON, beside a part `file`. */
  isUpload?: true
  /** Exempt from rate limits: the payment provider's events come in bursts, and clients that poll give up at a 429. */
  isUncounted?: true
  /** A query parameter that may hold the API key, for clients that can be given nothing but a URL. */
  keyParameter?: string
  /** Shape of a successful JSON answer; absent for 204, streams and archives. */
  answer?: z.ZodMiniType
  /** Success may also be 204 without a body, if there is no content. */
  orEmpty?: true
  /** Status of success. Default: 200 with an answer, 204 without. */
  status?: number
  /** Media type of success when it is not JSON. */
  media?:
    | 'text/event-stream'
    | 'text/csv'
    | 'text/html'
    | 'text/plain; charset=utf-8'
    | 'application/zip'
    | 'application/xml'
    | 'application/octet-stream'
}

/** Declares an endpoint and keeps its literal types. */
export const endpoint = <const E extends EndpointSpec>(spec: E): E => spec

/** Names of the parameters in a path: `'/a/{id}/b/{key}/'` has `'id' | 'key'`. */
export type PathParam<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParam<Rest> : never

export type QueryOf<E extends EndpointSpec> = E['query'] extends z.ZodMiniType ? z.output<E['query']> : Record<string, never>
export type BodyOf<E extends EndpointSpec> = E['body'] extends z.ZodMiniType ? z.output<E['body']> : undefined
export type BodyInput<E extends EndpointSpec> = E['body'] extends z.ZodMiniType ? z.input<E['body']> : undefined
export type AnswerOf<E extends EndpointSpec> = E['answer'] extends z.ZodMiniType
  ? z.output<E['answer']> | (E extends { orEmpty: true } ? undefined : never)
  : undefined

/** Fills in the parameters of a path, percent-encoded. */
export function fillPath(path: string, params: Record<string, string> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

/** The body of every error response. */
export type ErrorBody = { code: number; errors: FieldErrors | never[] | null; message: string }
export type FieldErrors = { [field: string]: FieldMessages }
export type FieldMessages = string[] | FieldErrors | FieldErrors[]

/** One page of a list. */
export const paged = <T extends z.ZodMiniType>(item: T) =>
  z.object({ count: z.int(), next: z.nullable(z.string()), previous: z.nullable(z.string()), results: z.array(item) })

export type Paged<T> = { count: number; next: string | null; previous: string | null; results: T[] }

export const DEFAULT_PAGE_SIZE = 25
export const MAX_PAGE_SIZE = 100
