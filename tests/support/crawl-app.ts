/** The crawl endpoints over an in-memory database, with two teams and no engine: `engine` writes the rows of one. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import type { InjectOptions } from 'fastify'
import { createApi } from '#backend/api.ts'
import type { Egress } from '#backend/crawler/fetch/egress.ts'
import { PLUGINS } from '#backend/crawler/plugins/installed.ts'
import type { Plugin } from '#backend/crawler/plugins/plugin.ts'
import { createAttachedRows, createAttachments } from '#backend/crawls/attachments.ts'
import { createCompareInTurn } from '#backend/crawls/compare-in-turn.ts'
import { createCrawlChanges } from '#backend/crawls/crawl-changes.ts'
import { createCrawlOverview } from '#backend/crawls/crawl-overview.ts'
import { createCrawlOutcomes } from '#backend/crawls/crawl-outcomes.ts'
import { createCrawlPages } from '#backend/crawls/crawl-pages.ts'
import { createCrawlFiles } from '#backend/crawls/crawl-files.ts'
import { fileRoutes } from '#backend/crawls/file-routes.ts'
import { crawlRoutes } from '#backend/crawls/routes.ts'
import { createPageCache } from '#backend/crawls/page-cache.ts'
import { createScrapePage } from '#backend/crawls/scrape-page.ts'
import { scrapeRoutes } from '#backend/crawls/scrape-routes.ts'
import { createPresets } from '#backend/crawls/presets.ts'
import { createRepeatCrawl } from '#backend/crawls/repeat-crawl.ts'
import { createStartCrawl } from '#backend/crawls/start-crawl.ts'
import { createBaseUrl } from '#backend/http/base-url.ts'
import { createFileLinks } from '#backend/http/file-links.ts'
import { localBus } from '#backend/platform/events/event-bus.ts'
import { directoryBlobs } from '#backend/platform/blobs/directory-blobs.ts'
import { createIds } from '#backend/platform/ids.ts'
import { createSealer } from '#backend/platform/secrets.ts'
import { embeddedQueue } from '#backend/platform/queue/embedded-queue.ts'
import { createProgress } from '#backend/runs/progress.ts'
import { runCredits } from '#backend/plans/run-credits.ts'
import { createRuns } from '#backend/runs/runs.ts'
import { engineRows } from './engine/engine-rows.ts'
import { closedAtEnd } from './suite.ts'
import { openTestDatabase } from './test-state.ts'

export const CRAWLS = '/api/v1/core/crawl-requests/'
/** API keys of the two teams. */
export const KEY = 'sn-one'
export const OTHER_KEY = 'sn-other'

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

export type CrawlApp = Awaited<ReturnType<typeof startCrawlApp>>

/**
 * @param judgeUrl    decides whether a URL may be crawled
 * @param stopWaitMs  how long a stop waits
 * @param publicUrl   base of links; by default that of the request
 */
export async function startCrawlApp({
  judgeUrl = async () => null,
  maxConcurrency = 16,
  maxStreams = 100,
  plugins = PLUGINS,
  publicUrl = null,
  stopWaitMs = 50,
}: {
  judgeUrl?: Egress['judgeUrl']
  maxConcurrency?: number
  maxStreams?: number
  plugins?: readonly Plugin[]
  publicUrl?: string | null
  stopWaitMs?: number
} = {}) {
  const clock = { at: Date.UTC(2026, 2, 4, 9, 12, 30, 100) }
  const now = () => clock.at
  const database = await openTestDatabase()
  const newId = createIds(now)
  const teams = { one: newId(), other: newId() }
  for (const [name, id] of Object.entries(teams))
    await database.insertInto('team').values({ id, name, isDefault: 1, createdAt: clock.at, updatedAt: clock.at }).execute()

  const bus = localBus()
  const wakes: { count: number; listener?: () => void } = { count: 0 }
  const cancels: number[] = []
  const warnings: unknown[] = []
  const beats = new Set<() => void>()
  const wake = () => {
    wakes.count += 1
    wakes.listener?.()
  }
  const queue = embeddedQueue({ now, wake })
  const sealer = createSealer(randomBytes(32))
  const runs = createRuns({
    bus,
    cancelRun: (no) => cancels.push(no),
    database,
    hooks: runCredits,
    newId,
    newSalt: () => randomBytes(16),
    now,
    queue,
    sealer,
    stopWaitMs,
  })
  const every = (_ms: number, call: () => void) => {
    beats.add(call)
    return () => void beats.delete(call)
  }
  // Callers whose streams are to end.
  const expelled = new Set<string>()
  const mayRead = async ({ apiKeyId }: { apiKeyId: string | null }) => !expelled.has(apiKeyId ?? '')
  const progress = createProgress({ bus, database, every, maxStreams, mayRead, now, warn: (facts) => warnings.push(facts) })
  const blobsRoot = mkdtempSync(join(tmpdir(), 'seine-blobs-'))
  const attachments = createAttachments({ blobs: directoryBlobs(blobsRoot), database })
  const pages = createCrawlPages({ database })
  const files = createCrawlFiles(database)
  const links = createFileLinks({ key: randomBytes(32), now, validSeconds: 25_200 })
  const startCrawl = createStartCrawl({ judgeUrl, maxConcurrency, plugins, proxyCategory: async () => null, runs })
  const needs = {
    baseUrl: createBaseUrl({ publicUrl }),
    links,
    changes: createCrawlChanges({ database, inTurn: createCompareInTurn({ apart: database, shareOf: async (teamId) => teamId }) }),
    outcomes: createCrawlOutcomes({ database }),
    overview: createCrawlOverview({ database }),
    pages,
    presets: createPresets({ database, newId, now }),
    progress,
    repeat: createRepeatCrawl({ allowance: async () => ({ creditsLeft: null, maxPages: null }), runs, startCrawl }),
    runs,
    startCrawl,
  }
  const attached = createAttachedRows({ attachments, links })
  const app = Fastify({ routerOptions: { caseSensitive: false } })
  await app.register(
    createApi({
      callers: {
        userOf: async () => null,
        teamOfKey: async (key) =>
          key === KEY ? { apiKeyId: 'one', teamId: teams.one } : key === OTHER_KEY ? { apiKeyId: 'other', teamId: teams.other } : null,
        teamFor: async () => teams.one,
        shareOf: async (teamId) => teamId,
        countCall: () => undefined,
        countStranger: () => undefined,
      },
      corsOrigins: [],
      maxBodyBytes: 10 * 1024 * 1024,
      features: [
        crawlRoutes({ ...needs, attached, files }),
        scrapeRoutes({
          ...needs,
          attached,
          scrape: createScrapePage({
            bus,
            cache: createPageCache({ database, pages }),
            now,
            outcomes: needs.outcomes,
            pages,
            runs,
          }),
        }),
        fileRoutes({ attachments, files, links, pages, runs }),
      ],
    }),
  )
  const engine = engineRows({ bus, database, now })
  return {
    app,
    attached,
    beat: () => [...beats].forEach((call) => call()),
    beats,
    bus,
    call,
    cancels,
    clock,
    close: closedAtEnd(close),
    create,
    database,
    engine,
    expelled,
    listen,
    links,
    pages,
    progress,
    runs,
    started,
    teams,
    wakes,
    warnings,
  }

  /** A call with the first team's key, or another's. */
  async function call(method: InjectOptions['method'], url: string, { body, key = KEY, headers = {} }: CallOptions = {}) {
    const reply = await app.inject({
      method,
      url,
      headers: { 'x-api-key': key, ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    const type = reply.headers['content-type']
    const json: Json = type === 'application/json' ? reply.json() : null
    return { status: reply.statusCode, json, text: reply.body, bytes: reply.rawPayload, type, headers: reply.headers }
  }

  /** A new crawl's object. */
  async function create(url = 'https://shop.example/', spider: object = {}, page: object = {}): Promise<Json> {
    const reply = await call('POST', CRAWLS, { body: { url, options: { spider_options: spider, page_options: page } } })
    if (reply.status !== 201) throw new Error(`not created: ${reply.status} ${reply.text}`)
    return reply.json
  }

  /** A crawl that the engine has taken: its id and number. */
  async function started(
    url = 'https://shop.example/',
    spider: object = { page_limit: 100_000, max_depth: 3 },
  ): Promise<{ id: string; no: number }> {
    const { uuid } = await create(url, spider)
    return { id: uuid, no: await engine.take(uuid) }
  }

  /** The URL of the app on a free port. */
  async function listen(): Promise<string> {
    await app.listen({ host: '127.0.0.1', port: 0 })
    return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  }

  async function close() {
    const closing = app.close()
    // A client may have opened a connection without a request: Node would wait a minute for it.
    app.server.closeAllConnections()
    await closing
    await database.destroy()
    rmSync(blobsRoot, { recursive: true, force: true })
  }
}

type CallOptions = { body?: unknown; key?: string; headers?: Record<string, string> }
