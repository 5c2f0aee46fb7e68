/** The crawl of the mock backend, running as long as the test wants: pages and feed lines arrive when the test sends them. */
import type { ServerResponse } from 'node:http'
import type { RunStatus } from '#contract/runs.ts'
import type { MockBackend } from '#tests/support/stubs/mock-backend.ts'
import { AT, MOCK_CRAWL, crawl } from '#tests/support/stubs/mock-work.ts'

const CRAWLS = '/api/v1/core/crawl-requests'

/** Replaces the mock's answers for the crawl: its state, its stream and its start. `limit` is its page limit. */
export function startLiveCrawl(backend: MockBackend, { limit = 5000 }: { limit?: number } = {}) {
  const events: object[] = []
  const viewers = new Set<ServerResponse>()
  let pages = 0
  let status: RunStatus = 'running'
  const state = () =>
    crawl({
      status,
      number_of_documents: pages,
      duration: status === 'running' ? null : '00:00:12.500000',
      reason: status === 'running' ? null : 'drained',
      options: { spider_options: { max_depth: 1, page_limit: limit }, page_options: {}, plugin_options: {} },
      counts: { known: limit, kept: pages, failed: 0, settled: pages, pending: limit - pages },
      created_at: new Date().toISOString(),
    })
  const send = (event: object) => {
    events.push(event)
    for (const viewer of viewers) viewer.write(lineOf(event))
  }
  const sendState = () => send({ type: 'state', status, data: state() })

  sendState()
  backend.set(`POST ${CRAWLS}`, (_, response) => answer(response, 201, state()))
  backend.set(`GET ${CRAWLS}/${MOCK_CRAWL}`, (_, response) => answer(response, 200, state()))
  backend.set(`GET ${CRAWLS}/${MOCK_CRAWL}/status`, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    for (const event of events) response.write(lineOf(event))
    if (status !== 'running') return void response.end()
    viewers.add(response)
    response.on('close', () => viewers.delete(response))
  })

  return {
    /** Stores some more pages, named "Page 1" and so on; `bytes` is the size of each page's text. */
    store(count: number, { bytes = 200 }: { bytes?: number } = {}) {
      for (let added = 0; added < count; added++) send({ type: 'result', data: pageOf((pages += 1), bytes) })
    },
    tell(message: string) {
      send({ type: 'feed', data: { id: String(events.length), type: 'info', message, timestamp: AT, metadata: {} } })
    },
    sendState,
    /** Sends nothing more to the streams that are open, and leaves them open, as a network that has gone does. */
    fallSilent: () => viewers.clear(),
    /** Ends the streams that are open, and refuses new ones. */
    breakOff() {
      backend.set(`GET ${CRAWLS}/${MOCK_CRAWL}/status`, (_, response) => void response.destroy())
      for (const viewer of viewers) viewer.destroy()
    },
    finish() {
      status = 'finished'
      sendState()
      for (const viewer of viewers) viewer.end()
    },
  }
}

const lineOf = (event: object) => `data: ${JSON.stringify(event)}\n\n`

const answer = (response: ServerResponse, code: number, body: object) =>
  void response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const pageOf = (number: number, bytes: number) => ({
  uuid: `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`,
  url: `https://shop.example/${number}`,
  title: `Page ${number}`,
  result: { metadata: { title: `Page ${number}`, status_code: '200' }, markdown: `# Page ${number}\n\n${'tea '.repeat(bytes / 4)}` },
  attachments: [],
  created_at: AT,
  updated_at: AT,
})
