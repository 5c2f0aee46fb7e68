/** Validates the plugin options of a crawl before it starts. Pure. */
import type { FieldErrors } from '#contract/endpoint.ts'
import { checkValue } from '#contract/plugin-values.ts'
import { activePlugins } from '#backend/crawler/plugins/active-plugins.ts'
import { OPENAI_EXTRACT } from '#backend/crawler/plugins/openai-extract.ts'
import type { Plugin } from '#backend/crawler/plugins/plugin.ts'
import { pluginSchema } from '#backend/crawler/plugins/plugin-schema.ts'
import { fieldErrors } from '#backend/http/field-errors.ts'

/** Why an installed plugin may be unavailable. */
const NOT_THERE: ReadonlyMap<string, string> = new Map([[OPENAI_EXTRACT, 'No language model is configured.']])

/** The errors of `plugin_options` by plugin and field; empty without errors. Options of inactive plugins are not validated. */
export function checkPlugins(plugins: readonly Plugin[], pluginOptions: Readonly<Record<string, unknown>>): FieldErrors {
  const unknown = Object.keys(pluginOptions)
    .filter((key) => !plugins.some((plugin) => plugin.key === key))
    .map((key) => ({ path: [key], message: NOT_THERE.get(key) ?? 'This plugin is not installed.' }))
  const wrong = activePlugins(pluginOptions).flatMap(({ key, values }) => {
    const plugin = plugins.find((one) => one.key === key)
    if (plugin === undefined) return []
    const faults = checkValue(pluginSchema(plugin), values, [key])
    if (faults.length > 0 || plugin.judge === undefined) return faults
    return plugin.judge(values).map(({ message, path }) => ({ path: [key, ...path], message }))
  })
  const complaints = [...unknown, ...wrong]
  return complaints.length === 0 ? {} : fieldErrors(complaints, pluginOptions)
}
