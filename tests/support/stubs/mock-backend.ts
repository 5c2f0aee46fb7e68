// A second implementation of the contract, which shares no code with the product's. It runs behind the gateway in proxy mode, and
// behind the browser in tests that decide what the API answers. One account, one team; one crawl, one search and one sitemap that
// never change; schedules that a caller has made. Its own answers are checked against the contract's description, so that the two stay in step.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describedPath, undescribed } from '#tests/support/described.ts'
import { mockSchedules } from './mock-schedules.ts'
import { AT, DESCRIPTION, TEAM, page, workOf } from './mock-work.ts'
import { closedAtEnd } from '#tests/support/suite.ts'

export type Received = { method: string; path: string; query: URLSearchParams; headers: IncomingHttpHeaders; body: Buffer }
/** An answer: JSON, or the bytes and headers to send, or a function that writes the response. */
export type Answer =
  | { status?: number; json: unknown }
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer }
  | ((received: Received, response: ServerResponse) => void | Promise<void>)

/** No number of days is set, and nothing is older than the asked one. */
const retention = (asked: string | null) => ({
  days: null,
  installation_days: null,
  effective_days: null,
  expired: { days: asked === null ? null : Number(asked), runs: 0, pages: 0, bytes: 0, is_estimate: false, oldest_at: null },
})

export const MOCK_ACCOUNT = { email: 'owner@example.org', password: 'Correct-Horse-7!' }
export { MOCK_CRAWL, MOCK_SEARCH, MOCK_SITEMAP } from './mock-work.ts'

/** The user behind the account. */
const OWNER = '01890000-0000-7000-8000-0000000000b1'

/** Starts it, on a free port of loopback unless told otherwise. `installed: false` begins with the install screen. */
export async function startMockBackend({
  host = '127.0.0.1',
  installed = true,
  port: wishedPort = 0,
}: { host?: string; installed?: boolean; port?: number } = {}) {
  const requests: Received[] = []
  const answers = new Map<string, Answer>()
  const state = { installed, teamName: 'Default', keys: [apiKey('Default', 1)], firstName: '', teamsMade: 0 }
  const schedules = mockSchedules()
  const server = createServer((request, response) => {
    // A caller who disconnects during the body gets no answer.
    respond(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((listening, reject) => server.once('error', reject).listen(wishedPort, host, listening))
  const { port } = server.address() as AddressInfo
  const breaches: string[] = []

  return {
    url: `http://${host}:${port}`,
    /** What arrived so far, oldest first. */
    requests,
    /** Its own answers that violate the contract, one line each; the caller got 500 instead. */
    breaches,
    /** Answers a method and path (`'GET /api/v1/common/settings'`; the last slash does not matter) differently; `undefined` restores the default. */
    set(route: string, answer: Answer | undefined) {
      if (answer) answers.set(withoutSlash(route), answer)
      else answers.delete(withoutSlash(route))
    },
    close: closedAtEnd(async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    }),
  }

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://mock')
    const received: Received = {
      method: request.method ?? '',
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: await bytesOf(request),
    }
    requests.push(received)
    const answer = answers.get(withoutSlash(`${received.method} ${pathname}`)) ?? heldToContract(received, usual(received))
    if (typeof answer === 'function') return answer(received, response)
    if ('json' in answer) return send(response, answer.status ?? 200, { 'content-type': 'application/json' }, JSON.stringify(answer.json))
    return send(response, answer.status ?? 200, answer.headers ?? {}, answer.body)
  }

  /** The answer, or its violation of the contract. Calls outside the contract are not checked. */
  function heldToContract({ method, path }: Received, answer: Answer): Answer {
    const described = describedPath(method, path) ?? describedPath(method, `${path}/`)
    if (described === undefined || typeof answer === 'function') return answer
    const isJson = 'json' in answer
    const found = undescribed(method, described, {
      status: answer.status ?? 200,
      type: isJson ? 'application/json' : answer.headers?.['content-type'],
      text: isJson ? JSON.stringify(answer.json) : String(answer.body ?? ''),
    })
    if (found.length === 0) return answer
    breaches.push(...found.map((one) => `${method} ${path}: ${one}`))
    return failure(500, `The mock breaks the contract: ${breaches.at(-1)}`)
  }

  function usual({ body, headers, method, path, query }: Received): Answer {
    const route = withoutSlash(`${method} ${path}`)
    const json = () => JSON.parse(body.toString() || '{}') as Record<string, string>
    if (route === 'GET /api/v1/common/settings') return { json: settings(state.installed) }
    if (route === 'GET /api/schema' || route === 'GET /api/schema/team') return { json: DESCRIPTION }
    if (route === 'POST /api/v1/user/install') {
      if (state.installed) return failure(403, 'The system is installed already.')
      state.installed = true
      return { status: 204 }
    }
    if (route === 'POST /api/v1/user/auth/login')
      return json()['email'] === MOCK_ACCOUNT.email && json()['password'] === MOCK_ACCOUNT.password
        ? { json: { access: token('access'), refresh: token('refresh') } }
        : failure(400, 'Invalid input data.', { email: ['No active account with this e-mail address and password.'] })
    if (route === 'POST /api/v1/user/auth/token/refresh') return { json: { access: token('access') } }
    if (route === 'POST /api/v1/user/auth/logout') return { status: 204 }
    const account = beforeSignIn(route, json)
    if (account) return account
    if (!headers.authorization && !headers['x-api-key']) return failure(401, 'Authentication credentials were not provided.')

    switch (route) {
      case 'GET /api/v1/user/profile':
        return { json: profile(state.firstName) }
      case 'PATCH /api/v1/user/profile':
        state.firstName = json()['first_name'] ?? state.firstName
        return { json: profile(state.firstName) }
      case 'GET /api/v1/user/teams':
        return { json: [team(state.teamName)] }
      case 'POST /api/v1/user/teams':
        return {
          status: 201,
          json: { ...team(json()['name'] ?? ''), uuid: TEAM.replace(/1$/, String((state.teamsMade += 1) + 1)), is_default: false },
        }
      case 'GET /api/v1/user/teams/current':
        return { json: team(state.teamName) }
      case 'PATCH /api/v1/user/teams/current':
        state.teamName = json()['name'] ?? state.teamName
        return { json: team(state.teamName) }
      case 'GET /api/v1/user/teams/current/members':
        return { json: page([{ uuid: TEAM.replace(/a1$/, 'd1'), is_owner: true, user: profile(state.firstName) }]) }
      case 'GET /api/v1/user/teams/current/deletion':
        return { json: { name: state.teamName, members: 1, api_keys: 1, proxy_servers: 0, runs: 3, pages: 12, obstacles: [] } }
      case 'GET /api/v1/user/profile/deletion':
        return { json: { teams: [], memberships: 0, api_keys: 0, obstacles: ['You are the only administrator of this installation.'] } }
      case 'GET /api/v1/user/teams/current/retention':
        return { json: retention(query.get('days')) }
      case 'GET /api/v1/user/teams/current/invitations':
      case 'GET /api/v1/user/profile/invitations':
        return { json: [] }
      case 'POST /api/v1/user/profile/invitations/accept':
        return json()['invitation_code'] === 'good' ? { status: 204 } : failure(404, 'Not found.')
      case 'GET /api/v1/user/api-keys':
        return { json: page(state.keys) }
      case 'POST /api/v1/user/api-keys':
        state.keys.unshift(apiKey(json()['name'] ?? '', state.keys.length + 1))
        return { status: 201, json: state.keys[0] }
    }
    if (/^POST \/api\/v1\/user\/teams\/current\/invitations\/[^/]+\/link$/.test(route))
      return { json: { link: 'http://localhost:3000/register/?invitation_code=good' } }
    const key = route.match(/^DELETE \/api\/v1\/user\/api-keys\/(.+)$/)?.[1]
    if (key) {
      state.keys = state.keys.filter(({ uuid }) => uuid !== key)
      return { status: 204 }
    }
    return workOf(route, query, json) ?? schedules(route, query, json) ?? failure(404, 'Not found.')
  }
}

export type MockBackend = Awaited<ReturnType<typeof startMockBackend>>

function failure(code: number, message: string, errors: unknown = null): Answer {
  return { status: code, json: { code, errors, message } }
}

function settings(isInstalled: boolean) {
  return {
    is_installed: isInstalled,
    is_enterprise_mode_active: false,
    api_version: '9.9.9',
    google_analytics_id: '',
    policy_url: '',
    terms_url: '',
    policy_update_at: null,
    terms_update_at: null,
    is_login_active: true,
    is_signup_active: false,
    is_github_login_active: false,
    is_google_login_active: false,
    is_oidc_login_active: false,
    github_client_id: '',
    google_client_id: '',
    oidc_name: '',
    is_search_configured: false,
    max_crawl_concurrency: 16,
    mcp_server: '',
    is_rendering_configured: false,
    max_upload_urls: 1000,
    is_mail_configured: true,
  }
}

/** Endpoints for callers without a session. Links and codes that are `good` work; all others are unknown. */
function beforeSignIn(route: string, json: () => Record<string, string>): Answer | undefined {
  const AUTH = '/api/v1/user/auth'
  const registered = (verified: boolean): Answer => {
    const { email, first_name, last_name } = json()
    return { status: 201, json: { email, first_name, last_name, email_verified: verified } }
  }
  const signedIn: Answer = { json: { access: token('access'), refresh: token('refresh') } }
  switch (route) {
    case `POST ${AUTH}/register`:
      return registered(false)
    case `POST ${AUTH}/oauth`:
    case `GET ${AUTH}/verify-email/good`:
      return signedIn
    case `POST ${AUTH}/resend-verify-email`:
    case `POST ${AUTH}/forgot-password`:
    case `GET ${AUTH}/reset-password/good`:
    case `POST ${AUTH}/reset-password/good`:
      return { status: 204 }
    case `GET ${AUTH}/invitation/good`:
      return { json: { new_user: true, email: 'invited@example.org', invitation_code: 'good' } }
    case `POST ${AUTH}/invitation/good`:
      return registered(true)
  }
  return /\/auth\/(verify-email|reset-password|invitation)\//.test(route) ? failure(404, 'Not found.') : undefined
}

/** Looks like a token: the dashboard reads its `exp`, and its signature is not checked here. */
function token(type: 'access' | 'refresh') {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const issuedAt = Math.floor(Date.now() / 1000)
  const claims = { token_type: type, iat: issuedAt, exp: issuedAt + (type === 'access' ? 300 : 2_592_000), jti: 'mock', user_id: TEAM }
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.c2lnbmF0dXJl`
}

function profile(firstName: string) {
  return {
    uuid: OWNER,
    email: MOCK_ACCOUNT.email,
    first_name: firstName,
    last_name: '',
    full_name: firstName,
    privacy_confirmed_at: AT,
    terms_confirmed_at: AT,
    newsletter_confirmed: false,
    language: null,
    email_verified: true,
    is_provider_only: false,
    is_active: true,
    is_superuser: true,
    created_at: AT,
    updated_at: AT,
  }
}

function team(name: string) {
  return { uuid: TEAM, name, is_default: true, is_owner: true, members_count: 1, created_at: AT, updated_at: AT }
}

function apiKey(name: string, number: number) {
  return {
    uuid: `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    name,
    key: `mock-${String(number).padStart(32, '0')}`,
    created_by: OWNER,
    last_used_at: null,
    created_at: AT,
    updated_at: AT,
  }
}

function send(response: ServerResponse, status: number, headers: Record<string, string>, body: string | Buffer | undefined) {
  response.writeHead(status, headers).end(body)
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function withoutSlash(route: string) {
  return route.replace(/\/$/, '')
}
