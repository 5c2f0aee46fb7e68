/** A real mail server on loopback that keeps what arrives. */
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { closedAtEnd } from '#tests/support/suite.ts'

export type Arrived = {
  /** The recipients of the envelope. */
  to: string[]
  from: string
  subject: string
  html: string
  text: string
  /** The link of the mail. */
  link: string
  /** The raw message. */
  raw: string
}

const LIMIT_MS = 30_000

/**
 * `url` is what SMTP_URL is set to. A suite of `suite.ts` closes it at the end of the test.
 *
 * @param refuse  called for each recipient; returns the code to answer with, `451` for "later", `550` for "never"
 */
export async function startMailServer({ port = 0, refuse }: { port?: number; refuse?: (address: string) => number | null } = {}) {
  const mails: Arrived[] = []
  const waiting: ((mail: Arrived) => void)[] = []
  let taken = 0
  let attempts = 0
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onRcptTo({ address }, _session, done) {
      attempts += 1
      const responseCode = refuse?.(address) ?? null
      done(responseCode === null ? undefined : Object.assign(new Error('refused by the test'), { responseCode }))
    },
    onData(stream, { envelope }, done) {
      void (async () => {
        const chunks: Buffer[] = []
        for await (const chunk of stream) chunks.push(chunk as Buffer)
        const raw = Buffer.concat(chunks).toString('utf8')
        const { subject = '', html = '', text = '', from } = await PostalMime.parse(raw)
        const link = /https?:\/\/\S+/.exec(text)?.[0] ?? ''
        const mail = { to: envelope.rcptTo.map(({ address }) => address), from: from?.address ?? '', subject, html, text, link, raw }
        mails.push(mail)
        for (const resolve of waiting.splice(0)) resolve(mail)
        done()
      })()
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${address.port}`, port: address.port, mails, next, attempts: () => attempts, close: closedAtEnd(close) }

  /** Returns the mails in order of arrival; waits for a mail that is still being sent. */
  async function next(limitMs = LIMIT_MS): Promise<Arrived> {
    const deadline = performance.now() + limitMs
    while (mails.length <= taken) {
      const { promise, resolve, reject } = Promise.withResolvers<Arrived>()
      waiting.push(resolve)
      const timer = setTimeout(() => reject(new Error(`no mail within ${limitMs} ms`)), Math.max(0, deadline - performance.now()))
      await promise.finally(() => clearTimeout(timer))
    }
    return mails[taken++] as Arrived
  }

  async function close(): Promise<void> {
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>

/** The token at the end of a link of a mail. */
export const tokenOf = ({ link }: Arrived): string => /([A-Za-z0-9]+)$/.exec(link)?.[1] ?? ''
