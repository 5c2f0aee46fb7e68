/** Waiting mails, as jobs of a kind of their own. The caller encrypts their content. */
import type { Database, Transaction } from '#backend/platform/database/database.ts'

export const MAIL_KIND = 'mail'

/** `attempts` includes this one. */
export type MailJob = { no: number; key: string; payload: string; attempts: number }

/**
 * A claimed mail is hidden from others for `leaseMs`; the worker must settle it in that time, or it is handed out again. So a mail is sent
 * at least once.
 */
export function mailJobs({ database, leaseMs, now, owner }: { database: Database; leaseMs: number; now: () => number; owner: string }) {
  return { add, claim, remove, postpone, nextAt }

  /** Adds a mail in the caller's transaction. */
  async function add(transaction: Transaction, { key, payload }: { key: string; payload: string }): Promise<void> {
    const job = { key, kind: MAIL_KIND, payload, teamId: '', priority: 0, runAt: now(), owner: null, leaseUntil: null }
    await transaction.insertInto('job').values(job).execute()
  }

  /** The mail that has been due longest, or null. */
  async function claim(): Promise<MailJob | null> {
    const at = now()
    return database.transaction().execute(async (transaction) => {
      const job = await transaction
        .selectFrom('job')
        .select(['no', 'key', 'payload', 'attempts'])
        .where('kind', '=', MAIL_KIND)
        .where('runAt', '<=', at)
        .where((job) => job.or([job('leaseUntil', 'is', null), job('leaseUntil', '<=', at)]))
        .orderBy('runAt')
        .orderBy('no')
        .limit(1)
        .executeTakeFirst()
      if (!job) return null
      const attempts = job.attempts + 1
      await transaction
        .updateTable('job')
        .set({ owner, leaseUntil: at + leaseMs, attempts })
        .where('no', '=', job.no)
        .execute()
      return { ...job, attempts }
    })
  }

  async function remove({ no }: MailJob): Promise<void> {
    await database.deleteFrom('job').where('no', '=', no).where('owner', '=', owner).execute()
  }

  async function postpone({ no }: MailJob, until: number): Promise<void> {
    await database
      .updateTable('job')
      .set({ owner: null, leaseUntil: null, runAt: until })
      .where('no', '=', no)
      .where('owner', '=', owner)
      .execute()
  }

  /** When the next mail may be claimed; null when none is waiting. */
  async function nextAt(): Promise<number | null> {
    const jobs = await database
      .selectFrom('job')
      .select(['runAt', 'leaseUntil'])
      .where('kind', '=', MAIL_KIND)
      .orderBy('runAt')
      .limit(100)
      .execute()
    return jobs.length ? Math.min(...jobs.map(({ runAt, leaseUntil }) => Math.max(runAt, leaseUntil ?? 0))) : null
  }
}

export type MailJobs = ReturnType<typeof mailJobs>
