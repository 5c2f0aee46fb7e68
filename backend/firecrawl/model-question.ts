/** Combines the formats that need a language model into one question per page; its answer has a field for each format. Pure. */
import type { Format, FormatName } from '#contract/firecrawl/shapes.ts'
import { checkSchema } from '#backend/crawler/models/check-schema.ts'
import { OPENAI_EXTRACT } from '#backend/crawler/plugins/openai-extract.ts'
import type { ActivePlugin } from '#backend/crawler/plugins/plugin.ts'
import { badRequest, needsModel } from './errors.ts'

type FormatObject = Exclude<Format, string>
/** `tracked` is data that `changeTracking` compares; it is no field of a document. */
type Field = 'json' | 'summary' | 'answer' | 'highlights' | 'tracked'

/** Maps the model's answer to fields of a document. */
export type ModelFields = {
  fields: Field[]
  /** The answer is the value of `json` itself. */
  isPlain: boolean
  /** v1 returns structured data under the name of its format. */
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
/** For structured data that is described in words only. */
const ANY_OBJECT = { type: 'object', additionalProperties: true }

export const asksModel = (formats: readonly Format[] = []): boolean =>
  formats.some((format) => (typeof format === 'string' ? FIELDS[format as FormatName] : fieldOf(format)) !== undefined)

const fieldOf = (format: FormatObject): Field | undefined => (tracksData(format) ? 'tracked' : FIELDS[format.type])

/** Whether a format compares the extracted data of a page with that of its earlier copy. */
export const tracksData = ({ modes, prompt, schema, type }: FormatObject): boolean =>
  type === 'changeTracking' && modes?.includes('json') === true && (schema !== undefined || !!prompt)

/**
 * The question for these formats; null when none needs a model.
 *
 * @param model     name of the model; null when the team has none
 * @param jsonName  the document's field for structured data
 * @throws {Refused} without a model, and for an incomplete format
 */
export function modelQuestion(
  formats: readonly FormatObject[],
  { jsonName = 'json', model }: { model: string | null; jsonName?: ModelFields['jsonName'] | undefined },
): { plugin: ActivePlugin; fields: ModelFields } | null {
  const asked = formats.flatMap((format) => {
    const field = fieldOf(format)
    // Without a model, pages are still compared by their text.
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

/** The fields of a document from the model's answer; fields that it did not fill in are omitted. */
export function modelFieldsOf(extraction: unknown, { fields, isPlain, jsonName }: ModelFields): Record<string, unknown> {
  if (extraction === undefined || extraction === null) return {}
  const values = isPlain ? { json: extraction } : (extraction as Record<string, unknown>)
  return Object.fromEntries(
    fields.flatMap((field) =>
      field === 'tracked' || values[field] === undefined ? [] : [[field === 'json' ? jsonName : field, values[field]]],
    ),
  )
}

/** The data that `changeTracking` compares, from the model's answer; undefined without any. */
export function trackedOf(extraction: unknown, model: ModelFields | undefined): unknown {
  if (model?.fields.includes('tracked') !== true || extraction === undefined || extraction === null) return undefined
  return (extraction as Record<string, unknown>)['tracked']
}

/** Names of the document's fields that a model fills in. */
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
      if (format.mode === 'directQuote')
        return { prompt: `The sentences of the page, word for word, that answer this question: ${question}`, schema: TEXT }
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

/** Moves a schema into another one: adjusts its references to its new place. */
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
