/** The whole API with a data directory of its own: tests call it without a port, or let it listen on a free port. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { pino } from 'pino'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { readConfig } from '#config/read-config.ts'
import { fillPath } from '#contract/endpoint.ts'
import type { AnswerOf, EndpointSpec } from '#contract/endpoint.ts'
import { getProfile, install, login } from '#contract/accounts.ts'
import { MAX_PARAM_LENGTH } from '#contract/sizes.ts'
import { createApiKey, currentTeam } from '#contract/teams.ts'
import { createBackend } from '#backend/compose.ts'
import type { Backend, BackendConfig, Log, Replacements } from '#backend/compose.ts'
import { describedPath, undescribed } from './described.ts'
import { makeUser } from './make.ts'
import { closedAtEnd } from './suite.ts'
import { testState } from './test-state.ts'
import type { Clock } from './clock.ts'

/** The caller: a user with tokens, or a team by its key. */
export type Caller = { access: string; refresh: string; userId: string; teamId: string; apiKey: string; email: string; password: string }

export type Reply<T> = { status: number; headers: Record<string, string | undefined>; text: string; body: T }

export type CallOptions = {
  /** Calls with this user's token. */
  as?: Caller | undefined
  /** Calls with an API key instead. */
  key?: string | undefined
  params?: Record<string, string>
  query?: Record<string, string | number | boolean>
  body?: unknown
  headers?: Record<string, string>
  /** The caller's network address. */
  from?: string
}

export const ADMINISTRATOR = { email: 'ana@example.org', password: 'Correct-Horse-7!' }

/** The defaults, except that nothing sends requests beyond this machine. */
const CONFIG: BackendConfig = {
  ...readConfig({}),
  braveApiBase: 'http://127.0.0.1:9',
  // Only tests of the renderer and of the whole product render pages.
  chromiumPath: 'none',
  crawlMaxJobSeconds: 600,
  crawlerUserAgent: 'SeineBot/test (+https://example.org)',
  // Test sites run on this machine.
  egressAllow: ['127.0.0.1'],
  githubApiUrl: 'http://127.0.0.1:1',
  githubOauthUrl: 'http://127.0.0.1:1',
  googleApiUrl: 'http://127.0.0.1:1',
  googleOauthUrl: 'http://127.0.0.1:1',
  googleSearchApiBase: 'http://127.0.0.1:9',
  linkBase: () => 'http://127.0.0.1:3000',
  mailFrom: 'seine@example.org',
  maxStreams: 1000,
  openaiBaseUrl: 'http://127.0.0.1:9/v1',
  openaiConcurrency: 2,
  openaiTimeoutSeconds: 10,
  proxyEchoUrl: 'http://127.0.0.1:9/',
  renderConcurrency: 1,
  secretKey: 'a secret of tests alone, 4f9c1b7e2a6d8035',
  stripeApiBase: 'http://127.0.0.1:9',
  version: '0.0.0-test',
  webhookRetrySeconds: [2, 10, 60],
}

export type App = Awaited<ReturnType<typeof startApp>>

/**
 * Builds the app. A suite of `suite.ts` closes it at the end of the test; what several tests share must be closed, or the process stays.
 *
 * @param engine  `true` starts the real engine in its process; by default runs stay new
 * @param every   calls the periodic work, instead of a timer
 * @param log     receives log lines; by default errors are discarded
 * @param requestLog  receives each line that requests log, from `debug` on, instead of their errors going to `log`
 */
export async function startApp({
  clock,
  config = {},
  engine = false,
  every,
  log = silent,
  requestLog,
}: {
  clock?: Clock
  config?: Partial<BackendConfig>
  engine?: boolean | Replacements['engine']
  every?: Replacements['every']
  log?: Log
  requestLog?: (line: { level: number; msg: string }) => void
} = {}) {
  const dataDir = config.dataDir ?? mkdtempSync(join(tmpdir(), 'seine-test-'))
  const state = config.databaseUrl === undefined ? await testState(dataDir) : null
  const settings = { ...CONFIG, dataDir, ...(state !== null && { databaseUrl: state.databaseUrl }), ...config }
  const backend: Backend = await createBackend(settings, log, {
    // The cheapest parameters that the hash allows: tests need no strength.
    hashCost: { memoryKiB: 8, passes: 1 },
    ...(clock && { now: clock.now }),
    ...(every && { every }),
    ...(engine === true ? {} : { engine: engine || idleEngine }),
  })
  const http: FastifyInstance = fastify({
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    forceCloseConnections: true,
    loggerInstance: requestLog ? noteLog(requestLog) : faultLog(log),
  })
  await http.register(backend.api)
  await http.ready()
  return {
    call,
    request,
    signIn,
    secondUser,
    logIn,
    listen,
    close: closedAtEnd(close),
    backend,
    dataDir,
    databaseUrl: settings.databaseUrl,
    http,
  }

  /** Calls an endpoint of the contract, and checks the answer against its description. */
  async function call<E extends EndpointSpec>(endpoint: E, { params, ...options }: CallOptions = {}): Promise<Reply<AnswerOf<E>>> {
    const reply = (await ask(endpoint.method, fillPath(endpoint.path, params), options)) as Reply<AnswerOf<E>>
    holdToDescription(endpoint.method, endpoint.path, reply)
    return reply
  }

  /** Calls any path, and checks the answer against its description if it has one. A string body is sent unchanged. */
  async function request(method: string, path: string, options: Omit<CallOptions, 'params'> = {}): Promise<Reply<unknown>> {
    const reply = await ask(method, path, options)
    const described = describedPath(method, path)
    if (described !== undefined) holdToDescription(method, described, reply)
    return reply
  }

  async function ask(
    method: string,
    path: string,
    { as, key, query, body, headers = {}, from = '127.0.0.1' }: Omit<CallOptions, 'params'> = {},
  ): Promise<Reply<unknown>> {
    const reply = await http.inject({
      method: method as 'GET',
      url: path,
      remoteAddress: from,
      ...(query && { query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])) }),
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(as && { authorization: `Bearer ${as.access}`, 'x-team-id': as.teamId }),
        ...(key !== undefined && { 'x-api-key': key }),
        ...headers,
      },
    })
    const isJson = reply.headers['content-type'] === 'application/json' && reply.payload !== ''
    return {
      status: reply.statusCode,
      headers: reply.headers as Record<string, string | undefined>,
      text: reply.payload,
      body: isJson ? (JSON.parse(reply.payload) as unknown) : undefined,
    }
  }

  /** Installs the product if necessary, and signs the administrator in. */
  async function signIn(): Promise<Caller> {
    await call(install, { body: ADMINISTRATOR })
    return logIn(ADMINISTRATOR)
  }

  /** Another user with a team of their own, signed in. */
  async function secondUser(email = 'ben@example.org'): Promise<Caller> {
    const password = 'Another-Horse-8!'
    await makeUser(backend, { email, password })
    return logIn({ email, password })
  }

  async function logIn({ email, password }: { email: string; password: string }): Promise<Caller> {
    const { status, body: pair, text } = await call(login, { body: { email, password } })
    if (status !== 200) throw new Error(`login was answered ${status}: ${text}`)
    const headers = { authorization: `Bearer ${pair.access}` }
    const { body: team } = await call(currentTeam, { headers })
    const { body: profile } = await call(getProfile, { headers })
    const { body: key } = await call(createApiKey, { headers: { ...headers, 'x-team-id': team.uuid }, body: { name: 'test' } })
    return { ...pair, userId: profile.uuid, teamId: team.uuid, apiKey: key.key, email, password }
  }

  /** Listens on a free port; returns the URL. */
  async function listen(): Promise<string> {
    return http.listen({ host: '127.0.0.1', port: 0 })
  }

  async function close(): Promise<void> {
    await http.close()
    await backend.close()
    await state?.drop()
    if (config.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
}

function holdToDescription(method: string, path: string, reply: Reply<unknown>) {
  const faults = undescribed(method, path, { ...reply, type: reply.headers['content-type'] })
  if (faults.length > 0) throw new Error(`${method} ${path} answered what its description has not: ${faults.join('; ')}`)
}

/** No engine: runs stay new. */
const idleEngine: Replacements['engine'] = () => ({ wake: () => undefined, cancel: () => undefined, close: async () => undefined })

const noteLog = (note: (line: { level: number; msg: string }) => void): FastifyBaseLogger =>
  pino({ level: 'debug' }, { write: (line: string) => note(JSON.parse(line) as { level: number; msg: string }) })

/** Fastify's own log; tests see only its errors. */
const faultLog = (log: Log): FastifyBaseLogger =>
  pino({ level: 'error' }, { write: (line: string) => log.error(JSON.parse(line) as object, 'logged by a request') })

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }
