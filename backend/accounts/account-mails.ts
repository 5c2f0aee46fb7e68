/** The mails of accounts: what each says, and where its link leads. Pure but for the address of the installation. */
import type { SwitchedOff } from '#contract/webhooks.ts'
import type { Mail } from '#backend/platform/mailer.ts'
import { layOut } from './mail-layout.ts'

/** A name chosen by another user, for use in our sentence: without line breaks, and cut so that it cannot become the message. */
const MAX_NAME = 80

/** @param baseUrl  where people reach the dashboard, without a slash at its end; never taken from a request */
export function createAccountMails({ baseUrl, productName }: { baseUrl: () => string; productName: string }) {
  return { verifyEmail, resetPassword, deleteAccount, invitation, invitationLink, webhookOff }

  function verifyEmail(token: string): Mail {
    return layOut(productName, {
      subject: `Verify your email – ${productName}`,
      heading: 'Verify your email',
      paragraphs: [`One click and your ${productName} account is ready: confirm that this address is yours.`],
      button: { label: 'Verify email', link: `${baseUrl()}/verify-email/${token}` },
      footnote: 'The link works once, for 7 days. If you did not sign up, you can ignore this mail.',
    })
  }

  function resetPassword(token: string): Mail {
    return layOut(productName, {
      subject: `Reset your password – ${productName}`,
      heading: 'Reset your password',
      paragraphs: [`A new password was requested for your ${productName} account.`],
      button: { label: 'Set a new password', link: `${baseUrl()}/reset-password/${token}` },
      footnote: 'The link works once, for one hour. If it was not you, ignore this mail: your password stays as it is.',
    })
  }

  function deleteAccount(code: string): Mail {
    return layOut(productName, {
      subject: `Delete your account – ${productName}`,
      heading: 'Delete your account',
      paragraphs: [`You asked to delete your ${productName} account. The page shows what goes with it, and asks once more.`],
      button: { label: 'Go on', link: `${baseUrl()}/dashboard/profile?deletion_code=${code}` },
      footnote: 'The link works once, for one hour. If it was not you, set a new password: another person is signed in to your account.',
    })
  }

  function invitation({ code, teamName }: { code: string; teamName: string }): Mail {
    const team = nameOf(teamName)
    return layOut(productName, {
      subject: `Join our team “${team}” – ${productName}`,
      heading: 'Join our team',
      paragraphs: [`You are invited to the team “${team}” on ${productName}, where websites are crawled and searched.`],
      button: { label: 'Join the team', link: invitationLink(code) },
      footnote: 'The invitation is for this address. If you did not expect it, you can ignore this mail.',
    })
  }

  function webhookOff({ url, why }: { url: string; why: SwitchedOff }): Mail {
    return layOut(productName, {
      subject: `A webhook was switched off – ${productName}`,
      heading: 'A webhook was switched off',
      paragraphs: [
        `Nothing is sent to ${nameOf(url)} any more: ${WHY_OFF[why]}.`,
        'Switch it on again when it works; what waits for it is sent then.',
      ],
      button: { label: 'Open webhooks', link: `${baseUrl()}/dashboard/settings#webhooks` },
      footnote: 'You receive this mail as the owner of the team.',
    })
  }

  /** The link that opens an invitation, mailed or handed over. */
  function invitationLink(code: string): string {
    return `${baseUrl()}/register/?invitation_code=${code}`
  }
}

const WHY_OFF: Record<SwitchedOff, string> = {
  gone: 'it answered that it is no longer there (410)',
  failing: 'it has taken nothing for about a day',
  overflow: 'too much waits for it',
}

export type AccountMails = ReturnType<typeof createAccountMails>

/** Signs that hold an address together, with the dots of other scripts, where a letter follows: `1.2` and `3:4` stay as they are. */
const JOINT = /[.:/\\@．。｡․]+(?=[^\s.:/\\@．。｡․]*\p{L})(?=\S)/gu

function nameOf(text: string): string {
  // Line breaks would begin a header, and what turns the reading direction would hide the rest of the line.
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  const short = line.length > MAX_NAME ? `${line.slice(0, MAX_NAME - 1)}…` : line
  return withoutLinks(short)
}

/** Many readers make links of whatever looks like an address, also of `evil.example` alone. With a space behind each joint nothing does. */
const withoutLinks = (name: string) => name.replace(/:[/\\]+(?=\S)/g, '$& ').replace(JOINT, '$& ')
