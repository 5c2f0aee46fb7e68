import type { ActivePlugin } from './plugin.ts'

/** The plugins of a crawl: those with `is_active` exactly true, installed or not. All others stay in the options and are ignored. */
export function activePlugins(pluginOptions: Readonly<Record<string, unknown>> = {}): ActivePlugin[] {
  return Object.entries(pluginOptions).flatMap(([key, values]) => (isActive(values) ? [{ key, values }] : []))
}

const isActive = (values: unknown): values is Record<string, unknown> =>
  typeof values === 'object' && values !== null && (values as Record<string, unknown>)['is_active'] === true
