/** Settings, health and readiness. */
import type { FastifyPluginAsync } from 'fastify'
import { getSettings } from '#contract/settings.ts'
import { route, spellings } from '#backend/http/route.ts'
import { sendJson } from '#backend/http/reply.ts'
import type { SettingsReader } from './settings.ts'

/** `off` is fine: the optional part is not configured. */
export type Check = 'ok' | 'failed' | 'off'
export type Checks = { database: Check; storage: Check; queue: Check; browser: Check; bucket: Check }

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
        // Without these, crawls go on.
        const { browser, bucket, ...needed } = await check()
        const isReady = Object.values(needed).every((state) => state === 'ok')
        return sendJson(
          reply,
          isReady ? 200 : 503,
          JSON.stringify({ status: isReady ? 'ok' : 'failed', checks: { ...needed, browser, bucket } }),
        )
      })
  }
}
