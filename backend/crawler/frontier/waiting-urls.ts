/** URLs of a run that wait for a retry, soonest first. */
import type { PendingUrl } from '#backend/store/run-store.ts'

export type WaitingUrl<Queue> = { dueAt: number; url: PendingUrl; queue: Queue }

export function createWaitingUrls<Queue>() {
  const waiting: WaitingUrl<Queue>[] = []
  return {
    add,
    takeDue,
    remove,
    all: waiting as readonly WaitingUrl<Queue>[],
    nextDueAt: () => waiting[0]?.dueAt ?? Infinity,
  }

  function add(added: WaitingUrl<Queue>) {
    let at = waiting.length
    while (at > 0 && waiting[at - 1]!.dueAt > added.dueAt) at -= 1
    waiting.splice(at, 0, added)
  }

  /** Removes the first URL if it is due. */
  function takeDue(now: number): WaitingUrl<Queue> | null {
    return waiting.length > 0 && waiting[0]!.dueAt <= now ? waiting.shift()! : null
  }

  function remove(seq: number) {
    const at = waiting.findIndex(({ url }) => url.seq === seq)
    if (at >= 0) waiting.splice(at, 1)
  }
}
