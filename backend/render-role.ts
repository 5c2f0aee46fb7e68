/** The role `renderer`: a process that renders pages for the engines of others. It has no database and no key of the product. */
import type { FastifyPluginAsync } from 'fastify'
import type { Server } from 'node:http'
import type { BackendConfig, Log } from './config.ts'
import { sendJson } from './http/reply.ts'
import { HOW_TO_INSTALL, findChromium } from './renderer/find-chromium.ts'
import { serveRenderCalls } from './renderer/render-service.ts'
import { rendererHost } from './renderer/renderer-host.ts'

export class BrowserFault extends Error {}

type RenderConfig = Pick<
  BackendConfig,
  | 'browserPlaces'
  | 'chromiumPath'
  | 'crawlerUserAgent'
  | 'dataDir'
  | 'egressAllow'
  | 'egressResolver'
  | 'renderConcurrency'
  | 'rendererToken'
>

/** @throws BrowserFault when this machine has no browser */
export function createRenderService(config: RenderConfig, log: Log) {
  const browser = findChromium({ ...config.browserPlaces, chromiumPath: config.chromiumPath })
  if (browser === null) throw new BrowserFault(`ROLE is "renderer", and there is no browser here. ${HOW_TO_INSTALL}`)
  const { rendererToken: token } = config
  if (token === undefined) throw new BrowserFault('ROLE is "renderer", which needs RENDERER_TOKEN')
  let isUsable = true
  const renderer = rendererHost({
    dataDir: config.dataDir,
    settings: {
      browserPath: browser.path,
      egressAllow: config.egressAllow.join(','),
      egressResolver: config.egressResolver ?? null,
      slots: config.renderConcurrency,
      userAgent: config.crawlerUserAgent,
    },
    log,
    onUsable: (is) => (isUsable = is),
  })
  const api: FastifyPluginAsync = async (app) => {
    const end = serveRenderCalls(app.server as Server, { renderer, token })
    app.addHook('preClose', async () => end())
    app.get('/health/live', async (_request, reply) => sendJson(reply, 200, '{"status":"ok"}'))
    app.get('/health/ready', async (_request, reply) => {
      const state = isUsable ? 'ok' : 'failed'
      return sendJson(reply, isUsable ? 200 : 503, JSON.stringify({ status: state, checks: { browser: state } }))
    })
  }
  return { api, metrics: async () => [], retire: () => undefined, close: () => renderer.close() }
}
