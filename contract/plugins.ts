/** Plugins, which process each page, and the form for their options in a crawl. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Hints for how a form renders a value; a form may ignore them. */
export type UiHints = {
  widget?: 'textarea' | 'radio' | 'switch' | 'checkbox' | 'select' | 'json-editor' | 'password'
  placeholder?: string
  rows?: number
  options?: { label: string; value: string | number; disabled?: boolean }[]
  editorHeight?: string
  fontSize?: number
  editorOptions?: Record<string, unknown>
  inline?: boolean
  className?: string
}

/** One value of a plugin's options: the part of JSON Schema (draft-07) that forms and checks understand. */
export type ValueSchema = {
  type: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array'
  title?: string
  description?: string
  default?: unknown
  enum?: readonly (string | number)[]
  /** The format of a text. A `password` is hidden while it is typed. */
  format?: 'email' | 'uri' | 'date' | 'password'
  minLength?: number
  maxLength?: number
  pattern?: string
  minimum?: number
  maximum?: number
  items?: ValueSchema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  /** An object without properties may contain anything. */
  properties?: Record<string, ValueSchema>
  required?: readonly string[]
  /** Fields that are required if the named field is set; `false` counts as absent. */
  dependentRequired?: Record<string, readonly string[]>
  ui?: UiHints
}

/** The form of one plugin. `is_active` is its first property and the only required one. */
export type PluginSchema = ValueSchema & { type: 'object'; title: string; properties: Record<string, ValueSchema> }

export const getPluginsSchema = endpoint({
  method: 'GET',
  path: '/api/v1/core/plugins/schema',
  access: 'user+team',
  tag: 'Plugins',
  summary: 'The options of the installed plugins, as a JSON Schema',
  description:
    'One property for each installed plugin; its name is the key in `plugin_options` of a crawl. `ui` tells forms how to show a value.',
  answer: z.object({
    $schema: z.string(),
    type: z.literal('object'),
    properties: z.record(
      z.string(),
      z.looseObject({
        title: z.string(),
        type: z.literal('object'),
        properties: z.record(z.string(), z.record(z.string(), z.unknown())),
        required: z.array(z.string()),
      }),
    ),
  }),
})
