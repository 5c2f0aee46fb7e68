/** Judges the options of the plugins that a crawl asks for, before it begins. Pure. */
import type { FieldErrors } from '#contract/endpoint.ts'
import { checkValue } from '#contract/plugin-values.ts'
import { activePlugins } from '#backend/crawler/plugins/active-plugins.ts'
import type { Plugin } from '#backend/crawler/plugins/plugin.ts'
import { pluginSchema } from '#backend/crawler/plugins/plugin-schema.ts'
import { fieldErrors } from '#backend/http/field-errors.ts'

/** The errors of `plugin_options` by plugin and field; empty when all is well. The values of a plugin that is not active are not judged. */
export function checkPlugins(plugins: readonly Plugin[], pluginOptions: Readonly<Record<string, unknown>>): FieldErrors {
  const unknown = Object.keys(pluginOptions)
    .filter((key) => !plugins.some((plugin) => plugin.key === key))
    .map((key) => ({ path: [key], message: 'This plugin is not installed.' }))
  const wrong = activePlugins(pluginOptions).flatMap(({ key, values }) => {
    const plugin = plugins.find((one) => one.key === key)
    return plugin === undefined ? [] : checkValue(pluginSchema(plugin), values, [key])
  })
  const complaints = [...unknown, ...wrong]
  return complaints.length === 0 ? {} : fieldErrors(complaints, pluginOptions)
}
