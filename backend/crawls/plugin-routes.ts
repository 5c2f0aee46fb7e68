/** What plugins there are, and the form of each. */
import type { FastifyPluginAsync } from 'fastify'
import { getPluginsSchema } from '#contract/plugins.ts'
import { pluginsSchema } from '#backend/crawler/plugins/plugin-schema.ts'
import type { Plugin } from '#backend/crawler/plugins/plugin.ts'
import { route } from '#backend/http/route.ts'

export function pluginRoutes({ plugins }: { plugins: readonly Plugin[] }): FastifyPluginAsync {
  // They change with the program only.
  const schema = pluginsSchema(plugins)
  return async (app) => {
    route(app, getPluginsSchema, () => schema)
  }
}
