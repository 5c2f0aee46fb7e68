import type { TranslationLoader } from '../translation.ts'
export const failedToRefreshToken = 'Die Sitzung konnte nicht verlängert werden'
export const anotherUserHasSignedInIn = 'In einem anderen Tab hat sich jemand anderes angemeldet.'
export const theServerCannotBeReachedCheck = 'Der Server ist nicht zu erreichen. Prüfe die Verbindung und versuche es noch einmal.'
export const theServerAnsweredWithStatus = (status: string | number) => `Der Server hat mit Status ${status} geantwortet.`
export const theAnswerIsNotUnderstood = 'Die Antwort des Servers war nicht zu verstehen.'
/** Die Meldungen des Servers; sie werden erst geladen, wenn eine da ist. */
export const loadTranslation: TranslationLoader = async () => (await import('./server-messages.ts')).translated
