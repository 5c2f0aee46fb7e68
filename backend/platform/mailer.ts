/** The Mailer port, its adapter over SMTP, and the one for installations that send no mail. */
import type { Transporter } from 'nodemailer'
import { loadOnce } from './load-once.ts'
import type { AskService } from './service-watch.ts'

/** The content of a mail. `link` is the URL for the reader to open; `html` and `text` contain it too. */
export type Mail = { subject: string; html: string; text: string; link: string }

export type Mailer = {
  /**
   * Sends a mail. Resolves when the server has accepted it; throws `RefusedMail` when it never will, anything else when a retry may work.
   */
  send(mail: Mail & { to: string }): Promise<void>
  close(): void
}

/** The server rejects this mail for good: a retry would not help. */
export class RefusedMail extends Error {}

/** Timeout for one step of the SMTP session; the mail is retried later. */
const STEP_MS = 15_000
const SILENCE_MS = 30_000
const PATIENCE = { connectionTimeout: STEP_MS, greetingTimeout: STEP_MS, dnsTimeout: STEP_MS, socketTimeout: SILENCE_MS }

/**
 * @param from  the sender, `Name <address>` or the address alone
 * @param url   `smtp://` (upgraded to TLS if the server offers it) or `smtps://`, with user and password if needed
 */
export function smtpMailer({ from, url }: { from: string; url: string }): Mailer {
  let transport: Transporter | null = null
  const opened = loadOnce(open)
  return { send, close: () => transport?.close() }

  /** Loaded with the first mail, because the library takes 5 MB. */
  async function open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer')
    const defaults = { from, disableFileAccess: true, disableUrlAccess: true, headers: { 'Auto-Submitted': 'auto-generated' } }
    transport = createTransport({ url, ...PATIENCE }, defaults)
    return transport
  }

  async function send({ to, subject, html, text }: Mail & { to: string }): Promise<void> {
    const smtp = await opened()
    try {
      // As an object, the address is not parsed as a list.
      await smtp.sendMail({ to: { name: '', address: to }, subject, html, text })
    } catch (error) {
      const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
      const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
      throw isAboutMail && responseCode >= 500 ? new RefusedMail('the mail server refused the mail', { cause: error }) : error
    }
  }
}

/** By the error code of the library. */
const SMTP_FAULTS: Record<string, string> = {
  EAUTH: 'which refuses the user or the password',
  EDNS: 'whose name cannot be resolved',
  ETLS: 'which does not agree on TLS',
}

/** Connects to the mail server and signs in, without sending a mail. */
export const askMailServer =
  (url: string): AskService =>
  async () => {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({ url, ...PATIENCE })
    try {
      await transport.verify()
      return null
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException
      const what = SMTP_FAULTS[code] ?? 'which cannot be used'
      return `SMTP_URL names the mail server ${new URL(url).host}, ${what} (${message}): correct it. Mails wait until then`
    } finally {
      transport.close()
    }
  }

/** Writes the link to the log instead, so that the operator can pass it on to the user. */
export function logMailer({ warn }: { warn: (facts: object, message: string) => void }): Mailer {
  return {
    async send({ to, subject, link }) {
      warn({ to, subject, link }, 'SMTP_URL is not set, so this mail was not sent; open its link instead')
    },
    close: () => undefined,
  }
}
