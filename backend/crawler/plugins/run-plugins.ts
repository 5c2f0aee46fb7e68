/** Runs a crawl's plugins on one page after the other. An error in one plugin is reported, and costs only that plugin's result. */
import type { ActivePlugin, Plugin, PluginPage } from './plugin.ts'
import { givenOptions } from './plugin-schema.ts'

const MAX_EXTRACTION_CHARACTERS = 2 * 1024 * 1024
const MAX_DETAIL = 300

export type PluginFault = { plugin: string; detail: string }

/** JSON text of the plugins' results, null for nothing; and their errors. */
export type PluginOutcome = { extraction: string | null; faults: PluginFault[] }

export type PluginRunner = (page: PluginPage, exhausted: readonly string[]) => Promise<PluginOutcome>

/**
 * Prepares the plugins of a crawl.
 *
 * With one plugin, `extraction` is its result; with several, an object of their results by key.
 *
 * @param onTurn  called with the plugin at work, null for none, so that the pool knows which one to stop
 * @returns       null when none of them is installed and works here. The runner never rejects, and skips plugins that have exceeded their
 *   limits on this page before
 */
export function createPluginRunner(
  active: readonly ActivePlugin[],
  installed: readonly Plugin[],
  onTurn: (key: string | null) => void = () => {},
): PluginRunner | null {
  const plugins = active.flatMap(({ key, values }) => {
    const plugin = installed.find((one) => one.key === key)
    return plugin === undefined ? [] : [{ plugin, options: givenOptions(plugin.options, values) }]
  })
  const local = plugins.flatMap(({ options, plugin }) =>
    plugin.extract === undefined ? [] : [{ plugin, options, extract: plugin.extract }],
  )
  if (local.length === 0) return null
  return async (page, exhausted) => {
    const faults: PluginFault[] = []
    const given: [key: string, text: string][] = []
    for (const { extract, options, plugin } of local) {
      const { key } = plugin
      if (exhausted.includes(key)) {
        faults.push({ plugin: key, detail: 'it took too much time or memory' })
        continue
      }
      onTurn(key)
      try {
        const text = JSON.stringify(await extract.call(plugin, page, options)) as string | undefined
        if (text === undefined) continue
        if (text.length > MAX_EXTRACTION_CHARACTERS) faults.push({ plugin: key, detail: 'it gave more than 2 MiB' })
        else given.push([key, text])
      } catch (fault) {
        faults.push({ plugin: key, detail: String(fault).slice(0, MAX_DETAIL) })
      } finally {
        onTurn(null)
      }
    }
    return { extraction: written(given), faults }
  }

  function written(given: [key: string, text: string][]): string | null {
    if (given.length === 0) return null
    if (plugins.length === 1) return given[0]![1]
    return `{${given.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`
  }
}
