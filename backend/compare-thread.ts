/** The program of the thread that compares copies of pages; see `firecrawl/page-changes.ts`. */
import { parentPort } from 'node:worker_threads'
import { COMPARISONS } from './firecrawl/page-changes.ts'
import type { FromComparer, ToComparer } from './firecrawl/page-changes.ts'

parentPort!.on('message', ({ args, name }: ToComparer) => {
  parentPort!.postMessage(answer(COMPARISONS[name] as (...args: unknown[]) => unknown, args))
})

function answer(compare: (...args: unknown[]) => unknown, args: unknown[]): FromComparer {
  try {
    return { result: compare(...args) }
  } catch (fault) {
    return { fault: String((fault as Error).stack) }
  }
}
