/** Measures sitemaps of a large site: URLs per second, and the peak memory of the engine's process. */
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { memoryOf, startProduct } from './processes.ts'

const URLS_PER_FILE = 50_000

/** @param sizes  numbers of URLs, one measurement each */
export async function sitemapBench({ sizes }: { sizes: number[] }) {
  for (const size of sizes) {
    const site = await startMaps(size)
    const product = await startProduct(site.port, 0)
    let peakMiB = 0
    const look = setInterval(() => {
      for (const pid of enginesOf(product.child.pid!)) peakMiB = Math.max(peakMiB, memoryOf(pid))
    }, 200)
    try {
      const started = performance.now()
      const url = `http://127.0.0.1:${site.port}/`
      const { uuid } = await product.call<{ uuid: string }>('POST', '/api/v1/core/sitemaps/', { url, options: {} })
      const kept = await ended(product, uuid)
      const seconds = (performance.now() - started) / 1000
      if (kept !== size) throw new Error(`${kept} of ${size} URLs were kept`)
      const reading = performance.now()
      const bytes = (
        await (
          await fetch(`${product.base}/api/v1/core/sitemaps/${uuid}/?prefetched=true`, { headers: { 'x-api-key': product.key } })
        ).text()
      ).length
      const readSeconds = (performance.now() - reading) / 1000
      console.log(
        `sitemap of ${size} URLs: ${(size / seconds).toFixed(0)} URLs/s (${seconds.toFixed(1)} s), engine at most ${peakMiB.toFixed(0)} MiB; ` +
          `the list of ${(bytes / 1e6).toFixed(1)} MB read in ${readSeconds.toFixed(1)} s, API at ${memoryOf(product.child.pid!).toFixed(0)} MiB after it`,
      )
    } finally {
      clearInterval(look)
      await product.stop()
      await site.close()
    }
  }
}

async function ended(product: Awaited<ReturnType<typeof startProduct>>, uuid: string): Promise<number> {
  for (;;) {
    const job = await product.call<{ status: string; number_of_documents: number }>('GET', `/api/v1/core/sitemaps/${uuid}/`)
    if (job.status === 'finished') return job.number_of_documents
    if (job.status === 'failed' || job.status === 'canceled') throw new Error(`the sitemap ended ${job.status}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Children of the product that are its engine. */
function enginesOf(pid: number): string[] {
  try {
    const lines = execFileSync('ps', ['--ppid', String(pid), '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n')
    return lines.filter((line) => line.includes('engine-process')).map((line) => line.trim().split(' ')[0]!)
  } catch {
    // No child yet.
    return []
  }
}

/** A site with nothing but sitemap files, generated while they are sent. */
async function startMaps(size: number) {
  const files = Math.ceil(size / URLS_PER_FILE)
  const server = createServer((request, response) => {
    const base = `http://${request.headers.host}`
    const number = Number(/^\/map-(\d+)\.xml$/.exec(request.url ?? '')?.[1] ?? -1)
    if (request.url === '/robots.txt') return void response.end(`Sitemap: ${base}/maps.xml\n`)
    response.setHeader('content-type', 'application/xml')
    if (request.url === '/maps.xml')
      return void response.end(
        `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${Array.from({ length: files }, (_, n) => `<sitemap><loc>${base}/map-${n}.xml</loc></sitemap>`).join('')}</sitemapindex>`,
      )
    if (number < 0) return void response.writeHead(404).end()
    const from = number * URLS_PER_FILE
    const entries = Array.from(
      { length: Math.min(size, from + URLS_PER_FILE) - from },
      (_, n) => `<url><loc>${base}/shelf-${(from + n) % 977}/article-with-a-name-${from + n}</loc><lastmod>2026-03-04</lastmod></url>`,
    )
    response.end(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('\n')}</urlset>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  }
}
