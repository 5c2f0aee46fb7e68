/** What the frontier of one run reads from the store; each answer includes every committed row. */
import type { RunStore } from '#backend/store/run-store.ts'

export type FrontierStore = {
  [read in 'knownUrls' | 'pageKeys' | 'pendingByHost' | 'pendingUrls' | 'waitingUrls']: RunStore[read] extends (
    runNo: number,
    ...rest: infer Rest
  ) => infer Answer
    ? (...rest: Rest) => Answer
    : never
}

export const frontierStore = (store: RunStore, runNo: number): FrontierStore => ({
  knownUrls: (after, limit) => store.knownUrls(runNo, after, limit),
  pageKeys: () => store.pageKeys(runNo),
  pendingByHost: () => store.pendingByHost(runNo),
  pendingUrls: (hostKey, after, limit) => store.pendingUrls(runNo, hostKey, after, limit),
  waitingUrls: () => store.waitingUrls(runNo),
})
