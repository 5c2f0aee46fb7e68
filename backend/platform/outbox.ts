/**
 * The queue of outgoing mails. The transaction that causes a mail also queues it, so that there is never one without the other. It is sent
 * in the background, with retries while the server fails, so that no request waits for a mail server.
 *
 * A mail contains a secret token. It is encrypted in the queue, and deleted once it is sent.
 */
import { latestWait, waitUntil } from './clock.ts'
import type { Database, Transaction } from './database/database.ts'
import { createDueLoop } from './due-loop.ts'
import { RefusedMail } from './mailer.ts'
import type { Mail, Mailer } from './mailer.ts'
import type { Sealer } from './secrets.ts'

export type QueuedMail = {
  to: string
  mail: Mail
  /** When the mail becomes useless; after this instant it is dropped. */
  until?: number
  /** Costs the same work as a mail but is never sent, so that requests for unknown addresses take as long as for known ones. */
  isDecoy?: boolean
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** The waits after the first failure, the second and so on, about a day in total; then the mail is dropped. */
const WAITS_MS = [10 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR]
const LONGEST_WAIT_MS = Math.max(...WAITS_MS)
/** Mails sent at once, so that one slow server does not hold up the others. */
const SENDERS = 4
/** Longest pause between two reads of the table, in case the clock or another process has changed something. */
const LOOK_MS = MINUTE
const CLOSE_MS = 2 * SECOND

type Log = { warn(facts: object, message: string): void; error(facts: object, message: string): void }

export function createOutbox({ committed, jobs, log, mailer, newId, now, sealer }: OutboxNeeds) {
  const sending = new Set<Promise<void>>()
  const loop = createDueLoop({
    committed,
    mostMs: LOOK_MS,
    now,
    // The database is busy or closing: the mails are safe, and will be read later.
    onFault: (error) => log.warn({ err: error }, 'the waiting mails could not be read'),
    work: sendDue,
  })
  loop.start()
  return { queue, deliver, close }

  /** Queues a mail in the caller's transaction; it is sent soon after the commit. */
  async function queue(transaction: Transaction, mail: QueuedMail): Promise<void> {
    const key = `mail:${newId()}`
    await jobs.add(transaction, { key, payload: sealer.seal(JSON.stringify(mail), key) })
    loop.wake()
  }

  /** Sends the due mails; resolves when each was tried once. */
  async function deliver(): Promise<void> {
    await loop.pass()
    while (sending.size > 0) await Promise.all(sending)
  }

  /** Waits a moment for mails that are being sent. The others are sent again after the next start. */
  async function close(): Promise<void> {
    loop.stop()
    const patience = Promise.withResolvers<void>()
    const end = setTimeout(patience.resolve, CLOSE_MS)
    await Promise.race([Promise.all(sending), patience.promise])
    clearTimeout(end)
    mailer.close()
  }

  /** Starts to send the mails that are due, as many as may be sent at once; returns when the next one is due. */
  async function sendDue(): Promise<number> {
    while (loop.isOpen() && sending.size < SENDERS) {
      const job = await jobs.claim()
      if (job === null) break
      const send = trySend(job).finally(() => {
        sending.delete(send)
        void loop.pass()
      })
      sending.add(send)
    }
    // The end of one that is being sent looks for the next.
    return sending.size < SENDERS ? ((await jobs.nextAt()) ?? Infinity) : Infinity
  }

  async function trySend(job: MailJob): Promise<void> {
    try {
      const queued = opened(job)
      const fault = queued === null ? new RefusedMail('it was encrypted with another secret key') : await faultOf(queued)
      if (fault === null) return await jobs.remove(job)
      const waitMs = fault instanceof RefusedMail ? undefined : WAITS_MS[job.attempts - 1]
      const facts = { err: fault, attempts: job.attempts, ...(queued && { to: queued.to, subject: queued.mail.subject }) }
      if (waitMs === undefined) {
        log.error(facts, 'a mail could not be sent and was given up')
        return await jobs.remove(job)
      }
      log.warn({ ...facts, waitMs }, 'a mail could not be sent; it is tried again')
      await jobs.postpone(job, now() + waitMs)
    } catch (error) {
      if (loop.isOpen()) log.warn({ err: error }, 'a mail stays in the queue: its outcome could not be stored')
    }
  }

  /** Null for a mail that was queued with another secret key. */
  function opened({ key, payload }: MailJob): QueuedMail | null {
    const text = sealer.tryOpen(payload, key)
    return text === null ? null : (JSON.parse(text) as QueuedMail)
  }

  /** Why the mail was not sent; null when it is done. */
  async function faultOf({ to, mail, until = Infinity, isDecoy }: QueuedMail): Promise<unknown> {
    if (isDecoy) return null
    if (until <= now()) return new RefusedMail('its link has expired')
    try {
      await mailer.send({ to, ...mail })
      return null
    } catch (error) {
      return error
    }
  }
}

export type Outbox = ReturnType<typeof createOutbox>

type OutboxNeeds = {
  /** Resolves when all open transactions have ended. */
  committed: () => Promise<void>
  jobs: MailJobs
  log: Log
  mailer: Mailer
  newId: () => string
  now: () => number
  sealer: Sealer
}

// ---- the rows of the table `job`

const MAIL_KIND = 'mail'

/** `attempts` includes this one. */
type MailJob = { no: number; key: string; payload: string; attempts: number }

/**
 * Waiting mails, as jobs of a kind of their own. The caller encrypts their content.
 *
 * A claimed mail is hidden from others for `claimMs`; the worker must remove or postpone it in that time, or it is claimed again. So a
 * mail is sent at least once. Mails that wait for longer than any retry does were postponed while the clock was wrong, and are due.
 */
export function mailJobs({ database, claimMs, now, owner }: { database: Database; claimMs: number; now: () => number; owner: string }) {
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
        .where((job) => job.or([job('runAt', '<=', at), job('runAt', '>', latestWait(at, LONGEST_WAIT_MS))]))
        .where((job) =>
          job.or([job('leaseUntil', 'is', null), job('leaseUntil', '<=', at), job('leaseUntil', '>', latestWait(at, claimMs))]),
        )
        .orderBy('runAt')
        .orderBy('no')
        .limit(1)
        .executeTakeFirst()
      if (!job) return null
      const attempts = job.attempts + 1
      await transaction
        .updateTable('job')
        .set({ owner, leaseUntil: at + claimMs, attempts })
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
    const at = now()
    const dueAt = ({ leaseUntil, runAt }: (typeof jobs)[number]) =>
      Math.max(waitUntil(runAt, at, LONGEST_WAIT_MS), waitUntil(leaseUntil ?? 0, at, claimMs))
    return jobs.length ? Math.min(...jobs.map(dueAt)) : null
  }
}

type MailJobs = ReturnType<typeof mailJobs>
