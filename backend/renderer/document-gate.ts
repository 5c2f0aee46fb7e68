/**
 * Decides about a page's document requests: which may be sent, and what the response to the page's own document means.
 *
 * Chromium pauses every document request here (CDP `Fetch`), each redirect hop separately, before it is sent and when its response head has
 * arrived. The gate is for politeness, robots rules and headers. Protection against internal addresses is in `browser-proxy.ts`, the only
 * way out.
 */
import type { CDPSession } from 'playwright-core'
import { canonicalUrlWithTracking, hostKey } from '#backend/crawler/url/canonical-url.ts'
import { isRedirect } from '#backend/crawler/fetch/answer-headers.ts'
import type { HopVerdict } from '#backend/crawler/fetch/fetcher.ts'
import type { RenderJob, RenderOutcome } from '#backend/crawler/crawl/renderer.ts'
import { AD_HOSTS } from './ad-hosts.ts'

const MOST_HOPS = 10
/** So often a page may navigate itself within its host, by a script or a refresh. */
const MOST_MOVES = 5
/** Most documents in frames, because sites can nest frames without end. */
const MOST_FRAMES = 100

type Paused = {
  requestId: string
  frameId: string
  resourceType: string
  request: { url: string; method: string; headers: Record<string, string> }
  redirectedRequestId?: string
  responseErrorReason?: string
  responseStatusCode?: number
  responseHeaders?: { name: string; value: string }[]
}

/** The response head of the page's own document. */
type DocumentHead = { url: string; status: number; contentType: string | null; retryAfter: string | null; firstByteMs: number }

/** An outcome before the page is read; the caller adds the duration. */
type EarlyEnd =
  | Omit<Extract<RenderOutcome, { kind: 'redirected' }>, 'tookMs'>
  | Omit<Extract<RenderOutcome, { kind: 'no_page' }>, 'tookMs'>
  | Omit<Extract<RenderOutcome, { kind: 'failure' }>, 'tookMs'>
  | { kind: 'status' }

const RESOURCES = { images: 'Image', media: 'Media', fonts: 'Font' } as const

export type DocumentGate = Awaited<ReturnType<typeof openDocumentGate>>

/** Opens the gate for a page that has loaded nothing yet. */
export async function openDocumentGate(
  cdp: CDPSession,
  { beforeHop, job, mainFrame }: { beforeHop: (url: string) => Promise<HopVerdict>; job: RenderJob; mainFrame: string },
) {
  const home = hostKey(job.url)
  const { origin } = new URL(job.url)
  const ownHeaders = Object.entries(job.headers)
  const hops: string[] = []
  const startedAt = performance.now()
  let head: DocumentHead | null = null
  let end: EarlyEnd | null = null
  let leadsTo: string | null = null
  let moves = 0
  let frames = 0
  /** Set during actions: clicks may navigate within the host. */
  let isActing = false
  cdp.on('Page.frameScheduledNavigation', ({ frameId, reason, url }) => {
    const target = canonicalUrlWithTracking(url)
    if (frameId === mainFrame && reason === 'scriptInitiated' && target !== null && hostKey(target) !== home) leadsTo = target
  })
  cdp.on('Fetch.requestPaused', (event) => void decide(event as Paused).catch(() => undefined))
  const blocked = job.blocks.flatMap((name) => (name === 'ads' ? [] : [RESOURCES[name]]))
  await cdp.send('Fetch.enable', {
    patterns: [
      { urlPattern: '*', resourceType: 'Document', requestStage: 'Request' },
      { urlPattern: '*', resourceType: 'Document', requestStage: 'Response' },
      ...blocked.map((resourceType) => ({ urlPattern: '*', resourceType, requestStage: 'Request' as const })),
      ...(job.blocks.includes('ads') ? AD_HOSTS.map((host) => ({ urlPattern: `*://*.${host}/*`, requestStage: 'Request' as const })) : []),
      ...(ownHeaders.length > 0 ? [{ urlPattern: `${origin}/*`, requestStage: 'Request' as const }] : []),
    ],
  })
  return {
    hops,
    get head() {
      return head
    },
    get end() {
      return end
    },
    /** On another host: where a script of the page last wanted to navigate. */
    get leadsTo() {
      return leadsTo
    },
    set isActing(value: boolean) {
      isActing = value
    },
  }

  async function decide(event: Paused): Promise<void> {
    const isHead = event.responseStatusCode !== undefined || event.responseErrorReason !== undefined
    if (event.resourceType !== 'Document') return isBlocked(event) ? refuse(event) : go(event)
    if (event.frameId === mainFrame) return isHead ? judgeHead(event) : judgeMove(event)
    if (isHead) return goOn(event)
    frames += 1
    return frames > MOST_FRAMES || !isWeb(event.request.url) ? refuse(event) : go(event)
  }

  function isBlocked({ request, resourceType }: Paused): boolean {
    if (blocked.some((type) => type === resourceType)) return true
    if (!job.blocks.includes('ads')) return false
    const host = URL.parse(request.url)?.hostname ?? ''
    return AD_HOSTS.some((ad) => host === ad || host.endsWith(`.${ad}`))
  }

  /** Judges a navigation of the main frame: the first one, a redirect, or one by the page itself. */
  async function judgeMove(event: Paused): Promise<void> {
    const { method, url } = event.request
    if (end !== null) return refuse(event)
    const isMove = head !== null && event.redirectedRequestId === undefined
    const target = canonicalUrlWithTracking(url)
    if (target === null || hostKey(target) !== home) return refuse(event)
    if (!isMove) return go(event)
    // A form that the page submits by itself could be an order; a click that the user asked for may submit.
    if (method !== 'GET' && !isActing) return refuse(event)
    moves += 1
    if (moves > MOST_MOVES || (await beforeHop(target)) !== 'go') return refuse(event)
    return go(event)
  }

  async function judgeHead(event: Paused): Promise<void> {
    const { responseErrorReason, responseStatusCode: status = 0 } = event
    if (responseErrorReason !== undefined) return goOn(event)
    const header = (name: string) => event.responseHeaders?.find((one) => one.name.toLowerCase() === name)?.value ?? null
    const location = header('location')
    if (isRedirect(status) && location !== null) return judgeRedirect(event, status, location)
    const early = endOf(event, header)
    // What replaces no document, or only by an error, leaves the page as it is.
    if (head !== null && early !== null) return refuse(event)
    head = {
      url: canonicalUrlWithTracking(event.request.url) ?? event.request.url,
      status,
      contentType: header('content-type'),
      retryAfter: header('retry-after'),
      firstByteMs: performance.now() - startedAt,
    }
    return early === null ? goOn(event) : stop(event, early)
  }

  /** Why a response is no page to read; null when it is one. */
  function endOf({ responseStatusCode: status = 0 }: Paused, header: (name: string) => string | null): EarlyEnd | null {
    if (status >= 300 || status === 204 || status === 205) return { kind: 'status' }
    if (/^\s*attachment/i.test(header('content-disposition') ?? '')) return { kind: 'no_page', detail: 'a download' }
    const type = header('content-type') ?? ''
    if (type !== '' && !/html/i.test(type)) return { kind: 'no_page', detail: type.slice(0, 100) }
    if (Number(header('content-length') ?? 0) > job.maxBytes)
      return { kind: 'failure', reason: 'too_large', detail: `more than ${job.maxBytes} bytes`, status }
    return null
  }

  async function judgeRedirect(event: Paused, status: number, location: string): Promise<void> {
    const from = event.request.url
    const target = location === '' ? null : canonicalUrlWithTracking(location, from)
    if (head !== null) return target !== null && hostKey(target) === home ? goOn(event) : refuse(event)
    if (target === null) {
      const detail = location === '' ? 'no usable Location' : 'Location is not an http(s) URL'
      return stop(event, { kind: 'failure', reason: 'bad_redirect', detail, status })
    }
    hops.push(from)
    if (hostKey(target) !== home) return stop(event, { kind: 'redirected', to: target, status, hops })
    if (hops.length > MOST_HOPS)
      return stop(event, { kind: 'failure', reason: 'redirect_limit', detail: `more than ${MOST_HOPS} redirects`, status })
    const verdict = await beforeHop(target)
    if (verdict === 'redirected') return stop(event, { kind: 'redirected', to: target, status, hops })
    if (verdict !== 'go') return stop(event, { kind: 'failure', reason: verdict, detail: 'not allowed to follow the redirect', status })
    return goOn(event)
  }

  function stop(event: Paused, ending: EarlyEnd): Promise<void> {
    end ??= ending
    return refuse(event)
  }

  async function go({ request, requestId }: Paused): Promise<void> {
    const isOwn = ownHeaders.length > 0 && URL.parse(request.url)?.origin === origin
    if (!isOwn) return void (await cdp.send('Fetch.continueRequest', { requestId }))
    const taken = new Set(ownHeaders.map(([name]) => name))
    const kept = Object.entries(request.headers).filter(([name]) => !taken.has(name.toLowerCase()))
    // Chromium does not carry them over to the next redirect hop.
    const headers = [...kept, ...ownHeaders].map(([name, value]) => ({ name, value }))
    await cdp.send('Fetch.continueRequest', { requestId, headers })
  }

  async function goOn({ requestId }: Paused): Promise<void> {
    await cdp.send('Fetch.continueRequest', { requestId })
  }

  async function refuse({ frameId, requestId }: Paused): Promise<void> {
    // An aborted navigation leaves the page as it is; with any other reason Chromium shows an error page.
    await cdp.send('Fetch.failRequest', { requestId, errorReason: frameId === mainFrame ? 'Aborted' : 'BlockedByClient' })
  }
}

const isWeb = (url: string) => /^(?:https?|about|data|blob):/i.test(url)
