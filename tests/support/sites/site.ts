/** A web site on loopback whose pages a test writes; it records each request, its time, and how many were open at once. */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closedAtEnd } from '#tests/support/suite.ts'

export type SiteAnswer = {
  status?: number
  headers?: Record<string, string>
  body?: string | Buffer
  /** Milliseconds before the answer. */
  afterMs?: number
  /** The answer waits for this promise. */
  until?: Promise<unknown>
  /** Cuts the connection instead. */
  cut?: boolean
}
export type SitePage = string | SiteAnswer | ((request: IncomingMessage, times: number) => string | SiteAnswer)
export type SiteHit = { host: string; path: string; at: number; until: number; headers: IncomingMessage['headers'] }
export type Site = Awaited<ReturnType<typeof startSite>>

/** A page with enough text and some links; `text` makes it different from others. */
export const pageOf = (text: string, links: string[] = []): string =>
  `<!doctype html><html lang="en"><head><title>${text}</title></head><body><main><h1>${text}</h1>
<p>Words about ${text}, enough of them to make the paragraph of an article that is worth its place on a page.</p>
${links.map((link) => `<p><a href="${link}">to ${link.replace(/^https?:/, '')}</a></p>`).join('\n')}</main></body></html>`

/** The answer for unknown paths. */
const NOT_FOUND: SiteAnswer = { status: 404, body: pageOf('not found') }

/**
 * @param pages  by path and query; `//127.0.0.2/a` is a page of another host, served on the same port
 * @param hosts  addresses that it listens at
 */
export async function startSite(pages: Record<string, SitePage>, { hosts = ['127.0.0.1'] }: { hosts?: string[] } = {}) {
  let hits: SiteHit[] = []
  const waiters = new Set<() => void>()
  const servers = hosts.map(() => createServer((request, response) => void answer(request, response)))
  let port = 0
  for (const [index, host] of hosts.entries()) {
    await new Promise<void>((resolve, reject) => servers[index]!.once('error', reject).listen(port, host, resolve))
    port = (servers[index]!.address() as AddressInfo).port
  }
  return {
    port,
    url: (path: string, host = hosts[0]!) => `http://${host}:${port}${path}`,
    pages,
    /** All requests but those of robots files. */
    get hits() {
      return hits.filter(({ path }) => path !== '/robots.txt')
    },
    get all() {
      return hits
    },
    paths: () => hits.filter(({ path }) => path !== '/robots.txt').map(({ path }) => path),
    times: (path: string) => hits.filter((hit) => hit.path === path).length,
    forget: () => (hits = []),
    asked,
    /** Most requests open at once, among those that `counts` selects. */
    mostAtOnce: (counts: (hit: SiteHit) => boolean = () => true) => mostAtOnce(hits.filter(counts)),
    close: closedAtEnd(async () => {
      for (const server of servers) server.closeAllConnections()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    }),
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const host = request.headers.host!.replace(/:\d+$/, '')
    const path = request.url!
    const hit: SiteHit = { host, path, at: performance.now(), until: Infinity, headers: request.headers }
    hits.push(hit)
    response.once('close', () => (hit.until = performance.now()))
    for (const wake of waiters) wake()
    const page = host === hosts[0] ? pages[path] : pages[`//${host}${path}`]
    const made = typeof page === 'function' ? page(request, hits.filter((one) => one.path === path && one.host === host).length) : page
    const { status = 200, headers = {}, body = '', afterMs, until, cut } = typeof made === 'string' ? { body: made } : (made ?? NOT_FOUND)
    if (until !== undefined) await until
    if (afterMs !== undefined) await new Promise((resolve) => setTimeout(resolve, afterMs))
    if (cut === true) return void request.socket.destroy()
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers })
    response.end(body)
  }

  /** Resolves when a path has been requested this many times. */
  async function asked(path: string, times = 1, limitMs = 30_000): Promise<void> {
    const isThere = () => hits.filter((hit) => hit.path === path).length >= times
    if (isThere()) return
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => end(new Error(`${path} was not asked for ${times} times`)), limitMs)
      const look = () => isThere() && end()
      waiters.add(look)
      function end(fault?: Error) {
        clearTimeout(timer)
        waiters.delete(look)
        if (fault) reject(fault)
        else resolve()
      }
    })
  }
}

function mostAtOnce(hits: SiteHit[]): number {
  const moments = hits.flatMap(({ at, until }) => [
    { at, change: 1 },
    { at: until, change: -1 },
  ])
  let open = 0
  let most = 0
  for (const { change } of moments.toSorted((a, b) => a.at - b.at || a.change - b.change)) most = Math.max(most, (open += change))
  return most
}
