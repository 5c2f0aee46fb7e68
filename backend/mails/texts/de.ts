import type { SwitchedOff } from '#contract/webhooks.ts'
import type { RefusedBecause } from '../scheduled-outcome.ts'

export const buttonFails: string = 'Wenn der Knopf nicht funktioniert, öffne diesen Link:'

export const verifyEmail = (product: string) => ({
  subject: `Bestätige deine E-Mail-Adresse – ${product}`,
  heading: 'Bestätige deine E-Mail-Adresse',
  paragraphs: [`Ein Klick, und dein Konto bei ${product} ist bereit: Bestätige, dass diese Adresse dir gehört.`],
  label: 'E-Mail-Adresse bestätigen',
  footnote: 'Der Link gilt 7 Tage lang und nur einmal. Wenn du dich nicht registriert hast, kannst du diese E-Mail ignorieren.',
})

export const resetPassword = (product: string) => ({
  subject: `Passwort zurücksetzen – ${product}`,
  heading: 'Passwort zurücksetzen',
  paragraphs: [`Für dein Konto bei ${product} wurde ein neues Passwort angefordert.`],
  label: 'Neues Passwort setzen',
  footnote:
    'Der Link gilt eine Stunde lang und nur einmal. Wenn du es nicht warst, ignoriere diese E-Mail: Dein Passwort bleibt, wie es ist.',
})

export const deleteAccount = (product: string) => ({
  subject: `Konto löschen – ${product}`,
  heading: 'Konto löschen',
  paragraphs: [
    `Du hast darum gebeten, dein Konto bei ${product} zu löschen. Die Seite zeigt, was damit gelöscht wird, und fragt noch einmal nach.`,
  ],
  label: 'Weiter',
  footnote:
    'Der Link gilt eine Stunde lang und nur einmal. Wenn du es nicht warst, setz ein neues Passwort: Jemand anderes ist in deinem Konto angemeldet.',
})

export const invitation = (product: string, team: string) => ({
  subject: `Einladung in das Team „${team}“ – ${product}`,
  heading: 'Einladung in ein Team',
  paragraphs: [`Du bist in das Team „${team}“ bei ${product} eingeladen, wo Websites gecrawlt und durchsucht werden.`],
  label: 'Dem Team beitreten',
  footnote: 'Die Einladung gilt für diese Adresse. Wenn du sie nicht erwartet hast, kannst du diese E-Mail ignorieren.',
})

const WHY_OFF: Record<SwitchedOff, string> = {
  gone: 'Der Endpunkt hat geantwortet, dass es ihn nicht mehr gibt (410)',
  failing: 'Der Endpunkt hat etwa einen Tag lang nichts angenommen',
  overflow: 'Zu viele Ereignisse warten auf den Endpunkt',
}

export const webhookOff = (product: string, url: string, why: SwitchedOff) => ({
  subject: `Ein Webhook wurde abgeschaltet – ${product}`,
  heading: 'Ein Webhook wurde abgeschaltet',
  paragraphs: [
    `An ${url} wird nichts mehr gesendet. ${WHY_OFF[why]}.`,
    'Schalte den Webhook wieder ein, wenn er funktioniert; die wartenden Ereignisse werden dann gesendet.',
  ],
  label: 'Webhooks öffnen',
  footnote: 'Du bekommst diese E-Mail als Eigentümer des Teams.',
})

type Counts = { added: number; changed: number; removed: number }

const counted = ({ added, changed, removed }: Counts) =>
  [added > 0 && `${added} neu`, changed > 0 && `${changed} geändert`, removed > 0 && `${removed} entfernt`]
    .filter(Boolean)
    .join(', ')
    .replace(/^\d+/, (first) => `${first} ${first === '1' ? 'Seite' : 'Seiten'}`)

export const scheduledChanges = (product: string, name: string, counts: Counts) => ({
  subject: `${name}: ${counted(counts)} – ${product}`,
  heading: 'Eine Website hat sich geändert',
  paragraphs: [`Der Crawl des Zeitplans „${name}“ hat Änderungen seit dem vorigen Crawl gefunden: ${counted(counts)}.`],
  label: 'Crawl öffnen',
  footnote: 'Du bekommst diese E-Mail, weil der Zeitplan Änderungen per E-Mail meldet. Das lässt sich im Zeitplan abschalten.',
})

export const scheduledFailed = (product: string, name: string) => ({
  subject: `${name}: Der Crawl ist fehlgeschlagen – ${product}`,
  heading: 'Ein geplanter Crawl ist fehlgeschlagen',
  paragraphs: [`Der Crawl des Zeitplans „${name}“ ist fehlgeschlagen. Seine Seite zeigt den Grund. Der nächste Crawl startet wie geplant.`],
  label: 'Crawl öffnen',
  footnote: 'Du bekommst diese E-Mail, weil der Zeitplan Änderungen per E-Mail meldet. Das lässt sich im Zeitplan abschalten.',
})

const WHY_REFUSED: Record<RefusedBecause, string> = {
  plan: 'Das Team hat keinen Tarif, der ihn zulässt, oder seine Credits sind verbraucht',
  proxy: 'Seinen Proxy-Server gibt es nicht mehr',
  secrets: 'Seine Header oder Passwörter lassen sich nicht mehr lesen',
  url: 'Dieser Server lehnt eine seiner URLs ab',
  options: 'Seine Optionen sind nicht mehr gültig, zum Beispiel weil ein Plugin oder ein Sprachmodell entfernt wurde',
}

export const scheduledRefused = (product: string, name: string, because: RefusedBecause) => ({
  subject: `${name}: Der Crawl wurde nicht gestartet – ${product}`,
  heading: 'Ein geplanter Crawl wurde nicht gestartet',
  paragraphs: [
    `Der Crawl des Zeitplans „${name}“ wurde nicht gestartet. ${WHY_REFUSED[because]}. Die Liste der Zeitpläne zeigt die genaue Meldung.`,
    'Zu jedem geplanten Zeitpunkt wird es wieder versucht. Bis ein Crawl gestartet ist, bekommst du keine weitere E-Mail.',
  ],
  label: 'Zeitpläne öffnen',
  footnote: 'Du bekommst diese E-Mail, weil der Zeitplan Änderungen per E-Mail meldet. Das lässt sich im Zeitplan abschalten.',
})
