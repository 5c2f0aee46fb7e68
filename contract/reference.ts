/** The types of the API's own description: OpenAPI 3.1 documents, as far as this product writes and reads them. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import type { BodySize } from './sizes.ts'

const TAG = 'API description'

const document = z.record(z.string(), z.unknown())

export const getSchema = endpoint({
  method: 'GET',
  path: '/api/schema/',
  access: 'public',
  tag: TAG,
  summary: 'The OpenAPI 3.1 document of every endpoint',
  answer: document,
})
export const getTeamSchema = endpoint({
  method: 'GET',
  path: '/api/schema/team/',
  access: 'public',
  tag: TAG,
  summary: 'The OpenAPI 3.1 document of what an API key can call',
  answer: document,
})

export const getFirecrawlSchema = endpoint({
  method: 'GET',
  path: '/api/schema/firecrawl/',
  access: 'public',
  tag: TAG,
  summary: 'The OpenAPI 3.1 document of the Firecrawl API, v1 and v2',
  answer: document,
  description: 'A separate document, because this API has other errors and two versions of each endpoint.',
})

export const getSchemaPage = endpoint({
  method: 'GET',
  path: '/api/schema/redoc/',
  access: 'public',
  tag: TAG,
  summary: 'All endpoints on one page',
  media: 'text/html',
  description: 'Without scripts, and without anything from another host.',
})
export const getSchemaViewer = endpoint({
  method: 'GET',
  path: '/api/schema/swagger-ui/',
  access: 'public',
  tag: TAG,
  summary: 'The same page at another common path',
  media: 'text/html',
})

export const getLlmsText = endpoint({
  method: 'GET',
  path: '/llms.txt',
  access: 'public',
  tag: TAG,
  summary: 'A description of this server and its API for language models',
  media: 'text/plain; charset=utf-8',
})

/** JSON Schema 2020-12, as far as the contract's shapes need it. */
export type JsonSchema = {
  $ref?: string
  type?: string | string[]
  description?: string
  deprecated?: boolean
  format?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  propertyNames?: JsonSchema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  maxProperties?: number
  pattern?: string
}

export type ApiParameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  deprecated?: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}

export type ApiReference = { $ref: string }

/** `x-event` is the shape of one event of a stream, for which OpenAPI 3.1 has no keyword. */
export type ApiMedia = { schema?: JsonSchema; example?: unknown; 'x-event'?: JsonSchema }

export type ApiResponse = { description: string; headers?: Record<string, unknown>; content?: Record<string, ApiMedia> }

export type ApiOperation = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, string[]>[]
  parameters?: ApiParameter[]
  /** `x-limits` has the limits of the body. */
  requestBody?: { description: string; required: boolean; content: Record<string, ApiMedia>; 'x-limits': BodySize }
  responses: Record<string, ApiResponse | ApiReference>
}

export type ApiDocument = {
  openapi: string
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, ApiOperation>>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, ApiResponse>
    securitySchemes: Record<string, Record<string, string>>
  }
}
