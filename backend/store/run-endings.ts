/**
 * The ends of runs, for the features that act on them: mails, webhooks, schedules. An end is written down in the transaction that ends the run, and
 * told to each listener at least once, in the order of the ends.
 */
import { sql } from 'kysely'
import type { Database } from '#backend/platform/database/database.ts'

export type RunEnded = { runNo: number; status: string; endedAt: number }

const AT_ONCE = 100

export type RunEndings = ReturnType<typeof createRunEndings>

export function createRunEndings({ database, onFault }: { database: Database; onFault: (fault: unknown, listener: string) => void }) {
  const listeners = new Map<string, (ended: RunEnded) => Promise<void>>()
  let looking: Promise<void> | null = null
  let isWanted = false
  return { listen, look }

  /**
   * Tells a listener of every end from now on; one that has listened before is told of what it has missed.
   *
   * @param name    by which its place is remembered
   * @param handle  called for one end after the other; an end that it rejects is told again at the next look
   */
  async function listen(name: string, handle: (ended: RunEnded) => Promise<void>): Promise<void> {
    await database
      .insertInto('runEndingListener')
      .values(({ fn, selectFrom, val }) => ({
        name,
        place: selectFrom('runEnding').select(() => fn.coalesce(fn.max<number>(sql.ref('no')), val(0)).as('place')),
      }))
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
    listeners.set(name, handle)
    await look()
  }

  /** Tells all listeners of what they have not heard; called when a run may have ended. */
  function look(): Promise<void> {
    isWanted = true
    looking ??= tellAll().finally(() => (looking = null))
    return looking
  }

  async function tellAll() {
    while (isWanted) {
      isWanted = false
      for (const [name, handle] of listeners) await tell(name, handle).catch((fault: unknown) => onFault(fault, name))
    }
  }

  async function tell(name: string, handle: (ended: RunEnded) => Promise<void>) {
    for (;;) {
      const { place } = await database.selectFrom('runEndingListener').where('name', '=', name).select('place').executeTakeFirstOrThrow()
      const ends = await database.selectFrom('runEnding').where('no', '>', place).orderBy('no').limit(AT_ONCE).selectAll().execute()
      for (const { no, ...ended } of ends) {
        await handle(ended)
        await database.updateTable('runEndingListener').set({ place: no }).where('name', '=', name).execute()
      }
      if (ends.length < AT_ONCE) return
    }
  }
}
