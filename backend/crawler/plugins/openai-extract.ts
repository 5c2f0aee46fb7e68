/** Extraction of structured data by a language model. The engine asks the model; this file defines the options. */
import { checkSchema } from '../models/check-schema.ts'
import type { JsonSchema } from '../models/check-schema.ts'
import type { ActivePlugin, Plugin } from './plugin.ts'
import { givenOptions } from './plugin-schema.ts'

export const OPENAI_EXTRACT = 'openai_extract'
const MOST_SECONDS = 600
const MOST_PROMPT = 8000

/** A model that a team may ask; `hasPrice`: its price is known. */
export type OfferedModel = { name: string; hasPrice: boolean }

export const openaiExtract: Plugin = {
  key: OPENAI_EXTRACT,
  title: 'LLM extraction',
  description: 'A language model reads each page and answers with data in the shape of your schema.',
  options: {
    llm_model: { type: 'string', title: 'LLM Model', ui: { widget: 'select', placeholder: 'Select a model' } },
    prompt: {
      type: 'string',
      title: 'Prompt',
      description: 'What to extract, in words',
      default: '',
      maxLength: MOST_PROMPT,
      ui: { widget: 'textarea', rows: 3, placeholder: 'The name and the price of the product' },
    },
    extractor_schema: {
      type: 'object',
      title: 'Extractor Schema',
      description: 'A JSON Schema that every answer must fit. What it does not name is dropped.',
      default: { type: 'object', properties: {} },
      ui: { widget: 'json-editor', editorHeight: '300px' },
    },
    max_tokens: {
      type: 'integer',
      title: 'Most tokens',
      description: 'Of the whole crawl, read and written. Further pages are kept without extraction.',
      minimum: 1000,
      ui: { placeholder: 'As many as the server allows' },
    },
    max_seconds: {
      type: 'integer',
      title: 'Most seconds for one page',
      default: 120,
      minimum: 5,
      maximum: MOST_SECONDS,
    },
  },
  required: ['llm_model'],
  judge({ extractor_schema: schema }) {
    return schema === undefined || schema === null || schema === ''
      ? []
      : checkSchema(schema).map((message) => ({ path: ['extractor_schema'], message }))
  },
}

/** Offered for models whose price is known. */
const MAX_COST = {
  type: 'number',
  title: 'Most that the crawl may cost',
  description: 'In the currency of the prices. Further pages are kept without extraction.',
  minimum: 0,
} as const

/** The plugins that a team sees: extraction by a model only when there is a model. */
export function withModels(plugins: readonly Plugin[], models: readonly OfferedModel[]): readonly Plugin[] {
  const [first] = models
  if (first === undefined) return plugins.filter(({ key }) => key !== OPENAI_EXTRACT)
  const names = models.map(({ name }) => name)
  return plugins.map((plugin) => {
    if (plugin.key !== OPENAI_EXTRACT) return plugin
    const { llm_model, max_tokens, ...others } = plugin.options
    const ui = { ...llm_model!.ui, options: names.map((name) => ({ label: name, value: name })) }
    return {
      ...plugin,
      options: {
        llm_model: { ...llm_model!, default: first.name, enum: names, ui },
        ...others,
        max_tokens: max_tokens!,
        ...(models.some(({ hasPrice }) => hasPrice) && { max_cost: MAX_COST }),
      },
    }
  })
}

export type ModelWish = {
  model: string
  prompt: string
  schema: JsonSchema
  maxTokens: number | null
  maxCost: number | null
  maxSeconds: number
}

/** The crawl's options for extraction by a model; null when it asks for none. */
export function modelWish(plugins: readonly ActivePlugin[]): ModelWish | null {
  const active = plugins.find(({ key }) => key === OPENAI_EXTRACT)
  if (active === undefined) return null
  const given = givenOptions({ ...openaiExtract.options, max_cost: MAX_COST }, active.values)
  const textOf = (name: string) => (typeof given[name] === 'string' ? given[name] : '')
  const numberOf = (name: string) => (typeof given[name] === 'number' ? given[name] : null)
  return {
    model: textOf('llm_model'),
    prompt: textOf('prompt'),
    schema: given['extractor_schema'] as JsonSchema,
    maxTokens: numberOf('max_tokens'),
    maxCost: numberOf('max_cost'),
    maxSeconds: numberOf('max_seconds') ?? 120,
  }
}
