import type { SwitchedOff } from '#contract/webhooks.ts'
import type { RefusedBecause } from '../scheduled-outcome.ts'

export const buttonFails: string = 'If the button does not work, open this link:'

export const verifyEmail = (product: string) => ({
  subject: `Verify your email – ${product}`,
  heading: 'Verify your email',
  paragraphs: [`One click and your ${product} account is ready: confirm that this address is yours.`],
  label: 'Verify email',
  footnote: 'The link works once, for 7 days. If you did not sign up, you can ignore this mail.',
})

export const resetPassword = (product: string) => ({
  subject: `Reset your password – ${product}`,
  heading: 'Reset your password',
  paragraphs: [`A new password was requested for your ${product} account.`],
  label: 'Set a new password',
  footnote: 'The link works once, for one hour. If it was not you, ignore this mail: your password stays as it is.',
})

export const deleteAccount = (product: string) => ({
  subject: `Delete your account – ${product}`,
  heading: 'Delete your account',
  paragraphs: [`You asked to delete your ${product} account. The page shows what is deleted with it, and asks for confirmation.`],
  label: 'Continue',
  footnote: 'The link works once, for one hour. If it was not you, set a new password: another person is signed in to your account.',
})

export const invitation = (product: string, team: string) => ({
  subject: `Join our team “${team}” – ${product}`,
  heading: 'Join our team',
  paragraphs: [`You are invited to the team “${team}” on ${product}, where websites are crawled and searched.`],
  label: 'Join the team',
  footnote: 'The invitation is for this address. If you did not expect it, you can ignore this mail.',
})

const WHY_OFF: Record<SwitchedOff, string> = {
  gone: 'it answered that it no longer exists (410)',
  failing: 'it has accepted nothing for about a day',
  overflow: 'too many events wait for it',
}

export const webhookOff = (product: string, url: string, why: SwitchedOff) => ({
  subject: `A webhook was switched off – ${product}`,
  heading: 'A webhook was switched off',
  paragraphs: [
    `Nothing is sent to ${url} any more: ${WHY_OFF[why]}.`,
    'Switch it on again when it works; the waiting events are sent then.',
  ],
  label: 'Open webhooks',
  footnote: 'You receive this mail as the owner of the team.',
})

type Counts = { added: number; changed: number; removed: number }

const counted = ({ added, changed, removed }: Counts) =>
  [added > 0 && `${added} new`, changed > 0 && `${changed} changed`, removed > 0 && `${removed} removed`]
    .filter(Boolean)
    .join(', ')
    .replace(/^\d+/, (first) => `${first} ${first === '1' ? 'page' : 'pages'}`)

export const scheduledChanges = (product: string, name: string, counts: Counts) => ({
  subject: `${name}: ${counted(counts)} – ${product}`,
  heading: 'A site has changed',
  paragraphs: [`The crawl of the schedule “${name}” found changes since the crawl before: ${counted(counts)}.`],
  label: 'Open the crawl',
  footnote: 'You receive this mail because the schedule mails changes. You can switch that off in the schedule.',
})

export const scheduledFailed = (product: string, name: string) => ({
  subject: `${name}: the crawl failed – ${product}`,
  heading: 'A scheduled crawl failed',
  paragraphs: [`The crawl of the schedule “${name}” failed. Its page shows the reason. The next crawl starts as planned.`],
  label: 'Open the crawl',
  footnote: 'You receive this mail because the schedule mails changes. You can switch that off in the schedule.',
})

const WHY_REFUSED: Record<RefusedBecause, string> = {
  plan: 'The team has no plan that allows it, or its credits are used up',
  proxy: 'Its proxy server does not exist any more',
  secrets: 'Its headers or passwords cannot be read any more',
  url: 'This server refuses one of its URLs',
  options: 'Its options are no longer valid, for example because a plugin or a language model was removed',
}

export const scheduledRefused = (product: string, name: string, because: RefusedBecause) => ({
  subject: `${name}: the crawl did not start – ${product}`,
  heading: 'A scheduled crawl did not start',
  paragraphs: [
    `The crawl of the schedule “${name}” did not start. ${WHY_REFUSED[because]}. The list of schedules has the exact message.`,
    'It is tried again at each planned time. You get no further mail until a crawl has started.',
  ],
  label: 'Open schedules',
  footnote: 'You receive this mail because the schedule mails changes. You can switch that off in the schedule.',
})
