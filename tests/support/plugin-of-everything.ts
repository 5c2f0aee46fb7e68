/** A plugin that asks for a value of every kind, as another server might have one. */
import type { PluginSchema } from '#contract/plugins.ts'

export const EVERYTHING: PluginSchema = {
  title: 'LLM extraction',
  description: 'Turns each page into structured data.',
  type: 'object',
  properties: {
    is_active: { type: 'boolean', title: 'Is Active', default: false },
    llm_model: {
      type: 'string',
      title: 'LLM Model',
      default: 'small-model',
      enum: ['small-model', 'large-model'],
      ui: { widget: 'select', placeholder: 'Select a model', options: [{ label: 'Small', value: 'small-model' }] },
    },
    prompt: { type: 'string', title: 'Prompt', minLength: 5, ui: { widget: 'textarea', rows: 3 } },
    secret: { type: 'string', title: 'Key', format: 'password' },
    contact: { type: 'string', title: 'Contact', format: 'email' },
    endpoint: { type: 'string', title: 'Endpoint', format: 'uri' },
    since: { type: 'string', title: 'Since', format: 'date' },
    code: { type: 'string', title: 'Code', pattern: '^[A-Z]+$' },
    temperature: { type: 'number', title: 'Temperature', minimum: 0, maximum: 2, default: 0.5 },
    tone: { type: 'string', title: 'Tone', enum: ['plain', 'warm'], ui: { widget: 'radio' } },
    detail: { type: 'integer', title: 'Detail', enum: [1, 2, 3], ui: { widget: 'radio', inline: true } },
    strict: { type: 'boolean', title: 'Strict', default: true },
    cheap: { type: 'boolean', title: 'Cheap', ui: { widget: 'checkbox' } },
    retry: {
      type: 'object',
      title: 'Retry',
      properties: { times: { type: 'integer', title: 'Times', minimum: 1, maximum: 5 }, on: { type: 'boolean', title: 'On timeouts' } },
    },
    fields: {
      type: 'array',
      title: 'Fields',
      minItems: 1,
      maxItems: 2,
      items: { type: 'object', title: 'Field', properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] },
    },
    extractor_schema: {
      type: 'object',
      title: 'Extractor Schema',
      default: { type: 'object', properties: {} },
      ui: { widget: 'json-editor', editorHeight: '160px' },
    },
  },
  required: ['is_active'],
  dependentRequired: { is_active: ['llm_model', 'prompt'] },
}
