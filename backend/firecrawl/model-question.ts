/** What formats ask of a language model: one question about each page, whose answer has a field for each of them. Pure. */
import type { Format, FormatName } from '#contract/firecrawl/shapes.ts'
import { checkSchema } from '#backend/crawler/models/check-schema.ts'
import { OPENAI_EXTRACT } from '#backend/crawler/plugins/openai-extract.ts'
import type { ActivePlugin } from '#backend/crawler/plugins/plugin.ts'
import { badRequest, needsModel } from './errors.ts'

type FormatObject = Exclude<Format, string>
/** `tracked` is what `changeTracking` compares, and no field of a document. */
type Field = 'json' | 'summary' | 'answer' | 'highlights' | 'tracked'

/** How the answer of the model becomes fields of a document. */
export type ModelFields = {
  fields: Field[]
  /** The answer is the value of `json` itself. */
  isPlain: boolean
  /** v1 gives structured data under the name by which it was asked for. */
  jsonName: 'json' | 'extract'
}

const FIELDS: { [name in FormatName]?: Field } = {
  json: 'json',
  deterministicJson: 'json',
  summary: 'summary',
  question: 'answer',
  query: 'answer',
  highlights: 'highlights',
}
const MOST_PROMPT = 8000
const TEXT = { type: 'string' }
/** Structured data that was asked for in words alone. */
const ANY_OBJECT = { type: 'object', additionalProperties: true }

export const asksModel = (formats: readonly Format[] = []): boolean =>
  formats.some((format) => (typeof format === 'string' ? FIELDS[format as FormatName] : fieldOf(format)) !== undefined)

const fieldOf = (format: FormatObject): Field | undefined => (tracksData(format) ? 'tracked' : FIELDS[format.type])

/** Whether a format compares the data of a page with that of its earlier copy. */
export const tracksData = ({ modes, prompt, schema, type }: FormatObject): boolean =>
  type === 'changeTracking' && modes?.includes('json') === true && (schema !== undefined || !!prompt)

/**
 * The question of these formats; null where none needs a model.
 *
 * @param model     name of the model to ask; null where the team has none
 * @param jsonName  the field of structured data in the document
 * @throws {Refused} where there is no model, and for a format without what it needs
 */
export function modelQuestion(
  formats: readonly FormatObject[],
  { jsonName = 'json', model }: { model: string | null; jsonName?: ModelFields['jsonName'] | undefined },
): { plugin: ActivePlugin; fields: ModelFields } | null {
  const asked = formats.flatMap((format) => {
    const field = fieldOf(format)
    // Without a model pages are compared by their text all the same.
    return field === undefined || (field === 'tracked' && model === null) ? [] : [{ field, format }]
  })
  if (asked[0] === undefined) return null
  if (model === null) throw needsModel(`The format ${asked[0].format.type}`)
  const fields = asked.map(({ field }) => field)
  const twice = fields.find((field, at) => fields.indexOf(field) < at)
  if (twice !== undefined) throw badRequest(`Only one format may fill in ${twice}.`)
  const parts = asked.map(({ field, format }) => ({ field, ...partOf(format) }))
  const isPlain = parts.length === 1 && fields[0] === 'json'
  const prompt = (isPlain ? [parts[0]!.prompt] : parts.map((part) => `${part.field}: ${part.prompt}`)).join('\n').trim()
  if (prompt.length > MOST_PROMPT) throw badRequest(`Prompts may have at most ${MOST_PROMPT} characters together.`)
  const schema = isPlain
    ? parts[0]!.schema
    : {
        type: 'object',
        properties: Object.fromEntries(parts.map((part) => [part.field, rebased(part.schema, `#/properties/${part.field}`)])),
        required: fields,
      }
  return {
    fields: { fields, isPlain, jsonName },
    plugin: { key: OPENAI_EXTRACT, values: { is_active: true, llm_model: model, prompt, extractor_schema: schema } },
  }
}

/** Fields of a document, out of what the model has said of its page; those that it has not filled in are left out. */
export function modelFieldsOf(extraction: unknown, { fields, isPlain, jsonName }: ModelFields): Record<string, unknown> {
  if (extraction === undefined || extraction === null) return {}
  const values = isPlain ? { json: extraction } : (extraction as Record<string, unknown>)
  return Object.fromEntries(
    fields.flatMap((field) =>
      field === 'tracked' || values[field] === undefined ? [] : [[field === 'json' ? jsonName : field, values[field]]],
    ),
  )
}

/** What `changeTracking` compares, out of what the model has said of a page; undefined where it was not asked or said nothing. */
export function trackedOf(extraction: unknown, model: ModelFields | undefined): unknown {
  if (model?.fields.includes('tracked') !== true || extraction === undefined || extraction === null) return undefined
  return (extraction as Record<string, unknown>)['tracked']
}

/** The fields of a document that a model fills in. */
export const namesOf = ({ fields, jsonName }: ModelFields): string[] =>
  fields.filter((field) => field !== 'tracked').map((field) => (field === 'json' ? jsonName : field))

function partOf(format: FormatObject): { prompt: string; schema: unknown } {
  switch (format.type) {
    case 'summary':
      return { prompt: 'A summary of the page in one short paragraph.', schema: TEXT }
    case 'question':
    case 'query': {
      const question = format.type === 'question' ? format.question : (format.prompt ?? format.query)
      if (!question) throw badRequest(`The format ${format.type} needs a ${format.type === 'question' ? 'question' : 'prompt'}.`)
      return { prompt: `The answer that the page gives to this question: ${question}`, schema: TEXT }
    }
    case 'highlights':
      if (!format.query) throw badRequest('The format highlights needs a query.')
      return { prompt: `The sentences of the page, word for word, that have to do with this: ${format.query}`, schema: TEXT }
    default: {
      const { prompt, schema, systemPrompt } = format
      if (schema === undefined && !prompt) throw badRequest('The format json needs a schema or a prompt.')
      const [fault] = schema === undefined ? [] : checkSchema(schema)
      if (fault !== undefined) throw badRequest(`The schema cannot be used: ${fault}.`)
      return { prompt: [systemPrompt, prompt].filter(Boolean).join('\n'), schema: schema ?? ANY_OBJECT }
    }
  }
}

/** A schema that stands within another one: its references lead to its new place. */
function rebased(schema: unknown, place: string): unknown {
  if (Array.isArray(schema)) return schema.map((each) => rebased(each, place))
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === '$ref' && typeof value === 'string') return [keyword, value.replace(/^#/, place)]
      return [keyword, keyword === 'enum' || keyword === 'const' ? value : rebased(value, place)]
    }),
  )
}
