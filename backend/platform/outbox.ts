/**
 * Mails on their way out. A mail is queued by the transaction that causes it, so that there is never one without the other; it is
 * sent in the background, with retries while the server fails, so that no request waits for a mail server.
 *
 * A mail holds a secret token. It is encrypted in the queue, and deleted as soon as it is sent.
 */
import type { Transaction } from './database/database.ts'
import { RefusedMail } from './mailer.ts'
import type { Mail, Mailer } from './mailer.ts'
import type { MailJob, MailJobs } from './queue/mail-jobs.ts'
import type { Sealer } from './secrets.ts'

export type QueuedMail = {
  to: string
  mail: Mail
  /** When it is of no more use, as an instant; a mail that could not be sent by then is given up. */
  until?: number
  /** Costs what a mail costs and is never sent: so that an unknown address is answered like a known one, in the same time. */
  isDecoy?: boolean
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** How long to wait after the first failure, the second and so on; after the last the mail is given up. About a day. */
const WAITS_MS = [10 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR]
/** Mails under way at once: one slow server must not hold up the rest. */
const SENDERS = 4
/** Longest pause between two looks at the table, for the case that the clock or another process has changed something. */
const LOOK_MS = MINUTE
const CLOSE_MS = 2 * SECOND

type Log = { warn(facts: object, message: string): void; error(facts: object, message: string): void }

export function createOutbox({ committed, jobs, log, mailer, newId, now, sealer }: OutboxNeeds) {
  const sending = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let isLooking = false
  let mustLookAgain = false
  /** Woken by a transaction that may not be committed yet. */
  let isWoken = false
  schedule(0)
  return { queue, deliver, close }

  /** Queues a mail in the caller's transaction; it is sent soon after the commit. */
  async function queue(transaction: Transaction, mail: QueuedMail): Promise<void> {
    const key = `mail:${newId()}`
    await jobs.add(transaction, { key, payload: sealer.seal(JSON.stringify(mail), key) })
    isWoken = true
    schedule(0)
  }

  /** Sends the due mails, and resolves when each was tried once. */
  async function deliver(): Promise<void> {
    await look()
    while (sending.size > 0) await Promise.all(sending)
  }

  /** Lets the mails under way arrive, for a moment. Those that do not are sent again after the next start. */
  async function close(): Promise<void> {
    isClosed = true
    clearTimeout(timer)
    const patience = Promise.withResolvers<void>()
    const end = setTimeout(patience.resolve, CLOSE_MS)
    await Promise.race([Promise.all(sending), patience.promise])
    clearTimeout(end)
    mailer.close()
  }

  function schedule(waitMs: number) {
    if (isClosed) return
    clearTimeout(timer)
    timer = setTimeout(() => void look(), waitMs).unref()
  }

  async function look(): Promise<void> {
    if (isLooking) {
      mustLookAgain = true
      return
    }
    isLooking = true
    try {
      do {
        mustLookAgain = false
        if (isWoken) {
          isWoken = false
          await committed()
        }
        while (!isClosed && sending.size < SENDERS) {
          const job = await jobs.claim()
          if (job === null) break
          const send = trySend(job).finally(() => {
            sending.delete(send)
            void look()
          })
          sending.add(send)
        }
        // The timer of a wake-up that came meanwhile is replaced below, so look again now.
      } while ((mustLookAgain || isWoken) && !isClosed && sending.size < SENDERS)
      if (sending.size < SENDERS) schedule(Math.min(LOOK_MS, Math.max(0, ((await jobs.nextAt()) ?? Infinity) - now())))
    } catch (error) {
      // The database is busy or being closed: the mails are safe, and looked at later.
      if (!isClosed) log.warn({ err: error }, 'the mails that wait could not be read')
      schedule(LOOK_MS)
    } finally {
      isLooking = false
    }
  }

  async function trySend(job: MailJob): Promise<void> {
    try {
      const fault = await faultOf(job)
      if (fault === null) return await jobs.remove(job)
      const waitMs = fault instanceof RefusedMail ? undefined : WAITS_MS[job.attempts - 1]
      const facts = { err: fault, attempts: job.attempts }
      if (waitMs === undefined) {
        log.error(facts, 'a mail could not be sent and was given up')
        return await jobs.remove(job)
      }
      log.warn({ ...facts, waitMs }, 'a mail could not be sent; it is tried again')
      await jobs.postpone(job, now() + waitMs)
    } catch (error) {
      if (!isClosed) log.warn({ err: error }, 'a mail stays in the queue: the database did not take its end')
    }
  }

  /** Why the mail was not sent, or null when it need not be kept. */
  async function faultOf({ key, payload }: MailJob): Promise<unknown> {
    try {
      const text = sealer.tryOpen(payload, key)
      if (text === null) return new RefusedMail('it was sealed with another secret key')
      const { to, mail, until = Infinity, isDecoy } = JSON.parse(text) as QueuedMail
      if (isDecoy) return null
      if (until <= now()) return new RefusedMail('its link has expired')
      await mailer.send({ to, ...mail })
      return null
    } catch (error) {
      return error
    }
  }
}

export type Outbox = ReturnType<typeof createOutbox>

type OutboxNeeds = {
  /** Resolves when the transactions that are open now have ended. */
  committed: () => Promise<void>
  jobs: MailJobs
  log: Log
  mailer: Mailer
  newId: () => string
  now: () => number
  sealer: Sealer
}
