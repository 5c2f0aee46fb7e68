/** Settings, health and readiness. */
import type { FastifyPluginAsync } from 'fastify'
import { getSettings } from '#contract/settings.ts'
import { route, spellings } from '#backend/http/route.ts'
import { sendJson } from '#backend/http/reply.ts'
import type { ServiceState } from '#backend/platform/service-watch.ts'
import type { SettingsReader } from './settings.ts'

export type Checks = Record<'database' | 'storage' | 'queue', ServiceState> & OptionalChecks
/** Without these, crawls go on. */
type OptionalChecks = Record<'browser' | 'bucket' | 'mail' | 'redis' | 'search', ServiceState>

export const settingsRoutes =
  ({ settings }: { settings: SettingsReader }): FastifyPluginAsync =>
  async (app) =>
    route(app, getSettings, () => settings.read())

/** For operators; not part of the API's contract. */
export function healthRoutes({ check }: { check: () => Promise<Checks> }): FastifyPluginAsync {
  return async (app) => {
    for (const url of spellings('/health/live')) app.get(url, async (_request, reply) => sendJson(reply, 200, '{"status":"ok"}'))
    for (const url of spellings('/health/ready'))
      app.get(url, async (_request, reply) => {
        const checks = await check()
        const isReady = [checks.database, checks.storage, checks.queue].every((state) => state === 'ok')
        return sendJson(reply, isReady ? 200 : 503, JSON.stringify({ status: isReady ? 'ok' : 'failed', checks }))
      })
  }
}
