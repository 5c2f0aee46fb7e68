/** A real metasearch server on loopback (Debian's package `searx`), whose one engine is a site of ours. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StubHit } from './search-stubs.ts'

const PROGRAM = '/usr/bin/searx-run'
const SHARED = '/usr/share/python3-searx'
const PAGE_SIZE = 5
const START_MS = 30_000

/** Whether one can be started; as root on Debian it is installed if it is missing. */
export function hasSearx(): boolean {
  if (!existsSync(PROGRAM) && process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    console.log('No metasearch server found: installing searx by apt-get …')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'searx'], { stdio: 'ignore', env })
  }
  return existsSync(PROGRAM)
}

/** @param hits  the hits of the site behind its engine, five per page */
export async function startSearx(hits: readonly StubHit[]) {
  const asked: string[] = []
  const site = createServer((request, response) => {
    const { searchParams: parameters } = new URL(request.url ?? '/', 'http://localhost')
    asked.push(parameters.get('query') ?? '')
    const from = (Number(parameters.get('page')) - 1) * PAGE_SIZE
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ results: hits.slice(from, from + PAGE_SIZE) }))
  })
  const sitePort = await listening(site)
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'seine-searx-'))
  // It reads YAML, and every JSON text is YAML.
  writeFileSync(join(folder, 'settings.yml'), JSON.stringify(settings(port, sitePort)))
  const env = { ...process.env, SEARX_SETTINGS_PATH: join(folder, 'settings.yml') }
  const child = spawn(PROGRAM, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await ready()
  return { asked, url: `http://127.0.0.1:${port}`, close }

  function ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      let said = ''
      const late = setTimeout(() => reject(new Error(`searx does not start: ${said}`)), START_MS)
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (!said.includes('Running on')) return
        clearTimeout(late)
        resolve()
      })
      child.once('exit', () => reject(new Error(`searx has ended: ${said}`)))
    })
  }

  async function close() {
    child.kill('SIGKILL')
    await gone
    await new Promise((resolve) => site.close(resolve))
    rmSync(folder, { recursive: true, force: true })
  }
}

const settings = (port: number, sitePort: number) => ({
  general: { debug: false, instance_name: 'test', contact_url: false },
  search: { safe_search: 0, autocomplete: '', default_lang: '', ban_time_on_fail: 0, max_ban_time_on_fail: 0, formats: ['html', 'json'] },
  server: {
    port,
    bind_address: '127.0.0.1',
    secret_key: 'of tests alone',
    base_url: false,
    image_proxy: false,
    http_protocol_version: '1.0',
    method: 'GET',
    default_http_headers: {},
  },
  ui: {
    static_path: `${SHARED}/static`,
    templates_path: `${SHARED}/templates`,
    default_theme: 'oscar',
    default_locale: '',
    theme_args: { oscar_style: 'logicodev' },
  },
  outgoing: { request_timeout: 5, useragent_suffix: '' },
  engines: [
    {
      name: 'local',
      engine: 'json_engine',
      shortcut: 'lo',
      categories: 'general',
      paging: true,
      enable_http: true,
      search_url: `http://127.0.0.1:${sitePort}/q?query={query}&page={pageno}`,
      results_query: 'results',
      url_query: 'url',
      title_query: 'title',
      content_query: 'description',
    },
  ],
  locales: { en: 'English' },
  doi_resolvers: { 'doi.example': 'https://doi.example/' },
  default_doi_resolver: 'doi.example',
})

function listening(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))
}

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
