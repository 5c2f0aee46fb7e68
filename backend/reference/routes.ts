/** The OpenAPI documents over HTTP. */
import { setImmediate } from 'node:timers/promises'
import type { FastifyPluginAsync } from 'fastify'
import { getSchema, getSchemaPage, getSchemaViewer, getTeamSchema } from '#contract/reference.ts'
import type { ApiDocument } from '#contract/reference.ts'
import type { BaseUrl } from '#backend/http/base-url.ts'
import { route } from '#backend/http/route.ts'
import type { Extent } from './document.ts'

export function referenceRoutes({
  baseUrl,
  productName,
  version,
}: {
  baseUrl: BaseUrl
  productName: string
  version: string
}): FastifyPluginAsync {
  // Loaded and made when somebody first asks: most starts of the product are not for reading this.
  const made = new Map<Extent, ApiDocument>()
  return async (app) => {
    route(app, getSchema, ({ request }) => document('all', baseUrl(request)))
    for (const page of [getSchemaPage, getSchemaViewer])
      route(app, page, async ({ request, reply }) => {
        const all = await document('all', baseUrl(request))
        const { PAGE_POLICY, referencePage } = await import('./page.ts')
        return reply
          .header('content-security-policy', PAGE_POLICY)
          .header('content-type', 'text/html')
          .send(Buffer.from(referencePage(all)))
      })
    route(app, getTeamSchema, ({ request }) => document('team', baseUrl(request)))
  }

  async function document(extent: Extent, url: string): Promise<ApiDocument> {
    const { createDocument } = await import('./document.ts')
    // Loading and making are a turn each.
    if (!made.has(extent)) await setImmediate()
    const known = made.get(extent) ?? createDocument(extent, { productName, version, baseUrl: url })
    made.set(extent, known)
    return { ...known, servers: [{ url }] }
  }
}
