/**
 * Renders one page, from an empty context to the final document: load, wait, scroll once through the page, accept cookies, act, read. The
 * contract sets order and times (core 11.9).
 */
import { rm } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import type { FailureReason, HopVerdict } from '#backend/crawler/fetch/fetcher.ts'
import type { Capture, RenderJob, RenderOutcome } from '#backend/crawler/crawl/renderer.ts'
import { openDocumentGate } from './document-gate.ts'
import type { DocumentGate } from './document-gate.ts'
import type { OpenPage } from './open-page.ts'
import { TOO_LONG, css, doAction, mostMsOf } from './page-actions.ts'
import { openReader } from './page-reader.ts'
import { AWAIT_REST, AWAIT_TEXT, READ_DOCUMENT, SCROLL_THROUGH } from './page-scripts.ts'
import { watchQuiet } from './quiet.ts'
import type { SparePage } from './spare-page.ts'

/** Longest wait for subresources once the document is there. */
const REST_MS = 5000
/** Longest wait for scripts after the load event; then the page is read all the same. */
const UNQUIET_MS = 3000
/** Longest single wait for the scripts to be idle. */
const REST_OF_SCRIPTS_MS = 500
const CONSENT_MS = 2000
const SCROLL_MS = 3000
const READ_MS = 10_000
/** A page that does not answer for so many milliseconds is blocked by its scripts. */
const ANSWER_MS = 5000
/** Longest time to open and to close an empty page. */
const OPENING_MS = 10_000
/** Longest time for everything besides loading and waiting. */
const REST_OF_PAGE_MS = 30_000
export type PageTools = {
  browser: Browser
  spare: SparePage
  /** For captured files. */
  folder: string
  beforeHop: (url: string) => Promise<HopVerdict>
  signal: AbortSignal
  /** Receives the promise of closing the page's context, which the outcome does not wait for. */
  closing: (done: Promise<void>) => void
}

/** Most milliseconds of a page in total: loading, the requested wait, the actions, and a while for everything else. */
export const deadlineOf = ({ actions, timeoutMs, waitMs }: RenderJob): number =>
  timeoutMs + waitMs + actions.reduce((sum, action) => sum + mostMsOf(action), 0) + REST_OF_PAGE_MS

/** Never rejects for failures of the page. `crashed` as the detail means that the browser itself may be broken. */
export async function renderPage(job: RenderJob, tools: PageTools): Promise<RenderOutcome> {
  const startedAt = performance.now()
  const tookMs = () => performance.now() - startedAt
  const failure = (reason: FailureReason | 'render_failed', detail: string): RenderOutcome => ({
    kind: 'failure',
    reason,
    detail,
    tookMs: tookMs(),
  })
  let timer: NodeJS.Timeout | undefined
  const captures: Capture[] = []
  let isRendered = false
  const opened = tools.spare.take(tools.browser, job)
  try {
    const late = new Promise<RenderOutcome>((resolve) => {
      timer = setTimeout(() => resolve(failure('render_failed', 'the page did not come to an end in time')), deadlineOf(job))
      tools.signal.addEventListener('abort', () => resolve(failure('canceled', 'canceled')), { once: true })
    })
    const work = opened.then((open) => drive(job, tools, open, captures, startedAt))
    work.catch(() => undefined)
    const outcome = await Promise.race([work, late])
    isRendered = outcome.kind === 'rendered'
    return outcome
  } catch (fault) {
    return failure('render_failed', wordsOf(fault))
  } finally {
    clearTimeout(timer)
    // If the browser does not even open the page, do not wait for it here either.
    const closed = Promise.race([opened.then((open) => open.close()).catch(() => undefined), latest(OPENING_MS)])
    tools.closing(isRendered ? closed : closed.then(() => drop(captures)))
  }
}

/** Deletes the captures of a page that was not rendered to its end. */
async function drop(captures: Capture[]): Promise<void> {
  await Promise.all(captures.map(({ path }) => rm(path, { force: true })))
}

const latest = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())

async function drive(job: RenderJob, tools: PageTools, open: OpenPage, captures: Capture[], startedAt: number): Promise<RenderOutcome> {
  const { cdp, crash, mainFrame, page } = open
  const tookMs = () => performance.now() - startedAt
  const gate = await openDocumentGate(cdp, { beforeHop: tools.beforeHop, job, mainFrame })
  return Promise.race([crash, visit()])

  async function visit(): Promise<RenderOutcome> {
    const quiet = watchQuiet(page)
    const ended = await load(job, open, gate)
    if (ended !== null) return 'tookMs' in ended ? ended : { ...ended, tookMs: tookMs() }
    if (gate.end?.kind === 'status') return present(new Uint8Array(), [], [])
    tools.spare.prepare(tools.browser, job)
    const reader = openReader(cdp, mainFrame)
    const rest = () => reader.run(AWAIT_REST(REST_OF_SCRIPTS_MS), 2 * REST_OF_SCRIPTS_MS).catch(() => undefined)
    await Promise.all([quiet.settled(UNQUIET_MS, rest), job.waitMs > 0 ? page.waitForTimeout(job.waitMs) : null])
    if (!(await reader.answers(ANSWER_MS)))
      return { kind: 'failure', reason: 'render_failed', detail: 'its scripts do not come to an end', tookMs: tookMs() }
    await reader.run(AWAIT_TEXT(UNQUIET_MS), 2 * UNQUIET_MS).catch(() => undefined)
    const requests = quiet.requests()
    await reader.run(SCROLL_THROUGH, SCROLL_MS).catch(() => undefined)
    // Content that came into view has started further requests.
    if (quiet.requests() > requests) await quiet.settled(UNQUIET_MS, rest)
    const notes: string[] = []
    if (job.consentSelector !== null) await agree(page, job.consentSelector, notes)
    const said: string[] = []
    gate.isActing = true
    for (const action of job.actions)
      said.push(
        said.includes(TOO_LONG)
          ? 'left out, since the page does not answer'
          : await doAction(action, { page, cdp, reader, url: gate.head!.url, folder: tools.folder, captures, notes }),
      )
    gate.isActing = false
    if (job.actions.length > 0 || job.consentSelector !== null) await quiet.settled(UNQUIET_MS, rest)
    const read = (await reader.run(READ_DOCUMENT(job.maxBytes, gate.head!.url), READ_MS)) as { html: string } | { tooLarge: number }
    if ('tooLarge' in read)
      return { kind: 'failure', reason: 'too_large', detail: `${read.tooLarge} characters after its scripts`, tookMs: tookMs() }
    return present(new TextEncoder().encode(read.html), said, notes)
  }

  function present(html: Uint8Array<ArrayBuffer>, actions: string[], notes: string[]): RenderOutcome {
    const { contentType, firstByteMs, retryAfter, status, url } = gate.head!
    return {
      kind: 'rendered',
      url,
      status,
      contentType,
      retryAfter,
      html,
      captures,
      actions,
      notes,
      hops: gate.hops,
      ...(gate.leadsTo !== null && { leadsTo: gate.leadsTo }),
      firstByteMs,
      tookMs: tookMs(),
    }
  }
}

type Ended = Exclude<DocumentGate['end'], null | { kind: 'status' }> | Extract<RenderOutcome, { kind: 'failure' }>

/** Loads the page as far as possible within its time; null when there is something to read. */
async function load(job: RenderJob, { onStopped, page, way }: OpenPage, gate: DocumentGate): Promise<Ended | null> {
  const startedAt = performance.now()
  let fault: unknown = null
  let isStopped = false
  // A navigation that the page begins while it is parsed ends the parsing. If it is refused, the document never counts as loaded.
  const stopped = new Promise<void>((resolve) => onStopped(() => gate.head !== null && resolve())).then(() => (isStopped = true))
  try {
    await Promise.race([page.goto(job.url, { waitUntil: 'domcontentloaded', timeout: job.timeoutMs }), stopped])
  } catch (cause) {
    fault = cause
  }
  if (gate.end !== null) return gate.end.kind === 'status' ? null : gate.end
  if (fault !== null) {
    const text = fault instanceof Error ? fault.message : 'unknown'
    // The document has arrived, and only something in it never ends: read it as it is.
    if (/Timeout \d+ms exceeded/.test(text)) return gate.head === null ? failed('timeout', 'no document in time') : null
    // A page that has navigated itself is still a page.
    if (gate.head !== null && /ERR_ABORTED|ERR_BLOCKED_BY_CLIENT|interrupted by another navigation/.test(text)) return null
    const guarded = way.faultOf(new URL(job.url).origin)
    if (guarded !== null) return failed(guarded.reason, guarded.message)
    return failed(...netReason(text))
  }
  if (isStopped) return null
  const left = job.timeoutMs - (performance.now() - startedAt)
  await page.waitForLoadState('load', { timeout: Math.max(1, Math.min(left, REST_MS)) }).catch(() => undefined)
  return null

  function failed(reason: FailureReason | 'render_failed', detail: string): Extract<RenderOutcome, { kind: 'failure' }> {
    return { kind: 'failure', reason, detail, tookMs: performance.now() - startedAt }
  }
}

/** Maps Chromium's network errors to the crawler's reasons. */
function netReason(text: string): [FailureReason | 'render_failed', string] {
  const code = /net::(ERR_\w+)/.exec(text)?.[1]
  if (code === undefined) return ['render_failed', wordsOf(text)]
  if (/CERT|SSL/.test(code)) return ['tls', code]
  if (/CONNECTION_RESET|EMPTY_RESPONSE|CONNECTION_CLOSED/.test(code)) return ['reset', code]
  if (/TOO_MANY_REDIRECTS/.test(code)) return ['redirect_limit', code]
  if (/CONTENT_DECODING/.test(code)) return ['bad_encoding', code]
  if (/TIMED_OUT/.test(code)) return ['timeout', code]
  if (/INVALID_RESPONSE|INVALID_HTTP|RESPONSE_HEADERS|CHUNKED|CONTENT_LENGTH|UNSAFE_PORT/.test(code)) return ['protocol', code]
  if (/TUNNEL|PROXY/.test(code)) return ['connect', code]
  return ['render_failed', code]
}

/** Clicks the button when it appears; it is no error if it does not. */
async function agree(page: Page, selector: string, notes: string[]): Promise<void> {
  const button = page.locator(css(selector)).first()
  try {
    await button.click({ timeout: CONSENT_MS })
  } catch (fault) {
    if (!/Timeout \d+ms exceeded/.test(String(fault))) notes.push('the selector of the cookie button could not be used')
    return
  }
  await button.waitFor({ state: 'hidden', timeout: CONSENT_MS }).catch(() => undefined)
}

const wordsOf = (fault: unknown) =>
  (fault instanceof Error ? fault.message : String(fault))
    .replace(/^[\w.]+: /, '')
    .split('\n', 1)[0]!
    .slice(0, 160)
