/**
 * A TypeScript client generated from an OpenAPI document, like those of client generators: one type for each component, one entry for each
 * operation. A property may be left out when it is not required; outside of requests a default makes it required, as common generators have it.
 */
import type { ApiDocument, ApiOperation, ApiParameter, JsonSchema } from '#contract/reference.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** The text of the module. It exports the components' types, `Operations`, and `createClient`. */
export function typescriptClient(document: ApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ path, method: method.toUpperCase(), operation: item[method] }] : [])),
  )
  return [
    ...Object.entries(document.components.schemas).map(([name, schema]) => `export type ${name} = ${typeOf(schema, false)}`),
    `export type Operations = {\n${operations.map(({ operation }) => `  ${operation.operationId}: ${signatureOf(operation)}`).join('\n')}\n}`,
    `const PLACES: Record<keyof Operations, readonly [method: string, path: string]> = ${JSON.stringify(
      Object.fromEntries(operations.map(({ operation, method, path }) => [operation.operationId, [method, path]])),
    )}`,
    RUNTIME,
  ].join('\n')
}

const RUNTIME = `
type Given = { path?: object; query?: object; headers?: object; body?: unknown }
export function createClient(base: string, own: Record<string, string>) {
  return async function call<Name extends keyof Operations>(name: Name, input: Operations[Name]['input']): Promise<Operations[Name]['answer']> {
    const { path = {}, query = {}, headers = {}, body } = input as Given
    const [method, template] = PLACES[name]
    const values = path as Record<string, string>
    const url = new URL(base + template.replace(/\\{(\\w+)\\}/g, (_, key: string) => encodeURIComponent(values[key] ?? '')))
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, String(value))
    const reply = await fetch(url, {
      method,
      headers: { ...own, ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(name + ' was answered ' + reply.status + ': ' + text)
    return (text === '' ? undefined : JSON.parse(text)) as Operations[Name]['answer']
  }
}
`

function signatureOf({ parameters = [], requestBody, responses }: ApiOperation): string {
  const of = (place: ApiParameter['in']) => parameters.filter((parameter) => parameter.in === place)
  const group = (name: string, some: ApiParameter[]) => {
    if (some.length === 0) return []
    const isNeeded = some.some(({ required }) => required)
    return [
      `${name}${isNeeded ? '' : '?'}: { ${some.map((one) => `${JSON.stringify(one.name)}${one.required ? '' : '?'}: ${typeOf(one.schema, true)}`).join('; ')} }`,
    ]
  }
  const schema = requestBody?.content['application/json']?.schema
  const body = schema === undefined ? [] : [`body${requestBody?.required ? '' : '?'}: ${typeOf(schema, true)}`]
  const input = [...group('path', of('path')), ...group('query', of('query')), ...group('headers', of('header')), ...body]
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const answer = success && 'content' in success ? success.content?.['application/json']?.schema : undefined
  return `{ input: { ${input.join('; ')} }; answer: ${answer === undefined ? 'unknown' : typeOf(answer, false)} }`
}

/** @param isAsked  inside a request, where a property with a default is optional */
function typeOf(schema: JsonSchema, isAsked: boolean): string {
  const inside = (part: JsonSchema) => typeOf(part, isAsked)
  // A named shape is described once, for requests and responses.
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((word) => JSON.stringify(word)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return `(${choices.map(inside).join(' | ')})`
  if (schema.allOf) return `(${schema.allOf.map(inside).join(' & ')})`
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return 'unknown'
  return `(${types.map((type) => plainTypeOf(type, schema, isAsked)).join(' | ')})`
}

function plainTypeOf(type: string, schema: JsonSchema, isAsked: boolean): string {
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'array') return `Array<${schema.items ? typeOf(schema.items, isAsked) : 'unknown'}>`
  if (type !== 'object') return type
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const isThere = schema.required?.includes(name) || (!isAsked && field.default !== undefined)
    return `${JSON.stringify(name)}${isThere ? '' : '?'}: ${typeOf(field, isAsked)}`
  })
  const { additionalProperties: others } = schema
  if (typeof others !== 'object') return `{ ${fields.join('; ')} }`
  const map = `{ [name: string]: ${typeOf(others, isAsked)} }`
  return fields.length === 0 ? map : `{ ${fields.join('; ')} } & ${map}`
}
