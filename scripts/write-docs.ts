// Generates documents: docs/configuration.md and .env.example from the rows of config/options.ts, and docs/api.md from the contract.
// `--check` writes nothing, and fails when a file is outdated.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import type { EndpointSpec } from '../contract/endpoint.ts'
import { ENDPOINTS } from '../contract/index.ts'
import { bodySizeOf, type BodySize } from '../contract/sizes.ts'
import { OPTIONS, type Option } from '#config/options.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The first option of each group, and the group's title. */
const GROUPS: Record<string, string> = {
  ROLE: 'Process and storage',
  PUBLIC_URL: 'Network, limits, mail and sign-in',
  CRAWLER_USER_AGENT: 'Crawling',
  SEARXNG_URL: 'Searching the web',
  OPENAI_BASE_URL: 'Language models',
  PRODUCT_NAME: 'The dashboard, plans and payment',
  METRICS_TOKEN: 'Metrics, traces and reports',
}

const ACCESS: Record<EndpointSpec['access'], string> = {
  public: 'Needs no credentials.',
  user: 'Needs a signed-in user.',
  'user+team': 'Needs a signed-in user and their current team.',
  team: 'Needs an API key, or a signed-in user and their current team.',
  signed: 'Needs the signed link, and no other credentials.',
}

/** All generated documents by path. */
export function writtenDocs(): Record<string, string> {
  return { '.env.example': environmentExample(), 'docs/api.md': apiReference(), 'docs/configuration.md': configuration() }
}

function configuration(): string {
  const lines = [
    '# Configuration',
    '',
    'Set an option as an environment variable, or as a line of a file `.env` in the working directory, encoded in UTF-8. Write a value with `#` in quotes there. None is required.',
    'If options are invalid, the product lists all errors and exits with code 78. A secret may also be in a file: add `_FILE` to the name of its option, and set it to the path.',
    '',
    '<!-- Written from config/options.ts by `npm run docs`. -->',
  ]
  for (const [name, row] of Object.entries<Option>(OPTIONS)) {
    if (GROUPS[name]) lines.push('', `## ${GROUPS[name]}`, '', '| variable | type | default | meaning |', '|---|---|---|---|')
    const kind = row.isSecret ? `secret; ${row.type}` : row.type
    lines.push(`| \`${name}\` | ${kind} | ${defaultOf(row)} | ${row.help}${row.isPublic ? ' Written into the page.' : ''} |`)
  }
  return `${lines.join('\n')}\n`
}

function environmentExample(): string {
  const lines = ['# Copy to .env and set what you want to differ. Written from config/options.ts by `npm run docs`.']
  for (const [name, row] of Object.entries<Option>(OPTIONS)) {
    if (GROUPS[name]) lines.push('', `# --- ${GROUPS[name]}`)
    const example = row.fallbackText === undefined ? textOf(row.fallback) : ''
    lines.push(
      '',
      `# ${row.help.replaceAll('`', '')} (${row.type}; default: ${defaultOf(row).replaceAll('`', '')})`,
      `# ${name}=${example}`,
    )
  }
  return `${lines.join('\n')}\n`
}

function defaultOf({ fallback, fallbackText }: Option): string {
  if (fallbackText !== undefined) return fallbackText
  return fallback === undefined ? '–' : `\`${textOf(fallback)}\``
}

/** A default as it is written in the environment. */
function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : JSON.stringify(value ?? '')
}

function apiReference(): string {
  const endpoints = [...ENDPOINTS.values()]
  const lines = [
    '# API',
    '',
    'Paths work with and without their last slash. Bodies of requests and responses are JSON in UTF-8.',
    'OpenAPI 3.1 documents: `/api/schema/` describes everything, `/api/schema/team/` the calls for which an API key is enough, `/api/schema/firecrawl/` the [Firecrawl API](from-firecrawl.md). The dashboard shows the calls for an API key under API Reference, where you can try each of them.',
    'Programs send an API key in the header `X-API-Key`; it belongs to a team. The dashboard sends an access token as `Authorization: Bearer`, and the id of a team in `x-team-id`.',
    'All errors have the same shape, `{ "code": status, "errors": null | [] | { field: [messages] }, "message": text }`; see [errors](errors.md).',
    '',
    '<!-- Written from contract/ by `npm run docs`. -->',
  ]
  for (const tag of new Set(endpoints.map((endpoint) => endpoint.tag))) {
    lines.push('', `## ${tag}`)
    for (const endpoint of endpoints.filter((candidate) => candidate.tag === tag)) lines.push(...endpointEntry(endpoint))
  }
  return `${lines.join('\n')}\n`
}

function endpointEntry({ access, answer, body, description, media, method, path, query, size, status, summary }: EndpointSpec): string[] {
  const isFile = access === 'signed' && !answer
  const success = status ?? (answer || media || isFile ? 200 : 204)
  const content = media ? `\`${media}\`` : answer ? answerLine(answer) : isFile ? 'the file' : 'nothing'
  return [
    '',
    `### ${method} \`${path}\``,
    '',
    `${summary}. ${ACCESS[access]}${description ? ` ${description}` : ''}`,
    ...fieldTable('Query', query),
    ...fieldTable('Body', body),
    ...(body ? ['', sizeLine(bodySizeOf({ ...(size && { size }) }))] : []),
    '',
    `Answers ${success} with ${content}.`,
  ]
}

const sizeLine = ({ bytes, values, depth }: BodySize) =>
  `The body: at most ${Math.floor(bytes / 1024)} KiB, ${values.toLocaleString('en-US')} values, ${depth} levels.`

type Schema = {
  type?: string | string[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  default?: unknown
  enum?: unknown[]
  minimum?: number
  maximum?: number
  maxLength?: number
}

function schemaOf(shape: z.ZodMiniType, io: 'input' | 'output'): Schema {
  return z.toJSONSchema(shape, { io, unrepresentable: 'any' }) as Schema
}

function fieldTable(title: string, shape: z.ZodMiniType | undefined): string[] {
  if (!shape) return []
  const fields = fieldsOf(schemaOf(shape, 'input'))
  if (fields.length === 0) return []
  // A default is an output value; for shapes whose parsing changes the type, only the output schema has it, or the values of an empty input.
  const read = new Map(fieldsOf(schemaOf(shape, 'output')).map(([name, schema]) => [name, schema.default]))
  const values = (shape.safeParse({}).data ?? {}) as Record<string, unknown>
  const rows = fields.map(([name, schema, isRequired]) => {
    const isFlag = typeof values[name] === 'boolean'
    const fallback = isFlag ? values[name] : (schema.default ?? read.get(name))
    return `| \`${name}\` | ${isFlag ? 'boolean' : typeOf(schema)} | ${defaultText(fallback, isRequired)} |`
  })
  return ['', `| ${title} | type | default |`, '|---|---|---|', ...rows]
}

/** The fields of an object, with dotted names for those of nested objects. */
function fieldsOf(schema: Schema, prefix = ''): [name: string, schema: Schema, isRequired: boolean][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    field.properties
      ? fieldsOf(field, `${prefix}${name}.`)
      : [[`${prefix}${name}`, field, schema.required?.includes(name) ?? false] as [string, Schema, boolean]],
  )
}

function defaultText(value: unknown, isRequired: boolean): string {
  if (value !== undefined) return `\`${JSON.stringify(value)}\``
  return isRequired ? 'required' : '–'
}

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ')
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.type === 'array') return `list of ${schema.items ? typeOf(schema.items) : 'anything'}`
  const bound = (word: string, value: number | undefined) =>
    value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? '' : `${word} ${value}`
  const range = [bound('from', schema.minimum), bound('to', schema.maximum), schema.maxLength ? `up to ${schema.maxLength} characters` : '']
  return [[schema.type ?? 'value'].flat().join(' or '), ...range].filter(Boolean).join(' ')
}

function answerLine(answer: z.ZodMiniType): string {
  const schema = schemaOf(answer, 'output')
  if (schema.type === 'string') return 'a string'
  const names = Object.keys(schema.items?.properties ?? schema.properties ?? {}).map((name) => `\`${name}\``)
  const object = names.length ? `${names.join(', ')}` : 'an object'
  return schema.type === 'array' ? `a list of ${object}` : object
}

if (import.meta.main) {
  const isCheck = process.argv.includes('--check')
  for (const [path, text] of Object.entries(writtenDocs())) {
    const file = join(root, path)
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
    if (!isCheck) {
      writeFileSync(file, text)
      console.log(`wrote ${path}`)
    } else {
      console.log(`${path} is outdated: run npm run docs`)
      process.exitCode = 1
    }
  }
}
