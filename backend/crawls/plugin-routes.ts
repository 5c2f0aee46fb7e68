/** Lists the plugins and their forms. */
import type { FastifyPluginAsync } from 'fastify'
import { getPluginsSchema } from '#contract/plugins.ts'
import { withModels } from '#backend/crawler/plugins/openai-extract.ts'
import type { OfferedModel } from '#backend/crawler/plugins/openai-extract.ts'
import { pluginsSchema } from '#backend/crawler/plugins/plugin-schema.ts'
import type { Plugin } from '#backend/crawler/plugins/plugin.ts'
import { route } from '#backend/http/route.ts'

/** @param modelsOf  the language models that a team may ask */
export function pluginRoutes({
  modelsOf,
  plugins,
}: {
  modelsOf: (teamId: string) => Promise<readonly OfferedModel[]>
  plugins: readonly Plugin[]
}): FastifyPluginAsync {
  return async (app) => {
    route(app, getPluginsSchema, async ({ actor }) => pluginsSchema(withModels(plugins, await modelsOf(actor.teamId))))
  }
}
