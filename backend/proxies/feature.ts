/** Proxy servers of the teams and of the installation. */
import type { createEgress } from '#backend/crawler/fetch/egress.ts'
import { hostForUrl } from '#backend/crawler/fetch/egress.ts'
import { httpFetcher } from '#backend/crawler/fetch/http-fetcher.ts'
import { createSealer } from '#backend/platform/secrets.ts'
import type { Ports } from '#backend/ports.ts'
import { createProxies } from './proxies.ts'
import { proxyRoutes } from './routes.ts'
import { createProxyTest } from './test-proxy.ts'

/**
 * Its functions and routes; `close` ends the connections of tests.
 *
 * @param echoUrl  answers with the address that the request came from
 */
export function proxiesFeature(ports: Ports, { echoUrl, egress }: { echoUrl: string; egress: ReturnType<typeof createEgress> }) {
  const { baseUrl, database, keyFor, limits, newId, now } = ports
  const mayDial = async (host: string, port: number) => (await egress.judgeUrl(`http://${hostForUrl(host)}:${port}/`)) === null
  const proxies = createProxies({ database, mayDial, newId, now, sealer: createSealer(keyFor('proxy passwords')) })
  const fetcher = httpFetcher({ egress })
  const test = createProxyTest({ dialled: proxies.dialled, echoUrl: new URL(echoUrl).href, fetch: fetcher.fetch, mayDial })
  return { proxies, routes: [proxyRoutes({ baseUrl, limits, proxies, test })], close: () => fetcher.close() }
}
