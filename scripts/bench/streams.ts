/**
 * Measures the memory that idle readers of a live stream take in the API. The first batch includes memory that the process allocates once,
 * so each batch is reported separately.
 */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { memoryOf, startProduct, startSite } from './processes.ts'
import { startCrawl } from './crawl.ts'

const READERS = 500
const BATCHES = 4

export async function streamsBench() {
  // Every answer takes two seconds, so that the crawl runs the whole time.
  const site = await startSite({ pages: 300, latency: 2000 }, 1)
  const product = await startProduct(site.port, null, { CRAWL_HOST_CONCURRENCY: '1' })
  const readers: Socket[] = []
  try {
    const id = await startCrawl(product, site.url, 300)
    await open(product.base, product.key, id)
    let before = await settled()
    for (let batch = 0; batch < BATCHES; batch += 1) {
      for (let n = 0; n < READERS; n += 1) await open(product.base, product.key, id)
      const after = await settled()
      const cost = (((after - before) * 1024) / READERS).toFixed(1)
      console.log(`  idle readers ${batch * READERS + 1} to ${(batch + 1) * READERS} of a stream: ${cost} KiB each`)
      before = after
    }
  } finally {
    for (const reader of readers) reader.destroy()
    await product.stop()
    await site.stop()
  }

  async function settled(): Promise<number> {
    await new Promise((resolve) => setTimeout(resolve, 8000))
    // Only the API's process: the engine beside it goes on crawling.
    return memoryOf(product.child.pid!)
  }

  function open(base: string, key: string, id: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(base)
      const socket = connect(Number(port), hostname, () =>
        socket.write(`GET /api/v1/core/crawl-requests/${id}/status/ HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${key}\r\n\r\n`),
      )
      socket.once('data', () => resolve())
      socket.on('error', reject)
      socket.resume()
      readers.push(socket)
    })
  }
}
