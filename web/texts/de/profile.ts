import { isolated } from '../formats.ts'
import { count } from './language.ts'
import { rich } from '../rich.ts'
import type { Part } from '../rich.ts'
export const deleteAccount = 'Konto löschen'
export const yourAccountWasDeleted = 'Dein Konto wurde gelöscht'
export const theCodeIsOnItsWay = 'Der Code ist an deine Adresse unterwegs'
export const deleteYourAccount = 'Dein Konto löschen?'
export const deleting = 'Wird gelöscht …'
export const deleteAlthoughOthersBelongTo = (names: string) => `${names} löschen, obwohl dort noch andere Mitglieder sind`
export const theOtherMembersLoseEverythingThat = 'Die anderen Mitglieder verlieren alles, was dort gespeichert ist.'
export const codeFromTheMail = 'Code aus der E-Mail'
export const sending = 'Wird gesendet …'
export const mailMeACode = 'Code zuschicken'
export const currentPassword = 'Aktuelles Passwort'
export const whatBelongsToYourAccountCould = 'Was zu deinem Konto gehört, konnte nicht geladen werden'
export const lookingAtWhatBelongsToYour = 'Es wird ermittelt, was zu deinem Konto gehört …'
export const thisIsDeletedWithYourAccount = 'Das wird mit deinem Konto gelöscht und kann nicht wiederhergestellt werden:'
export const jobs = (n: number) => count(n, { one: 'Auftrag', other: 'Aufträge' })
export const storedPages = (n: number) => count(n, { one: 'gespeicherte Seite', other: 'gespeicherte Seiten' })
export const andTheAccessOf = (others: string) => `, dazu der Zugang für ${others}`
export const otherMembers = (n: number) => count(n, { one: 'weiteres Mitglied', other: 'weitere Mitglieder' })
export const theTeam = (name: string, runs: string, pages: string, access: string) =>
  `Das Team ${isolated(name)}: ${runs}, ${pages}${access}`
export const teams = (n: number) => count(n, { one: 'Team', other: 'Teams' })
export const yourAccessToOfOthersWhat = (memberships: string) => `Dein Zugang zu ${memberships} anderer; was du dort angelegt hast, bleibt`
export const apiKeys = (n: number) => count(n, { one: 'API-Schlüssel', other: 'API-Schlüssel' })
export const thatYouMadeInThoseTeams = (keys: string) =>
  `${keys}, die du in diesen Teams angelegt hast: Programme, die damit arbeiten, werden dann abgewiesen`
export const yourProfileYourPasswordAndAll = 'Dein Profil, dein Passwort und alle Sitzungen'
export const firstNameIsRequired = 'Vorname fehlt'
export const lastNameIsRequired = 'Nachname fehlt'
export const enterYourCurrentPasswordToChange = 'Gib zum Ändern dein aktuelles Passwort ein. Andere Geräte werden abgemeldet.'
export const profile = 'Profil'
export const yourOwnAccountTheSameIn = 'Dein eigenes Konto, in jedem Team dasselbe.'
export const aboutYou = 'Über dich'
export const yourNameIsShownToThe = 'Die Mitglieder deiner Teams sehen deinen Namen.'
export const teamInvitations = 'Einladungen in Teams'
export const teamsThatWouldLikeYouTo = 'Teams, die dich gern aufnehmen würden.'
export const password = 'Passwort'
export const yourAccountHasNoPasswordYet = 'Dein Konto hat noch kein Passwort. Andere Geräte werden abgemeldet.'
export const accountActions = 'Sitzung'
export const endsTheSessionOnThisDevice = 'Beendet die Sitzung auf diesem Gerät.'
export const logout = 'Abmelden'
export const withTheTeamsThatYouOwn = 'Mit deinen eigenen Teams und allem, was sie gespeichert haben.'
export const failedToLoadYourProfile = 'Dein Profil konnte nicht geladen werden'
export const loadingYourProfile = 'Dein Profil wird geladen …'
export const profileSaved = 'Profil gespeichert'
export const failedToSaveYourProfile = 'Dein Profil konnte nicht gespeichert werden'
export const firstName = 'Vorname'
export const lastName = 'Nachname'
export const email = 'E-Mail-Adresse'
export const theAddressCannotBeChanged = 'Die Adresse lässt sich nicht ändern.'
export const newsletter = 'Newsletter'
export const aFewEmailsAYearReleases = 'Ein paar E-Mails im Jahr: neue Versionen und Sicherheitshinweise.'
export const saving = 'Wird gespeichert …'
export const save = 'Speichern'
export const failedToChangeThePassword = 'Das Passwort konnte nicht geändert werden'
export const passwordChanged = 'Passwort geändert'
export const passwordChangedPleaseSignInWith = 'Passwort geändert. Bitte melde dich mit dem neuen an.'
export const newPassword = 'Neues Passwort'
export const confirmNewPassword = 'Neues Passwort wiederholen'
export const changing = 'Wird geändert …'
export const changePassword = 'Passwort ändern'
export const setPassword = 'Passwort setzen'
export const noPendingInvitations = 'Keine offenen Einladungen'
export const failedToLoadInvitations = 'Die Einladungen konnten nicht geladen werden'
export const loadingInvitations = 'Einladungen werden geladen …'
export const youJoinedItIsInThe = (name: string) => `Du bist jetzt Mitglied von ${name}. Du findest es im Team-Umschalter.`
export const failedToAcceptTheInvitation = 'Die Einladung konnte nicht angenommen werden'
export const invitedOn = (created_at: Part) => rich`Eingeladen am ${created_at}`
export const declineTeam = (name: string) => `${name} ablehnen`
export const decline = 'Ablehnen'
export const acceptTeam = (name: string) => `${name} annehmen`
export const joining = 'Beitritt läuft …'
export const accept = 'Annehmen'
export const invitationDeclined = 'Einladung abgelehnt'
export const failedToDeclineTheInvitation = 'Die Einladung konnte nicht abgelehnt werden'
export const declineThisInvitation = 'Diese Einladung ablehnen?'
export const declining = 'Wird abgelehnt …'
export const youDoNotJoinItsMembers = (name: string) => `Du trittst ${name} nicht bei. Die Mitglieder können dich wieder einladen.`
export const language = 'Sprache'
export const ofTheDashboardAndTheMails = 'Des Dashboards und der E-Mails an dich.'
export const asTheBrowser = 'Wie der Browser'
