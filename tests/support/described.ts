/** Checks answers against the product's own OpenAPI documents. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import * as ajvFormats from 'ajv-formats'
import { createDocument } from '#backend/reference/document.ts'
import type { ApiDocument, ApiMedia, ApiOperation, ApiResponse, JsonSchema } from '#contract/reference.ts'

/** Checks values against schemas that refer to the components of a document. */
export function schemaChecker(document: ApiDocument) {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true })
  ajvFormats.default.default(ajv)
  // Under the one keyword that JSON Schema has for a collection of schemas.
  const atHome = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll('"#/components/schemas/', '"openapi#/$defs/')) as object
  ajv.addSchema({ $id: 'openapi', $defs: atHome(document.components.schemas) })
  const compiled = new Map<JsonSchema, ValidateFunction>()
  return (schema: JsonSchema, value: unknown): string[] => {
    let validate = compiled.get(schema)
    if (validate === undefined) {
      validate = ajv.compile(atHome(schema))
      compiled.set(schema, validate)
    }
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
  }
}

/** The checks for one document. */
function describedBy(name: Parameters<typeof createDocument>[0]) {
  const document = createDocument(name, { productName: 'Seine', version: '0.0.0-test', baseUrl: 'http://127.0.0.1:3000' })
  const check = schemaChecker(document)
  const operations = new Map(
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]): [string, ApiOperation] => [`${method.toUpperCase()} ${path}`, operation]),
    ),
  )
  const patterns = Object.keys(document.paths)
    .toSorted((one, other) => one.split('{').length - other.split('{').length)
    .map((path): [string, RegExp] => [path, patternOf(path)])
  return { undescribed, describedPath }

  /**
   * The differences between an answer and its description, one line each.
   *
   * @param path  as the contract has it
   */
  function undescribed(method: string, path: string, reply: { status: number; type: string | undefined; text: string }): string[] {
    const operation = operations.get(`${method} ${path.replace(/\*$/, '{file}')}`)
    if (operation === undefined) return [`${method} ${path} is not described`]
    const response = responseOf(operation, reply.status)
    if (response === undefined) return [`the status ${reply.status} is not described`]
    if (reply.text === '' || reply.type === undefined)
      return response.content && reply.status < 300 ? ['an empty answer is not described'] : []
    const media: ApiMedia | undefined = response.content?.[reply.type]
    if (media === undefined) return [`the type ${reply.type} of status ${reply.status} is not described`]
    const event = media['x-event']
    if (event !== undefined) return eventsIn(reply.text).flatMap((one) => check(event, one))
    if (reply.type !== 'application/json' || media.schema === undefined) return []
    return check(media.schema, JSON.parse(reply.text))
  }

  /** The described path and method that a URL belongs to; undefined for an unknown path. */
  function describedPath(method: string, url: string): string | undefined {
    const [path = ''] = url.split('?')
    return patterns.find(([template, pattern]) => pattern.test(path) && operations.has(`${method} ${template}`))?.[0]
  }

  function responseOf({ responses }: ApiOperation, status: number): ApiResponse | undefined {
    const found = responses[status] ?? (isAnywhere(status) ? responses['default'] : undefined)
    return found && '$ref' in found ? document.components.responses[found.$ref.split('/').at(-1) ?? ''] : found
  }
}

/** Statuses that any URL may answer: what was deleted meanwhile, a wrong method, length or header, and failures of the server. */
const isAnywhere = (status: number) => [404, 405, 414, 417, 431].includes(status) || status >= 500

const eventsIn = (stream: string): unknown[] =>
  stream.split('\n').flatMap((line) => (line.startsWith('data:') ? [JSON.parse(line.slice('data:'.length)) as unknown] : []))

const patternOf = (path: string) =>
  new RegExp(
    `^${path
      .replace('{file}', '.+')
      .replaceAll(/\{\w+\}/g, '[^/]+')
      .replace(/\/$/, '')}/?$`,
  )

export const { describedPath, undescribed } = describedBy('all')
export const firecrawlApi = describedBy('firecrawl')
