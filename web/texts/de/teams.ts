import { count } from './language.ts'
import { rich } from '../rich.ts'
import type { Part } from '../rich.ts'
export const creating = 'Wird angelegt …'
export const create = 'Anlegen'
export const failedToLoadTheMembers = 'Die Mitglieder konnten nicht geladen werden'
export const loadingMembers = 'Mitglieder werden geladen …'
export const teamMembers = 'Mitglieder des Teams'
export const member = 'Mitglied'
export const role = 'Rolle'
export const owner = 'Eigentümer'
export const you = 'Du'
export const removeMemberNamed = (member: string) => `${member} entfernen`
export const wasRemovedFromTheTeam = (member: string) => `${member} wurde aus dem Team entfernt`
export const failedToRemoveTheMember = 'Das Mitglied konnte nicht entfernt werden'
export const removeQuestion = (name: string) => `${name} entfernen?`
export const removeMember = 'Mitglied entfernen'
export const removing = 'Wird entfernt …'
export const theyLoseAccessToAtOnce = (teamName: string) =>
  `Der Zugang zu ${teamName} endet sofort. Das Konto bleibt, und was damit angelegt wurde, bleibt beim Team.`
export const createNewAPIKey = 'Neuer API-Schlüssel'
export const apiKeys = 'API-Schlüssel'
export const keysAuthenticatePrograms =
  'API-Schlüssel authentifizieren deine Programme. Halte sie geheim: Wer einen hat, handelt für das Team.'
export const failedToLoadAPIKeys = 'Die API-Schlüssel konnten nicht geladen werden'
export const theServerDidNotGiveThe = 'Der Server hat die Liste nicht geliefert. Deine Schlüssel gelten weiter.'
export const loadingAPIKeys = 'API-Schlüssel werden geladen …'
export const noAPIKeysFound = 'Noch keine API-Schlüssel'
export const aKeyLetsYourProgramsUse = (productName: string) =>
  `Mit einem Schlüssel können deine Programme ${productName} nutzen. Halte Schlüssel geheim.`
export const apiKeyCopied = 'API-Schlüssel kopiert'
export const failedToCopyTheAPIKey = 'Der API-Schlüssel konnte nicht kopiert werden. Zeig ihn an und kopiere ihn von Hand.'
export const apiKeysInASentence = 'API-Schlüssel'
export const name = 'Name'
export const apiKey = 'API-Schlüssel'
export const noLongerValidTheSecretKey = 'Gilt nicht mehr: Der geheime Schlüssel des Servers hat sich geändert'
export const created = 'Angelegt'
export const lastUsed = 'Zuletzt benutzt'
export const neverUsed = 'Nie benutzt'
export const hide = 'Verbergen'
export const show = 'Anzeigen'
export const copy = (name: string) => `${name} kopieren`
export const itsMakerAndTheOwnerOf = 'Den ganzen Schlüssel sieht, wer ihn angelegt hat, und der Eigentümer des Teams.'
export const madeByAColleague = 'Von einem anderen Mitglied angelegt'
export const deleteNamed = (name: string) => `${name} löschen`
export const pleaseEnterAKeyName = 'Bitte gib einen Namen für den Schlüssel ein'
export const failedToCreateTheAPIKey = (message: string | number) => `Der API-Schlüssel konnte nicht angelegt werden. ${message}`
export const apiKeyCreated = 'API-Schlüssel angelegt'
export const keyName = 'Name des Schlüssels'
export const sayWhatWillUseItSuch = 'Sag, wofür er ist, zum Beispiel mit dem Namen eines Programms.'
export const apiKeyDeleted = 'API-Schlüssel gelöscht'
export const failedToDeleteTheAPIKey = (message: string | number) => `Der API-Schlüssel konnte nicht gelöscht werden. ${message}`
export const deleteKeyQuestion = (name: string) => `„${name}“ löschen?`
export const deleteKey = 'Schlüssel löschen'
export const programsThatUseThisKeyAre =
  'Programme mit diesem Schlüssel werden ab sofort abgewiesen. Das lässt sich nicht rückgängig machen.'
export const failedToMakeAnInvitationLink = 'Es konnte kein Einladungslink angelegt werden'
export const invitationLinkCopied = 'Einladungslink kopiert'
export const thisInvitationIsNotPendingAny = 'Diese Einladung ist nicht mehr offen'
export const pendingInvitations = 'Offene Einladungen'
export const noPendingInvitations = 'Keine offenen Einladungen'
export const failedToLoadInvitations = 'Die Einladungen konnten nicht geladen werden'
export const loadingInvitations = 'Einladungen werden geladen …'
export const invitedUser = 'Eingeladen'
export const status = 'Status'
export const pending = 'Offen'
export const date = 'Datum'
export const copyInvitationLinkFor = (email: string) => `Einladungslink kopieren: ${email}`
export const copyInvitationLink = 'Einladungslink kopieren'
export const withdrawTheInvitationOf = (email: string) => `Einladung von ${email} zurückziehen`
export const withdraw = 'Zurückziehen'
export const invitationWithdrawn = 'Einladung zurückgezogen'
export const failedToWithdrawTheInvitation = 'Die Einladung konnte nicht zurückgezogen werden'
export const withdrawThisInvitation = 'Diese Einladung zurückziehen?'
export const withdrawing = 'Wird zurückgezogen …'
export const theInvitationLinkOfStopsWorking = (email: Part) =>
  rich`Der Einladungslink von ${email} gilt dann nicht mehr. Du kannst dieselbe Adresse wieder einladen.`
export const deleteTheirAPIKeys = 'API-Schlüssel des Mitglieds löschen'
export const deleteYourAPIKeys = 'Deine API-Schlüssel löschen'
export const theyKnowTheKeysThatThey =
  'Das Mitglied kennt die Schlüssel, die es angelegt hat. Programme, die damit arbeiten, werden dann abgewiesen. Auch seine offenen Einladungen enden.'
export const youKnowTheKeysThatYou =
  'Du kennst die Schlüssel, die du angelegt hast. Programme, die damit arbeiten, werden dann abgewiesen. Auch deine offenen Einladungen enden.'
export const teamNameSaved = 'Name des Teams gespeichert'
export const renameNamed = (name: string) => `${name} umbenennen`
export const rename = 'Umbenennen'
export const teamName = 'Name des Teams'
export const saving = 'Wird gespeichert …'
export const save = 'Speichern'
export const invitationLink = 'Einladungslink'
export const done = 'Fertig'
export const link = 'Link'
export const theBrowserRefusedToCopyIt =
  'Der Browser hat das Kopieren verweigert. Markiere den Link und kopiere ihn von Hand. Er gilt einmal, für die eingeladene Adresse.'
export const thisCouldNotBeLoaded = 'Das konnte nicht geladen werden'
export const jobsAreKept = 'Aufträge bleiben gespeichert'
export const jobsAreDeletedAfter = (wanted: string) => `Aufträge werden nach ${wanted} gelöscht`
export const days = (n: number) => count(n, { one: 'Tag', other: 'Tagen' })
export const endedJobs = 'Beendete Aufträge'
export const keep = 'Behalten'
export const deleteWhenOld = 'Nach einer Zeit löschen'
export const daysAfterTheEndOfA = 'Tage nach dem Ende eines Auftrags'
export const enterAWholeNumberFrom1 = (day: string | number) => `Gib eine ganze Zahl von 1 bis ${day} ein`
export const theTeamKeepsItsJobsOnly = 'Das Team behält seine Aufträge. Nur sein Eigentümer kann das ändern.'
export const theTeamDeletesJobsAfterTheir = (days: string) =>
  `Das Team löscht Aufträge, die seit mehr als ${days} beendet sind. Nur sein Eigentümer kann das ändern.`
export const serverDeletesLaterThanTeam = (installation: string) =>
  `Dieser Server löscht Aufträge, die seit mehr als ${installation} beendet sind, was ein Team auch einstellt. Dieses Team löscht sie früher.`
export const serverDeletesAll = (installation: string) =>
  `Dieser Server löscht Aufträge, die seit mehr als ${installation} beendet sind, was ein Team auch einstellt.`
export const counting = 'Wird gezählt …'
export const apply = 'Übernehmen'
export const deleteJobsOlderThan = (wanted: string) => `Aufträge löschen, die seit mehr als ${wanted} beendet sind?`
export const deleteOldJobs = 'Alte Aufträge löschen'
export const theyAreDeletedWithinTheHour = (wanted: string) =>
  `Sie werden innerhalb einer Stunde gelöscht, und von da an jeder Auftrag, der seit mehr als ${wanted} beendet ist. Das lässt sich nicht rückgängig machen.`
export const olderThan = (days: string) => `seit mehr als ${days} beendet`
export const noJobIsAtTheMoment = (age: string | number) => `Im Moment ist kein Auftrag ${age}.`
export const storedPages = (n: number) => count(n, { one: 'gespeicherter Seite', other: 'gespeicherten Seiten' })
export const jobsAre = (n: number) => count(n, { one: 'Auftrag ist', other: 'Aufträge sind' })
export const youLeft = (name: string) => `Du hast ${name} verlassen`
export const failedToLeaveTheTeam = 'Das Team konnte nicht verlassen werden'
export const leaveTeam = 'Team verlassen'
export const youOwnThisTeamTheOwner = 'Dieses Team gehört dir. Der Eigentümer kann es nicht verlassen.'
export const leave = (name: string) => `${name} verlassen?`
export const leaving = 'Wird verlassen …'
export const youLoseAccessAtOnceWhat =
  'Dein Zugang endet sofort. Was du angelegt hast, bleibt beim Team. Um zurückzukommen, brauchst du eine neue Einladung.'
export const deleteTeam = 'Team löschen'
export const theTeamWasDeleted = (name: string) => `Das Team ${name} wurde gelöscht`
export const deleteTeamQuestion = (name: string) => `${name} löschen?`
export const deleting = 'Wird gelöscht …'
export const typeTheTeamsNameToConfirm = (name: string) => `Gib zur Bestätigung den Namen des Teams ein: ${name}`
export const whatBelongsToTheTeamCould = 'Was zum Team gehört, konnte nicht geladen werden'
export const countingWhatBelongsToTheTeam = 'Es wird gezählt, was zum Team gehört …'
export const thisIsDeletedWithTheTeam = 'Das wird mit dem Team gelöscht und kann nicht wiederhergestellt werden:'
export const jobs = (n: number) => count(n, { one: 'Auftrag', other: 'Aufträge' })
export const withWhatStillRunsIsCanceled = (runs: string, pages: string) => `${runs} mit ${pages}; was noch läuft, wird abgebrochen`
export const apiKeyCount = (n: number) => count(n, { one: 'API-Schlüssel', other: 'API-Schlüssel' })
export const programsThatUseOneAreRefused = (keys: string) => `${keys}: Programme, die damit arbeiten, werden dann abgewiesen`
export const proxyServers = (n: number) => count(n, { one: 'Proxy-Server', other: 'Proxy-Server' })
export const otherMembers = (n: number) => count(n, { one: 'weiteres Mitglied', other: 'weitere Mitglieder' })
export const theAccessOf = (others: string) => `Der Zugang für ${others}`
export const invitationSentTo = (address: string | number) => `Einladung an ${address} verschickt`
export const invitedWithoutMail = (address: string | number) => `${address} ist eingeladen. Dieser Server verschickt keine E-Mails.`
export const invitedWithoutMailByAdmin = (address: string | number) =>
  `${address} ist eingeladen. Dieser Server verschickt keine E-Mails. Der Eigentümer des Teams kann den Einladungslink kopieren.`
export const emailIsRequired = 'E-Mail-Adresse fehlt'
export const pleaseEnterAValidEmail = 'Bitte gib eine gültige E-Mail-Adresse ein'
export const failedToSendTheInvitation = 'Die Einladung konnte nicht verschickt werden'
export const inviteMember = 'Mitglied einladen'
export const email = 'E-Mail-Adresse'
export const nameExampleOrg = 'name@example.org'
export const inviting = 'Wird eingeladen …'
export const invite = 'Einladen'
export const about = (size: string) => `etwa ${size}`
export const theOldestEnded = (day: string) => `; der älteste endete am ${day}`
export const jobsOfAge = (runs: string, age: string, size: string, oldest: string) => `${runs} ${age}, mit ${size}${oldest}.`
