/** The mails that the service sends: their text in the reader's language, and their links. Pure, except for the installation's URL. */
import { DEFAULT_LANGUAGE } from '#contract/languages.ts'
import type { Language } from '#contract/languages.ts'
import type { SwitchedOff } from '#contract/webhooks.ts'
import type { Mail } from '#backend/platform/mailer.ts'
import { layOut } from './mail-layout.ts'
import type { ScheduledOutcome } from './scheduled-outcome.ts'
import * as de from './texts/de.ts'
import * as en from './texts/en.ts'

/**
 * Most characters of a name chosen by another user: it is used in our sentence, without line breaks, and must not become the message
 * itself.
 */
const MAX_NAME = 80

const TEXTS: Record<Language, typeof en> = { en, de }

/** The language of a mail; null when the reader's language is unknown. */
export type MailLanguage = Language | null

/** @param baseUrl  the dashboard's URL without a final slash; never taken from a request */
export function createMails({ baseUrl, productName }: { baseUrl: () => string; productName: string }) {
  return { verifyEmail, resetPassword, deleteAccount, invitation, invitationLink, scheduledCrawl, webhookOff }

  function verifyEmail(token: string, language: MailLanguage): Mail {
    return write(language, (texts) => texts.verifyEmail(productName), `${baseUrl()}/verify-email/${token}`)
  }

  function resetPassword(token: string, language: MailLanguage): Mail {
    return write(language, (texts) => texts.resetPassword(productName), `${baseUrl()}/reset-password/${token}`)
  }

  function deleteAccount(code: string, language: MailLanguage): Mail {
    return write(language, (texts) => texts.deleteAccount(productName), `${baseUrl()}/dashboard/profile?deletion_code=${code}`)
  }

  function invitation({ code, teamName, language }: { code: string; teamName: string; language: MailLanguage }): Mail {
    return write(language, (texts) => texts.invitation(productName, nameOf(teamName)), invitationLink(code))
  }

  function webhookOff({ url, why, language }: { url: string; why: SwitchedOff; language: MailLanguage }): Mail {
    return write(language, (texts) => texts.webhookOff(productName, nameOf(url), why), `${baseUrl()}/dashboard/settings#webhooks`)
  }

  /** @param scheduled.crawlId  the crawl; null if none was started */
  function scheduledCrawl(scheduled: { name: string; outcome: ScheduledOutcome; crawlId: string | null; language: MailLanguage }): Mail {
    const { crawlId, language, outcome } = scheduled
    const name = nameOf(scheduled.name)
    const link = crawlId === null ? '/dashboard/schedules' : `/dashboard/logs/crawls/${crawlId}`
    return write(language, (texts) => scheduledTexts(texts, productName, name, outcome), `${baseUrl()}${link}`)
  }

  /** The link that opens an invitation, by mail or passed on by hand. */
  function invitationLink(code: string): string {
    return `${baseUrl()}/register/?invitation_code=${code}`
  }

  function write(language: MailLanguage, choose: (texts: typeof en) => ReturnType<typeof en.verifyEmail>, link: string): Mail {
    const spoken = language ?? DEFAULT_LANGUAGE
    const { label, ...letter } = choose(TEXTS[spoken])
    return layOut(productName, { ...letter, button: { label, link }, buttonFails: TEXTS[spoken].buttonFails, language: spoken })
  }
}

export type Mails = ReturnType<typeof createMails>

function scheduledTexts(texts: typeof en, productName: string, name: string, outcome: ScheduledOutcome) {
  if (outcome.kind === 'changes') return texts.scheduledChanges(productName, name, outcome)
  return outcome.kind === 'failed' ? texts.scheduledFailed(productName, name) : texts.scheduledRefused(productName, name, outcome.because)
}

/** Characters that join a URL, including the dots of other scripts, when a letter follows: `1.2` and `3:4` do not match. */
const JOINT = /[.:/\\@．。｡․]+(?=[^\s.:/\\@．。｡․]*\p{L})(?=\S)/gu

function nameOf(text: string): string {
  // A line break would start a new header, and a direction mark could hide the rest of the line.
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  const short = line.length > MAX_NAME ? `${line.slice(0, MAX_NAME - 1)}…` : line
  return withoutLinks(short)
}

/** Many mail programs turn anything that looks like a URL into a link, even `evil.example`. A space after each joint prevents that. */
const withoutLinks = (name: string) => name.replace(/:[/\\]+(?=\S)/g, '$& ').replace(JOINT, '$& ')
