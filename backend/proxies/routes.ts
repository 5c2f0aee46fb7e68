/** Proxy server endpoints. */
import type { FastifyPluginAsync } from 'fastify'
import { changeProxy, createProxy, deleteProxy, getProxy, listAllProxies, listProxies, replaceProxy, testProxy } from '#contract/proxies.ts'
import type { ProxyServer, ProxyType } from '#contract/proxies.ts'
import { hrefOf } from '#backend/http/base-url.ts'
import type { BaseUrl } from '#backend/http/base-url.ts'
import { instant } from '#backend/http/instants.ts'
import { pagedAnswer, pageWindow } from '#backend/http/pagination.ts'
import type { Query } from '#backend/http/pagination.ts'
import type { RateLimits } from '#backend/http/rate-limits.ts'
import { route } from '#backend/http/route.ts'
import type { ProxyServerTable } from '#backend/platform/database/database.ts'
import type { Proxies } from './proxies.ts'
import type { TestProxy } from './test-proxy.ts'

/** Each test dials an address that the caller chose: enough tests for a person, too few for a port scan. */
const TESTS_OF_TEAM = { calls: 20, seconds: 60 }
/** For all teams of one user together. */
const TESTS_OF_USER = { calls: 40, seconds: 60 }

type Needs = { baseUrl: BaseUrl; limits: RateLimits; proxies: Proxies; test: TestProxy }

export function proxyRoutes({ baseUrl, limits, proxies, test }: Needs): FastifyPluginAsync {
  return async (app) => {
    route(app, listProxies, async ({ actor, request }) => {
      const window = pageWindow(request.query as Query, await proxies.count(actor.teamId))
      const rows = await proxies.list(actor.teamId, { limit: window.pageSize, offset: window.offset })
      return pagedAnswer(hrefOf(baseUrl, request), window, rows.map(present))
    })
    route(app, createProxy, async ({ actor, body }) => present(await proxies.create(actor.teamId, body)))
    route(app, listAllProxies, ({ actor }) => proxies.choices(actor.teamId))
    route(app, testProxy, async ({ actor, body }) => {
      await limits.takeAll([
        { name: 'proxyTestByUser', limit: TESTS_OF_USER, parts: [actor.userId] },
        { name: 'proxyTestOfTeam', limit: TESTS_OF_TEAM, parts: [actor.teamId] },
      ])
      return test(actor.teamId, body)
    })
    route(app, getProxy, async ({ actor, params }) => present(await proxies.read(actor.teamId, params.slug)))
    route(app, replaceProxy, async ({ actor, body, params }) => present(await proxies.change(actor.teamId, params.slug, body)))
    route(app, changeProxy, async ({ actor, body, params }) => present(await proxies.change(actor.teamId, params.slug, body)))
    route(app, deleteProxy, ({ actor, params }) => proxies.remove(actor.teamId, params.slug))
  }
}

const present = (row: ProxyServerTable): ProxyServer => ({
  name: row.name,
  slug: row.slug,
  is_default: row.isDefault === 1,
  proxy_type: row.proxyType as ProxyType,
  host: row.host,
  port: row.port,
  username: row.username,
  has_password: row.sealedPassword !== null,
  created_at: instant(row.createdAt),
  updated_at: instant(row.updatedAt),
})
