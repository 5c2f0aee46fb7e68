/**
 * Lighthouse scores of the login and, signed in, of home, crawl and details, on desktop and phone (Lighthouse's own presets, with simulated
 * network and processor).
 */
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright'
import { login } from '#contract/accounts.ts'
import { createCrawl } from '#contract/crawls.ts'
import { signIn } from '#tests/e2e/support.ts'
import type { OpenedPage } from '#tests/e2e/support.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { startSmallSite } from '#tests/support/sites/small-site.ts'
import { findBrowser } from '../find-browser.ts'
import { installTool, toolFile, TOOLS } from '../tools.ts'

const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const
/** The required score of a screen, out of 100. */
const LEAST: Record<(typeof CATEGORIES)[number], number> = { performance: 95, accessibility: 100, 'best-practices': 100 }

/** The parts of Lighthouse that we use: its types are not installed. */
type Audit = { id: string; title: string; score: number | null; displayValue?: string }
type Category = { score: number | null; auditRefs: { id: string; weight: number }[] }
type Report = { categories: Record<string, Category>; audits: Record<string, Audit> }
type Lighthouse = {
  default: (url: string, flags: object, config?: object) => Promise<{ lhr: Report } | undefined>
  desktopConfig: object
}

/**
 * @param only  names of screens; empty for all
 * @param out   a folder for complete reports, as JSON for Lighthouse's viewer
 */
export async function lighthouseBench({ only, out }: { only: readonly string[]; out?: string | undefined }) {
  const lighthouse = await loadLighthouse()
  const profile = await mkdtemp(join(tmpdir(), 'lighthouse-'))
  // No request leaves this machine: a failed request is a console error, which costs points.
  const codeHost = await startCodeHost()
  const product = await startProduct({ GITHUB_API_URL: codeHost.url })
  const site = await startSmallSite()
  const executablePath = findBrowser()
  const context = await chromium.launchPersistentContext(profile, {
    baseURL: product.url,
    ...(executablePath !== undefined && { executablePath }),
    args: ['--headless=new', '--no-sandbox', '--disable-background-networking', '--disable-component-update', '--remote-debugging-port=0'],
  })
  try {
    const port = Number((await readFile(join(profile, 'DevToolsActivePort'), 'utf8')).split('\n')[0])
    const details = await crawl(product.url, site.url)
    const screens: [name: string, path: string][] = [
      ['login', '/'],
      ['home', '/dashboard'],
      ['crawl', '/dashboard/crawl'],
      ['details', `/dashboard/logs/crawls/${details}`],
    ]
    console.log(`Lighthouse ${TOOLS.lighthouse}; at least ${Object.values(LEAST).join(' / ')}:`)
    let isSignedIn = false
    for (const [name, path] of screens) {
      if (name !== 'login' && !isSignedIn) {
        const page = (await context.newPage()) as OpenedPage
        await signIn(page, OWNER)
        await page.close()
        isSignedIn = true
      }
      if (only.length > 0 && !only.includes(name)) continue
      for (const [preset, config] of [
        ['desktop', lighthouse.desktopConfig],
        ['mobile', undefined],
      ] as const) {
        const found = await lighthouse.default(product.url + path, { port, onlyCategories: CATEGORIES, logLevel: 'error' }, config)
        if (!found) throw new Error(`Lighthouse gave no report of ${name}`)
        print(name, preset, found.lhr)
        if (out !== undefined) {
          await mkdir(out, { recursive: true })
          await writeFile(join(out, `${name}-${preset}.json`), JSON.stringify(found.lhr))
        }
      }
    }
  } finally {
    await context.close()
    await site.close()
    await product.close()
    codeHost.close()
    await rm(profile, { recursive: true, force: true })
  }
}

function print(name: string, preset: string, { categories, audits }: Report) {
  const points = CATEGORIES.map((category) => Math.round((categories[category]?.score ?? 0) * 100))
  const told = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'speed-index', 'cumulative-layout-shift']
  const times = told.map((id) => audits[id]?.displayValue ?? '?').join('  ')
  console.log(
    `  ${name.padEnd(8)} ${preset.padEnd(8)} ${points.map((one) => String(one).padStart(3)).join(' / ')}   FCP, LCP, TBT, SI, CLS: ${times}`,
  )
  for (const [at, category] of CATEGORIES.entries()) {
    if (points[at]! >= LEAST[category]) continue
    process.exitCode = 1
    for (const { id, weight } of categories[category]?.auditRefs ?? []) {
      const { score, title, displayValue = '' } = audits[id] ?? { score: null, title: id }
      if (weight > 0 && score !== null && score < 0.9) console.log(`           ${category}: ${title} ${displayValue}`)
    }
  }
}

async function loadLighthouse(): Promise<Lighthouse> {
  const entry = () => toolFile('lighthouse', 'core/index.js')
  if (entry() === null) installTool('lighthouse')
  return (await import(pathToFileURL(entry()!).href)) as Lighthouse
}

/** Returns a number of stars for any repository. */
async function startCodeHost() {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
    response.end(JSON.stringify({ stargazers_count: 2481 }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close().closeAllConnections() }
}

/** Crawls the small site. @returns  the crawl's id */
async function crawl(url: string, site: string): Promise<string> {
  const call = async (method: string, path: string, body?: object, access?: string) => {
    const reply = await fetch(url + path, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...(access !== undefined && { authorization: `Bearer ${access}` }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!reply.ok) throw new Error(`${method} ${path} was answered ${reply.status}: ${await reply.text()}`)
    return (await reply.json()) as Record<string, string>
  }
  const { access } = await call('POST', login.path, OWNER)
  const options = { spider_options: { max_depth: 2, page_limit: 50 }, page_options: {} }
  const { uuid } = await call('POST', createCrawl.path, { url: site, options }, access)
  for (;;) {
    const { status } = await call('GET', `${createCrawl.path}${uuid}/`, undefined, access)
    if (status === 'finished') return uuid!
    if (status === 'failed' || status === 'canceled') throw new Error(`the crawl is ${status}`)
    await new Promise((next) => setTimeout(next, 200))
  }
}
