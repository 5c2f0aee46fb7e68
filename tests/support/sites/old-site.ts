/**
 * The site that the stored installation of an older version crawled, at a URL in its database: a small crawl that was
 * finished, and a larger one that was half-way.
 */
import { createServer } from 'node:http'
import type { Server, ServerResponse } from 'node:http'
import { pageOf } from './site.ts'
import { until } from '#tests/support/until.ts'

/** The database contains this URL, so no other test may use it. */
const HOST = '127.0.0.77'
const PORT = 18_077
export const OLD_SITE = `http://${HOST}:${PORT}`
export const SMALL_PAGES = 4
export const LARGE_PAGES = 60

/** @param isHeld  paths that are not answered until `release` */
export async function startOldSite(isHeld: (path: string) => boolean = () => false) {
  const paths: string[] = []
  const held: (() => void)[] = []
  let isReleased = false
  const server = createServer((request, response) => {
    const path = request.url!
    paths.push(path)
    if (!isReleased && isHeld(path)) held.push(() => answer(path, response))
    else answer(path, response)
  })
  // Another run of the tests on this machine may use the port.
  await until(() => listens(server))
  return {
    paths,
    release() {
      isReleased = true
      for (const go of held.splice(0)) go()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** False: the address is taken. */
function listens(server: Server): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const fail = (fault: NodeJS.ErrnoException) => (fault.code === 'EADDRINUSE' ? resolve(false) : reject(fault))
    server.once('error', fail).listen(PORT, HOST, () => {
      server.off('error', fail)
      resolve(true)
    })
  })
}

const numbered = (from: string, count: number) => Array.from({ length: count }, (_, index) => `${from}${index + 1}`)

function answer(path: string, response: ServerResponse) {
  const isSitemap = path === '/sitemap.xml'
  const body = isSitemap ? SITEMAP : bodyOf(path)
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': isSitemap ? 'application/xml' : 'text/html; charset=utf-8' })
  response.end(body)
}

function bodyOf(path: string): string | undefined {
  if (path === '/small/') return pageOf('small', numbered('/small/', SMALL_PAGES - 1))
  if (path === '/large/') return pageOf('large', numbered('/large/', LARGE_PAGES - 1))
  return /^\/(?:small|large|late)\/\d*$/.test(path) ? pageOf(`page ${path}`) : undefined
}

const SITEMAP = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${numbered('/small/', SMALL_PAGES - 1)
  .map((path) => `<url><loc>${OLD_SITE}${path}</loc></url>`)
  .join('')}</urlset>`
