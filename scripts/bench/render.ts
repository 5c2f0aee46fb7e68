/** Measures pages that need a browser: pages per second and memory, relative to a bare loop over the same pages in the same browser. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { processesBelow } from '#tests/support/processes.ts'
import { findBrowser } from '../find-browser.ts'
import { firstLine, median, memoryOf, startNode, startProduct } from './processes.ts'
import type { Product } from './processes.ts'
import { waitFor } from './crawl.ts'

const WIDTHS = [1, 2, 4]
const LOOK_MS = 500
const SETTLE_MS = 2000
const PARAGRAPHS = 20

export async function renderBench({ pages, rounds }: { pages: number; rounds: number }) {
  const browser = findBrowser()
  if (browser === undefined) throw new Error('There is no browser on this machine.')
  const site = await startShells(pages)
  try {
    console.log(
      `idle, no page drawn: ${(await idle(site.port, browser)).toFixed(0)} MiB; without a browser ${(await idle(site.port, 'none')).toFixed(0)} MiB`,
    )
    for (const width of WIDTHS) await atOnce(browser, site, { pages, rounds, width })
  } finally {
    await site.close()
  }
}

/** One product for all rounds, each beside a bare loop, so that other load on the machine affects both. */
async function atOnce(
  browser: string,
  site: Awaited<ReturnType<typeof startShells>>,
  { pages, rounds, width }: { pages: number; rounds: number; width: number },
) {
  const ratios: number[] = []
  const speeds: number[] = []
  const memories: number[] = []
  const product = await startProduct(site.port, null, { CHROMIUM_PATH: browser, RENDER_CONCURRENCY: String(width) })
  try {
    for (let round = 0; round < rounds; round += 1) {
      const bare = await bareLoop(browser, site.url, pages, width)
      const { mostMiB, seconds } = await crawl(product, site.url, pages)
      ratios.push(pages / seconds / bare)
      speeds.push(pages / seconds)
      memories.push(mostMiB)
      console.log(
        `  ${width} at once, round ${round + 1}: ${(pages / seconds).toFixed(1)} pages/s, bare loop ${bare.toFixed(1)}, ${mostMiB.toFixed(0)} MiB at most`,
      )
    }
  } finally {
    await product.stop()
  }
  console.log(
    `${width} at once: ${median(speeds).toFixed(1)} pages/s, ${median(ratios).toFixed(2)} of a bare loop, ${median(memories).toFixed(0)} MiB at most with the browser`,
  )
}

/** Pages a second. */
async function bareLoop(browser: string, url: string, pages: number, width: number): Promise<number> {
  const running = startNode('scripts/bench/bare-browser.ts', [browser, `${url}bare/`, String(pages), String(width)], { core: null })
  const { seconds } = JSON.parse(await firstLine(running, (line) => line.startsWith('{'))) as { seconds: number }
  return pages / seconds
}

async function crawl(product: Product, url: string, pages: number) {
  // Start the browser before the clock.
  await waitFor(product, await start(product, `${url}warm/0`, 1))
  let mostMiB = 0
  const look = setInterval(() => {
    mostMiB = Math.max(mostMiB, memory(product))
  }, LOOK_MS)
  try {
    const from = performance.now()
    const id = await start(product, `${url}0`, 2 * pages)
    await waitFor(product, id)
    const seconds = (performance.now() - from) / 1000
    const { number_of_documents: kept } = await product.call<{ number_of_documents: number }>('GET', `/api/v1/core/crawl-requests/${id}/`)
    if (kept !== pages) throw new Error(`${kept} of ${pages} pages were kept`)
    return { seconds, mostMiB }
  } finally {
    clearInterval(look)
  }
}

async function start(product: Product, url: string, limit: number): Promise<string> {
  const options = { spider_options: { max_depth: limit === 1 ? 0 : 100, page_limit: limit, concurrent_requests: 32 }, page_options: {} }
  return (await product.call<{ uuid: string }>('POST', '/api/v1/core/crawl-requests/', { url, options })).uuid
}

/** MiB of a product that has had no request. */
async function idle(port: number, browser: string): Promise<number> {
  const product = await startProduct(port, null, { CHROMIUM_PATH: browser })
  try {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    return memory(product)
  } finally {
    await product.stop()
  }
}

/** Proportional set size of all its processes, browsers included. */
function memory({ child }: Product): number {
  let mebibytes = 0
  for (const pid of [child.pid!, ...processesBelow(child.pid!, /./)])
    try {
      mebibytes += memoryOf(pid)
    } catch {
      // The process has ended meanwhile.
    }
  return mebibytes
}

/** Shells whose script requests the page's text, and shows it with links to the next ten pages. */
async function startShells(pages: number) {
  const shell = `<!doctype html><html lang="en"><head><title>Shop</title></head><body><div id="root"></div><script src="/app.js"></script></body></html>`
  const script = `const no = Number(location.pathname.split('/').at(-1))
fetch('/words/' + no).then((answer) => answer.json()).then(({ words, links }) => {
  const article = document.createElement('article')
  article.innerHTML = '<h1>Page ' + no + '</h1>' + words.map((text) => '<p>' + text + '</p>').join('') + links.map((to) => '<a href="/' + to + '">' + to + '</a>').join(' ')
  root.append(article)
})`
  const server = createServer((request, response) => {
    const path = request.url!
    const no = Number(path.split('/').at(-1))
    const isWords = path.startsWith('/words/')
    response.setHeader('content-type', path === '/app.js' ? 'text/javascript' : isWords ? 'application/json' : 'text/html')
    if (path === '/robots.txt') response.statusCode = 404
    if (path === '/app.js') return void response.end(script)
    if (!isWords) return void response.end(path === '/robots.txt' ? '' : shell)
    const words = Array.from(
      { length: PARAGRAPHS },
      (_, at) => `Paragraph ${at} of page ${no}, which has as many words as people write before they draw breath again.`,
    )
    const links = Array.from({ length: 10 }, (_, at) => no + at + 1).filter((to) => to < pages)
    response.end(JSON.stringify({ words, links }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
