/** Serves the OpenAPI documents. */
import { setImmediate } from 'node:timers/promises'
import type { FastifyPluginAsync } from 'fastify'
import { getFirecrawlSchema, getLlmsText, getSchema, getSchemaPage, getSchemaViewer, getTeamSchema } from '#contract/reference.ts'
import type { ApiDocument } from '#contract/reference.ts'
import type { BaseUrl } from '#backend/http/base-url.ts'
import { route } from '#backend/http/route.ts'
import { inShortTurns } from '#backend/platform/short-turns.ts'
import type { Extent } from './document.ts'
import { llmsText } from './llms-text.ts'

export function referenceRoutes({
  baseUrl,
  productName,
  version,
}: {
  baseUrl: BaseUrl
  productName: string
  version: string
}): FastifyPluginAsync {
  const texts = new Map<Form, Promise<Text>>()
  return async (app) => {
    route(app, getSchema, async ({ request, reply }) => {
      return reply.header('content-type', 'application/json').send(await json('all', baseUrl(request)))
    })
    route(app, getTeamSchema, async ({ request, reply }) => {
      return reply.header('content-type', 'application/json').send(await json('team', baseUrl(request)))
    })
    route(app, getFirecrawlSchema, async ({ request, reply }) => {
      return reply.header('content-type', 'application/json').send(await json('firecrawl', baseUrl(request)))
    })
    route(app, getLlmsText, ({ request, reply }) =>
      reply.header('content-type', 'text/plain; charset=utf-8').send(Buffer.from(llmsText({ productName, baseUrl: baseUrl(request) }))),
    )
    for (const page of [getSchemaPage, getSchemaViewer])
      route(app, page, async ({ request, reply }) => {
        const { PAGE_POLICY, escaped } = await import('./page.ts')
        return reply
          .header('content-security-policy', PAGE_POLICY)
          .header('content-type', 'text/html')
          .send(withUrl(await textOf('page'), escaped(baseUrl(request))))
      })
  }

  async function json(extent: Extent, url: string): Promise<Buffer> {
    return withUrl(await textOf(extent), JSON.stringify(url).slice(1, -1))
  }

  /** The text of a document, split at the places for the server's own URL. Cached, because anybody may request it. */
  function textOf(form: Form): Promise<Text> {
    const known = texts.get(form) ?? make(form)
    texts.set(form, known)
    known.catch(() => texts.delete(form))
    return known
  }

  // Loaded and generated with the first request: most installations never serve it.
  async function make(form: Form): Promise<Text> {
    const { documentSteps } = await import('./document.ts')
    // Loading, generating and writing each get a turn of their own.
    await setImmediate()
    const document = await inShortTurns(documentSteps(form === 'page' ? 'all' : form, { productName, version, baseUrl: URL_PLACE }))
    await setImmediate()
    const text = form === 'page' ? await pageOf(document) : JSON.stringify(document)
    await setImmediate()
    return { pieces: text.split(URL_PLACE).map((piece) => Buffer.from(piece)), last: null }
  }

  async function pageOf(document: ApiDocument): Promise<string> {
    const { referencePieces } = await import('./page.ts')
    const pieces: string[] = []
    await inShortTurns(referencePieces(document), (piece) => pieces.push(piece))
    return pieces.join('')
  }
}

type Form = Extent | 'page'

/** Placeholder for the server's URL while the texts are generated. */
const URL_PLACE = 'https://the-server.invalid'

type Text = { pieces: readonly Buffer[]; last: { url: string; whole: Buffer } | null }

/** Inserts the URL. The last result is cached, because the garbage of hundreds of kilobytes per request would stay for long. */
function withUrl(text: Text, url: string): Buffer {
  if (text.last?.url === url) return text.last.whole
  const whole = Buffer.concat(text.pieces.flatMap((piece, at) => (at === 0 ? [piece] : [Buffer.from(url), piece])))
  text.last = { url, whole }
  return whole
}
