/** The options of plugins: their schema, and the values that a plugin receives. Pure. */
import type { PluginSchema, ValueSchema } from '#contract/plugins.ts'
import type { Plugin } from './plugin.ts'

/** The form of one plugin: `is_active` comes first and is always required; the plugin's other required options only when it is active. */
export function pluginSchema({ description, options, required = [], title }: Plugin): PluginSchema & { required: string[] } {
  return {
    title,
    description,
    type: 'object',
    properties: { is_active: { type: 'boolean', title: 'Is Active', default: false }, ...options },
    required: ['is_active'],
    ...(required.length > 0 && { dependentRequired: { is_active: [...required] } }),
  }
}

/** The forms of all plugins as one document. Source: JSON Schema, draft-07. */
export function pluginsSchema(plugins: readonly Plugin[]) {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object' as const,
    properties: Object.fromEntries(plugins.map((plugin) => [plugin.key, pluginSchema(plugin)])),
  }
}

/** The options for a plugin: the values that were sent, with defaults, without unknown ones. */
export function givenOptions(options: Record<string, ValueSchema>, values: Record<string, unknown>): Record<string, unknown> {
  const given: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(options)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    const isGiven = value !== undefined && value !== null && value !== ''
    if (isGiven && schema.type === 'object' && schema.properties)
      given[name] = givenOptions(schema.properties, value as Record<string, unknown>)
    else if (isGiven) given[name] = value
    else if (schema.default !== undefined) given[name] = schema.default
  }
  return given
}
