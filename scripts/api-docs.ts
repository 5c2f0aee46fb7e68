// Writes docs/api.md, the reference of the API for readers of the repository, from the same OpenAPI document that the server serves.
import type { ApiDocument, ApiOperation, ApiResponse, JsonSchema } from '#contract/reference.ts'
import type { Access } from '#contract/endpoint.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { bodySizeOf } from '#contract/sizes.ts'
import { createDocument } from '#backend/reference/document.ts'
import { limitText } from '#backend/reference/operation.ts'

const HEAD = `# API

For a start, read [Scrape one page](scrape.md) and [Crawl a site](crawl-a-site.md). The dashboard shows the calls for an API key under **API Reference**, where you can try each of them. The same reference as OpenAPI 3.1: \`/api/schema/team/\` has the calls for which an API key is enough, \`/api/schema/\` all, \`/api/schema/firecrawl/\` the [Firecrawl API](from-firecrawl.md).

<!-- Written from contract/ and backend/reference/ by \`npm run docs\`. -->`

const USUAL_LIMITS = limitText(bodySizeOf({}))

/** What the introduction, which is for readers with an API key, does not say. */
const MORE = `## Signed-in users

Some calls need a signed-in user instead of a key. Send the \`access\` token that \`POST /api/v1/user/auth/login/\` returns as \`Authorization: Bearer\`, and in \`x-team-id\` the id of the team that the user acts for, which otherwise is the user's oldest team.

## Size of bodies

A body has at most ${USUAL_LIMITS.replace('At most ', '').replace(/\.$/, '')}, unless its call says otherwise.`

const ACCESS: Record<Access, string> = {
  public: 'Needs no credentials.',
  user: 'Needs a signed-in user.',
  'user+team': 'Needs a signed-in user.',
  team: 'Needs an API key or a signed-in user.',
  signed: 'Needs the signed link, and no other credentials.',
}

/** Shapes that several bodies contain. Their fields are listed once, with the defaults that they have in a body. */
const SHARED = ['SpiderOptions', 'PageOptions']

/** Explained once for all endpoints, in the introduction. */
const EVERYWHERE = new Set(['x-team-id', 'page', 'page_size'])

export function apiReference(): string {
  const document = createDocument('all', { productName: 'Seine', version: '', baseUrl: '' })
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Placed => ({ method: method.toUpperCase(), path, operation })),
  )
  const shared = sharedFields(document)
  const lines = [HEAD, '', document.info.description.trim(), '', MORE]
  for (const { name, description } of document.tags) {
    lines.push('', `## ${name}`)
    if (description) lines.push('', description)
    for (const each of operations) if (each.operation.tags.includes(name)) lines.push('', ...entryOf(each, shared))
  }
  lines.push('', '## Objects', '', 'The objects of bodies and responses.')
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    lines.push('', `### \`${name}\``)
    if (schema.description) lines.push('', schema.description)
    lines.push(...(schema.oneOf ? ['', ...eventTable(schema.oneOf)] : tableOf('field', fieldRows(shared.get(name) ?? schema, shared))))
    if (!schema.oneOf && !schema.properties && schema.examples?.[0])
      lines.push('', `For example \`${JSON.stringify(schema.examples[0])}\`.`)
  }
  return `${lines.join('\n')}\n`
}

type Placed = { method: string; path: string; operation: ApiOperation }

/** Each shared shape as it is in the body of a crawl, where its fields have their defaults. */
function sharedFields({ paths, components }: ApiDocument): ReadonlyMap<string, JsonSchema> {
  const body = paths['/api/v1/core/crawl-requests/']?.['post']?.requestBody?.content['application/json']?.schema
  const options = Object.values(body?.properties?.['options']?.properties ?? {})
  const found = SHARED.map((name) => [name, options.find((option) => namesOf(option) === namesOf(components.schemas[name] ?? {}))] as const)
  return new Map(found.filter((entry): entry is [string, JsonSchema] => entry[1] !== undefined))
}

const namesOf = ({ properties = {} }: JsonSchema) => Object.keys(properties).toSorted().join(' ')

function entryOf({ method, path, operation }: Placed, shared: ReadonlyMap<string, JsonSchema>): string[] {
  const { description, operationId, parameters = [], requestBody, responses, summary } = operation
  const access = ENDPOINTS.get(operationId)!.access
  const ofKind = (kind: string) =>
    parameters
      .filter((one) => one.in === kind && !EVERYWHERE.has(one.name))
      .map((one): Row => rowOf(one.name, { ...one.schema, description: one.description ?? '' }, one.required ?? false))
  const body = Object.values(requestBody?.content ?? {})[0]?.schema
  return [
    `### ${method} \`${path}\``,
    '',
    [`${summary}.`, ACCESS[access], description].filter(Boolean).join(' '),
    ...tableOf('header', ofKind('header')),
    ...tableOf('query', ofKind('query')),
    ...tableOf('body', body ? fieldRows(body, shared) : []),
    ...(requestBody && requestBody.description !== USUAL_LIMITS ? ['', `The body: ${firstLower(requestBody.description)}`] : []),
    '',
    answerLine(responses),
  ]
}

const firstLower = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1)

type Row = [name: string, type: string, fallback: string, meaning: string]

/** The fields of an object, with dotted names for those of nested objects, unless these are a shared shape or a named object. */
function fieldRows({ properties = {}, required = [] }: JsonSchema, shared: ReadonlyMap<string, JsonSchema>, before = ''): Row[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const known = [...shared].find(([, shape]) => field.properties !== undefined && namesOf(shape) === namesOf(field))
    const row = rowOf(before + name, known ? { ...field, $ref: `/${known[0]}` } : field, required.includes(name))
    if (known) return [row]
    const below = field.properties ? fieldRows(field, shared, `${before}${name}.`) : []
    return [row, ...below, ...(field.items ? fieldRows(field.items, shared, `${before}${name}[].`) : [])]
  })
}

/** The events of a stream, which differ in their `type` and `data`. */
function eventTable(events: JsonSchema[]): string[] {
  const rows = events.map(({ properties = {} }) => `| ${typeOf(properties['type'] ?? {})} | ${typeOf(properties['data'] ?? {})} |`)
  return ['| `type` | `data` |', '|---|---|', ...rows]
}

function rowOf(name: string, schema: JsonSchema, isRequired: boolean): Row {
  const fallback = schema.default === undefined ? (isRequired ? 'required' : '–') : `\`${JSON.stringify(schema.default)}\``
  return [`\`${name}\``, typeOf(schema), fallback, schema.description ?? '']
}

function tableOf(title: string, rows: Row[]): string[] {
  return rows.length === 0 ? [] : ['', ...table(title, rows)]
}

/** The column of defaults is left out where it says nothing: fields of objects are described as they are in responses, which have them all. */
function table(title: string, rows: Row[]): string[] {
  const hasDefaults = rows.some(([, , fallback]) => fallback !== '–' && (title !== 'field' || fallback !== 'required'))
  const cells = ([name, type, fallback, meaning]: Row) => [name, type, ...(hasDefaults ? [fallback] : []), meaning]
  const line = (row: string[]) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const head = cells([title, 'type', 'default', 'meaning'])
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map((row) => line(cells(row)))]
}

function typeOf(schema: JsonSchema): string {
  const { $ref, anyOf, const: only, enum: words, items, maximum, maxLength, minimum, type } = schema
  if ($ref !== undefined) return linkTo($ref)
  if (only !== undefined) return valueText(only)
  if (words) return words.map(valueText).join(', ')
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ')
  const bound = (word: string, value: number | undefined) =>
    value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? '' : ` ${word} ${value}`
  const bounds = `${bound('from', minimum)}${bound('to', maximum)}${maxLength === undefined ? '' : ` up to ${maxLength} characters`}`
  const names = [type ?? 'any value'].flat()
  return names
    .map((name) => (name === 'array' ? `list of ${items ? typeOf(items) : 'any values'}` : `${name}${name === 'null' ? '' : bounds}`))
    .join(' or ')
}

const valueText = (value: unknown) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``

/** A link to the section of a named object. */
function linkTo(ref: string): string {
  const name = ref.split('/').at(-1) ?? ''
  return `[${name}](#${name.toLowerCase()})`
}

/** The first response of an operation is that of success. */
function answerLine(responses: ApiOperation['responses']): string {
  const [status = '', response] = Object.entries(responses)[0] ?? []
  const [type, media] = Object.entries((response as ApiResponse).content ?? {})[0] ?? []
  if (type === undefined) return `Answers ${status} with ${(response as ApiResponse).description === 'The file.' ? 'the file' : 'nothing'}.`
  if (type !== 'application/json') {
    const event = media?.['x-event']
    return `Answers ${status} with \`${type}\`${event ? ` of ${typeOf(event)}` : ''}.`
  }
  return `Answers ${status} with ${contentOf(media?.schema)}.`
}

function contentOf(schema: JsonSchema | undefined): string {
  if (schema === undefined) return 'the file'
  if (schema.$ref !== undefined) return linkTo(schema.$ref)
  const { results, ...others } = schema.properties ?? {}
  if (results?.items) return `a [list](#lists) of ${contentOf(results.items)}`
  if (schema.type === 'array') return `an array of ${contentOf(schema.items)}`
  if (schema.type === 'string') return 'a string'
  const names = Object.keys(results ? { results, ...others } : others).map((name) => `\`${name}\``)
  return names.length > 0 ? names.join(', ') : 'an object'
}
