/** Reads an OpenAPI document: operations by tag, search, and resolution of references. Pure. */
import type { ApiDocument, ApiMedia, ApiOperation, ApiReference, ApiResponse, JsonSchema } from '#contract/reference.ts'

/** The language of the document's texts, whatever the dashboard's language is. Screen readers need it. */
export const DOCUMENT_LANGUAGE = 'en'

/** The document in an answer; null when it is invalid. */
export function readDocument(answer: unknown): ApiDocument | null {
  const document = answer as Partial<ApiDocument> | null | undefined
  if (typeof document?.openapi !== 'string' || typeof document.paths !== 'object') return null
  const { schemas = {}, responses = {}, securitySchemes = {} }: Partial<ApiDocument['components']> = document.components ?? {}
  return {
    openapi: document.openapi,
    info: { title: '', version: '', description: '', ...document.info },
    servers: document.servers ?? [],
    tags: document.tags ?? [],
    paths: document.paths,
    components: { schemas, responses, securitySchemes },
  }
}

/** `words`: the searched text, in lower case. */
export type Call = { id: string; method: string; path: string; operation: ApiOperation; words: string }
export type CallGroup = { tag: string; description: string; calls: Call[] }

/** The operations by tag, in the document's order; tags that the document does not declare come last. */
export function groupsOf({ paths, tags }: ApiDocument): CallGroup[] {
  const calls = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Call => {
      const call = { id: operation.operationId, method: method.toUpperCase(), path, operation }
      return { ...call, words: wordsOf(call) }
    }),
  )
  const descriptions = new Map(tags.map(({ name, description = '' }) => [name, description]))
  const names = new Set([...descriptions.keys(), ...calls.flatMap(({ operation }) => operation.tags)])
  return [...names]
    .map((tag) => ({ tag, description: descriptions.get(tag) ?? '', calls: calls.filter(({ operation }) => operation.tags.includes(tag)) }))
    .filter(({ calls: inside }) => inside.length > 0)
}

function wordsOf({ id, method, path, operation }: Omit<Call, 'words'>): string {
  const { description = '', parameters = [], requestBody, summary, tags } = operation
  const body = requestBody ? JSON.stringify(requestBody.content) : ''
  return [id, method, path, summary, description, body, ...tags, ...parameters.map(({ name }) => name)].join(' ').toLowerCase()
}

/** The groups with those calls that contain every word of the query. */
export function found(groups: readonly CallGroup[], query: string): CallGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return groups
    .map((group) => ({ ...group, calls: group.calls.filter((call) => words.every((word) => call.words.includes(word))) }))
    .filter(({ calls }) => calls.length > 0)
}

const lastOf = (reference: string) => reference.split('/').at(-1) ?? ''

/** Resolves a schema's reference; keywords beside the reference take precedence. */
export function resolved(document: ApiDocument, schema: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema
  const { $ref, ...own } = schema
  return { ...document.components.schemas[lastOf($ref)], ...own }
}

/** The name of the schema that a schema refers to. */
export const nameOf = (schema: JsonSchema): string | undefined => (schema.$ref === undefined ? undefined : lastOf(schema.$ref))

/** Resolves a response's reference; undefined if the document lacks its target. */
export const responseOf = (document: ApiDocument, response: ApiResponse | ApiReference): ApiResponse | undefined =>
  '$ref' in response ? document.components.responses[lastOf(response.$ref)] : response

/** A call's successful response: status, media type and content. */
export function successOf(
  document: ApiDocument,
  { responses }: ApiOperation,
): { status: string; type: string | undefined; media: ApiMedia | undefined } {
  const [status = '', response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
  const [type, media] = Object.entries((response && responseOf(document, response)?.content) ?? {})[0] ?? []
  return { status, type, media }
}
