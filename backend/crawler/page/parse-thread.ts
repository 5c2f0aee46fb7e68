/** The program of a parser thread: receives batches of pages and answers with batches of replies. */
import { parentPort, workerData } from 'node:worker_threads'
import { createPageParser } from './parse-page.ts'
import type { PageParser } from './parse-page.ts'
import type { PageJob, PageRules, ParseAnswer, ParseBatch, ParseReply } from './page-rules.ts'
import type { Plugin } from '#backend/crawler/plugins/plugin.ts'
import { createPluginRunner } from '#backend/crawler/plugins/run-plugins.ts'

const given = workerData as { inProgress: SharedArrayBuffer; plugins: string }
/**
 * Shared with the pool, so that the pool knows the culprit when it kills this thread: [0] the page being read, 0 for none; [1] the plugin
 * that is reading it, counted from 1 in the order of the rules, 0 for none; [2] the processor time of this thread when it began the page,
 * in milliseconds; [3] the last batch whose pages are no longer needed, except the current page: another thread reads them.
 */
const inProgress = new Int32Array(given.inProgress)
const parsers = new Map<string, PageParser>()
const port = parentPort!
let last: Promise<void> = Promise.resolve()

port.on('message', (batch: ParseBatch) => {
  last = last.then(() => answer(batch))
})

port.postMessage('ready' satisfies ParseAnswer)

async function answer({ forget, no, pages, rules }: ParseBatch) {
  for (const name of forget) parsers.delete(name)
  for (const one of rules) parsers.set(one.name, one.plugins?.length ? await parserWithPlugins(one, one.plugins) : createPageParser(one))
  const replies: ParseReply[] = []
  // The end of a page is the start of the next: measured, each reading of the clock takes 6 µs.
  let startedAt = cpuMs()
  for (const page of pages) {
    if (Atomics.load(inProgress, 3) >= no) break
    Atomics.store(inProgress, 2, Math.round(startedAt))
    Atomics.store(inProgress, 0, page.id)
    const answer = parse(page)
    const reply = answer instanceof Promise ? await answer : answer
    const endedAt = cpuMs()
    reply.cpuMs = endedAt - startedAt
    startedAt = endedAt
    replies.push(reply)
  }
  Atomics.store(inProgress, 0, 0)
  if (no === 0) return
  const buffers = replies.flatMap((reply) => (reply.kind === 'page' ? [reply.body.buffer, reply.links.numbers.buffer] : []))
  port.postMessage(replies, buffers)
}

function cpuMs(): number {
  const { system, user } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Plugins are loaded with the first crawl that uses one. */
async function parserWithPlugins(rules: PageRules, active: NonNullable<PageRules['plugins']>): Promise<PageParser> {
  const { PLUGINS } = (await import(given.plugins)) as { PLUGINS: readonly Plugin[] }
  const turn = (key: string | null) => void Atomics.store(inProgress, 1, key === null ? 0 : active.findIndex((one) => one.key === key) + 1)
  return createPageParser(rules, createPluginRunner(active, PLUGINS, turn))
}

function parse(page: PageJob): ParseReply | Promise<ParseReply> {
  const refusal = (fault: unknown): ParseReply => ({
    kind: 'refusal',
    id: page.id,
    cpuMs: 0,
    outcome: 'unparsable',
    detail: String(fault).slice(0, 200),
  })
  try {
    const reply = parsers.get(page.rules)!(page)
    // A page that breaks the parser fails alone: the outcome of its URL contains the reason.
    return reply instanceof Promise ? reply.catch(refusal) : reply
  } catch (fault) {
    return refusal(fault)
  }
}
