/** The pages of a task that a browser renders; the browser is a stub. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { RenderJob, RenderOutcome, Renderer } from '#backend/crawler/crawl/renderer.ts'
import type { PageAnswer, TaskContext } from '#backend/crawler/tasks/task.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import { pageOf } from '#tests/support/sites/site.ts'

const rendering = suite('pages of a task that a browser renders')

const HOME = 'http://127.0.0.1:9/'
const OTHER = 'http://127.0.0.2:9/there'
const OPTIONS = { locale: 'de', timeoutMs: 1000 }

const rendered = (job: RenderJob, html: string, status = 200): RenderOutcome => ({
  kind: 'rendered',
  url: job.url,
  status,
  contentType: 'text/html',
  retryAfter: null,
  html: new TextEncoder().encode(html),
  captures: [],
  actions: [],
  notes: [],
  hops: [],
  firstByteMs: 1,
  tookMs: 2,
})

/** The result of `renderPage` for this answer of the browser, and the browser's jobs. */
async function answered(render: (job: RenderJob) => RenderOutcome): Promise<{ answer: PageAnswer | null; jobs: RenderJob[] }> {
  const jobs: RenderJob[] = []
  const renderer: Renderer = {
    slots: 2,
    async render(job) {
      jobs.push(job)
      return render(job)
    },
    close: async () => undefined,
  }
  let answer: PageAnswer | null = null
  await asTask(async ({ renderPage }) => {
    answer = await renderPage!(HOME, OPTIONS)
  }, renderer)
  return { answer, jobs }
}

async function asTask(work: (context: TaskContext) => Promise<void>, renderer?: Renderer): Promise<void> {
  let fault: unknown = null
  const engine = startEngineHarness({
    ...(renderer !== undefined && { renderer }),
    tasks: {
      search: async (context) => {
        await work(context).catch((thrown: unknown) => (fault = thrown))
        return { status: 'finished', reason: 'done', type: 'success', message: 'Done' }
      },
    },
  })
  try {
    await engine.ended(await engine.task('search'))
    if (fault !== null) throw fault
  } finally {
    await engine.close()
  }
}

rendering('a page is read as rendered, in the requested language, without images', async () => {
  const { answer, jobs } = await answered((job) => rendered(job, pageOf('made by scripts')))
  assert.is(answer?.page?.title, 'made by scripts')
  assert.equal(
    jobs.map(({ blocks, locale, timeoutMs, url }) => [url, locale, timeoutMs, blocks]),
    [[HOME, 'de', 1000, ['images', 'media', 'fonts']]],
  )
})

rendering('a redirect to another host is rendered there', async () => {
  const { answer, jobs } = await answered((job) =>
    job.url === HOME ? { kind: 'redirected', to: OTHER, status: 302, hops: [HOME], tookMs: 1 } : rendered(job, pageOf('there')),
  )
  assert.is(answer?.page?.url, OTHER)
  assert.equal(
    jobs.map(({ url }) => url),
    [HOME, OTHER],
  )
})

rendering('an endless redirect between hosts is cut off', async () => {
  const { answer, jobs } = await answered((job) => ({
    kind: 'redirected',
    to: job.url === HOME ? OTHER : HOME,
    status: 302,
    hops: [job.url],
    tookMs: 1,
  }))
  assert.is(answer, null)
  assert.is(jobs.length, 5)
})

rendering('a file, an endless page and a browser that does not start lead to a fetch without a browser', async () => {
  const outcomes: RenderOutcome[] = [
    { kind: 'no_page', detail: 'a download', tookMs: 1 },
    { kind: 'failure', reason: 'render_failed', detail: 'its scripts do not come to an end', tookMs: 1 },
    { kind: 'unavailable', detail: 'no such file' },
  ]
  for (const outcome of outcomes) assert.is((await answered(() => outcome)).answer, null)
})

rendering('a final failure does not lead to a fetch without a browser', async () => {
  const refused = await answered(() => ({ kind: 'failure', reason: 'refused_address', detail: 'refused: address', tookMs: 1 }))
  assert.is(refused.answer?.page, null)
  assert.is(refused.answer?.outcome.kind === 'failure' && refused.answer.outcome.reason, 'refused_address')
  const missing = await answered((job) => rendered(job, '', 404))
  assert.equal([missing.answer?.page, missing.answer?.unread], [null, 'HTTP 404'])
})

rendering('a task learns that there is no browser', () => asTask(async ({ renderPage }) => assert.is(renderPage, null)))

rendering.run()
