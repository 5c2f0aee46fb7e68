import { count } from './language.ts'
import { rich } from '../rich.ts'
import type { Part } from '../rich.ts'
export const theInvitationCouldNotBeAccepted = 'Die Einladung konnte nicht angenommen werden. Bitte versuche es noch einmal.'
export const lookingUpYourAccount = 'Dein Konto wird geladen …'
export const youJoinedTheTeamItIs = 'Du bist jetzt Mitglied des Teams. Du findest es im Team-Umschalter.'
export const joinYourTeam = 'Deinem Team beitreten'
export const thisInvitationIsForAnotherAddress = 'Diese Einladung gilt einer anderen Adresse'
export const joining = 'Beitritt läuft …'
export const acceptInvitation = 'Einladung annehmen'
export const logout = 'Abmelden'
export const goToDashboard = 'Zum Dashboard'
export const youWereInvitedToWorkIn = 'Du wurdest in ein Team eingeladen. Nimm an, und es erscheint in deinem Team-Umschalter.'
export const theInvitationWasSentToAnd = (email: Part, email2: Part) =>
  rich`Die Einladung ging an ${email}, und du bist als ${email2} angemeldet.`
export const emailIsRequired = 'E-Mail-Adresse fehlt'
export const pleaseEnterAValidEmail = 'Bitte gib eine gültige E-Mail-Adresse ein'
export const passwordIsRequired = 'Passwort fehlt'
export const pleaseConfirmYourPassword = 'Bitte wiederhole dein Passwort'
export const passwordsMustMatch = 'Die Passwörter müssen übereinstimmen'
export const theInstructionsCouldNotBeSent = 'Die Anleitung konnte nicht verschickt werden. Bitte versuche es noch einmal.'
export const forgotYourPassword = 'Passwort vergessen?'
export const enterYourAddressAndWeSend = 'Gib deine E-Mail-Adresse ein, und wir schicken dir einen Link für ein neues Passwort.'
export const enterYourAddressThisServerSends =
  'Gib deine E-Mail-Adresse ein. Dieser Server verschickt keine E-Mails: Den Link bekommst du von seinem Administrator.'
export const resetYourPassword = 'Passwort zurücksetzen'
export const email = 'E-Mail-Adresse'
export const sending = 'Wird gesendet …'
export const sendResetInstructions = 'Anleitung schicken'
export const askForAResetLink = 'Link anfordern'
export const backToSignIn = 'Zurück zur Anmeldung'
export const rememberedIt = (link: Part) => rich`Wieder eingefallen? ${link}`
export const checkYourEmail = 'Sieh in dein Postfach'
export const askYourAdministrator = 'Frag deinen Administrator'
export const returnToLogin = 'Zurück zur Anmeldung'
export const useAnotherAddress = 'Andere Adresse verwenden'
export const ifAnAccountExistsForA = (address: Part) =>
  rich`Wenn es ein Konto für ${address} gibt, ist eine E-Mail mit einer Anleitung unterwegs.`
export const thisServerSendsNoMailIf = (address: Part) =>
  rich`Dieser Server verschickt keine E-Mails. Wenn es ein Konto für ${address} gibt, findet sein Administrator den Link im Log des Servers und kann ihn dir geben.`
export const theLinkWorksOnceAndFor = 'Der Link gilt eine Stunde lang und nur einmal.'
export const anErrorOccurredDuringLoginPlease = 'Bei der Anmeldung ist ein Fehler aufgetreten. Bitte versuche es noch einmal.'
export const passwordsAreOffSentence = 'Die Anmeldung mit Passwort ist abgeschaltet.'
export const signInTo = (productName: string) => `Bei ${productName} anmelden`
export const fromYourOwnServer = 'Crawle, durchsuche und kartiere das Web von deinem eigenen Server aus.'
export const thatLinkNoLongerWorks = 'Dieser Link gilt nicht mehr'
export const askForANewOne = 'Neuen Link anfordern'
export const linksToSetANewPassword = (link: Part) => rich`Links für ein neues Passwort gelten eine Stunde lang und nur einmal. ${link}`
export const passwordsAreOff = 'Die Anmeldung mit Passwort ist abgeschaltet'
export const askTheAdministratorOfThisServer = 'Frag den Administrator dieses Servers nach einem Zugang.'
export const createAnAccount = 'Konto anlegen'
export const newHere = (link: Part) => rich`Neu hier? ${link}`
export const signIn = 'Anmelden'
export const password = 'Passwort'
export const signingIn = 'Wird angemeldet …'
export const failedToConfirmPrivacyPolicyAnd = 'Datenschutzerklärung und Nutzungsbedingungen konnten nicht bestätigt werden'
export const privacyPolicyAndTermsOfService = 'Datenschutzerklärung und Nutzungsbedingungen bestätigt'
export const privacyAndTermsUpdate = 'Datenschutz und Nutzungsbedingungen'
export const confirming = 'Wird bestätigt …'
export const acceptAndContinue = 'Zustimmen und weiter'
export const pleaseReadAndConfirmTheFollowing = 'Bitte lies und bestätige Folgendes, bevor es weitergeht.'
export const thisServerHasPublishedNeitherA =
  'Dieser Server hat weder eine Datenschutzerklärung noch Nutzungsbedingungen veröffentlicht; es gibt also nichts zu lesen.'
export const privacyPolicy = 'Datenschutzerklärung'
export const termsOfService = 'Nutzungsbedingungen'
export const newsletter = 'Newsletter'
export const aFewEmailsAYearReleases = 'Ein paar E-Mails im Jahr: neue Versionen und Sicherheitshinweise.'
export const byChoosingAcceptAndContinueYou = (settings: string | number) => `Mit „Zustimmen und weiter“ stimmst du ${settings} zu.`
export const thePrivacyPolicy = 'der Datenschutzerklärung'
export const theTermsOfService = 'den Nutzungsbedingungen'
export const lastUpdated = (updatedAt: Part) => rich`Zuletzt geändert am ${updatedAt}`
export const view = (name: Part) => rich`Ansehen${name}`
export const theSignInCouldNotBe = 'Die Anmeldung konnte nicht bestätigt werden. Bitte versuche es noch einmal.'
export const or = 'oder'
export const continueWith = (name: string) => `Weiter mit ${name}`
export const tooManyAttemptsPleaseWait = (time: string) => `Zu viele Versuche. Bitte warte ${time}.`
export const verificationEmailSent = 'Bestätigungs-E-Mail verschickt'
export const theMailCouldNotBeSent = 'Die E-Mail konnte nicht verschickt werden. Bitte versuche es noch einmal.'
export const emailVerificationRequired = 'E-Mail-Adresse noch nicht bestätigt'
export const cancel = 'Abbrechen'
export const resend = 'Noch einmal senden'
export const beforeYouCanSignInOpen = (email: Part) =>
  rich`Bevor du dich anmelden kannst, öffne den Link in der E-Mail an ${email}. Ist sie nicht da, lass sie noch einmal schicken; der Link einer früheren E-Mail gilt dann nicht mehr.`
export const resendTheMail = 'E-Mail noch einmal senden'
export const thePasswordCouldNotBeSet = 'Das Passwort konnte nicht gesetzt werden. Bitte versuche es noch einmal.'
export const setANewPassword = 'Neues Passwort setzen'
export const checkingYourLink = 'Dein Link wird geprüft …'
export const theLinkCouldNotBeChecked = 'Der Link konnte nicht geprüft werden'
export const theServerCouldNotAnswerJust = 'Der Server konnte gerade nicht antworten.'
export const passwordChangedSignInWithThe = 'Passwort geändert. Melde dich mit dem neuen an.'
export const itEndsTheSessionsOnAll = 'Damit enden die Sitzungen auf allen deinen Geräten.'
export const newPassword = 'Neues Passwort'
export const confirmNewPassword = 'Neues Passwort wiederholen'
export const saving = 'Wird gespeichert …'
export const setNewPassword = 'Neues Passwort setzen'
export const thatLinkToSetANew = 'Dieser Link für ein neues Passwort gilt nicht mehr.'
export const anErrorOccurredDuringSignUp = 'Beim Anlegen des Kontos ist ein Fehler aufgetreten. Bitte versuche es noch einmal.'
export const firstNameIsRequired = 'Vorname fehlt'
export const lastNameIsRequired = 'Nachname fehlt'
export const failedToVerifyInvitationCode = 'Der Einladungscode konnte nicht geprüft werden'
export const youHaveAnAccountAlreadySign = 'Du hast schon ein Konto: Melde dich an und nimm die Einladung im Dashboard an.'
export const yourInvitation = 'Deine Einladung'
export const theInvitationCouldNotBeLooked = 'Die Einladung konnte nicht geladen werden'
export const lookingUpYourInvitation = 'Deine Einladung wird geladen …'
export const youWereInvitedToWorkOn = (productName: string) =>
  `Du wurdest zu ${productName} eingeladen. Wähle einen Namen und ein Passwort.`
export const withTheProduct = (productName: string) => `Crawle, durchsuche und kartiere das Web mit ${productName}.`
export const alreadyHaveAnAccount = (link: Part) => rich`Du hast schon ein Konto? ${link}`
export const accountCreatedYouCanSignIn = 'Konto angelegt. Du kannst dich jetzt anmelden.'
export const firstName = 'Vorname'
export const lastName = 'Nachname'
export const theInvitationWasSentToThis = 'Die Einladung ging an diese Adresse.'
export const creatingAccount = 'Konto wird angelegt …'
export const createAccount = 'Konto anlegen'
export const aMailIsOnItsWay = (email: Part) =>
  rich`Eine E-Mail an ${email} ist unterwegs. Öffne den Link darin, um deine Adresse zu bestätigen und dich anzumelden.`
export const nothingThereAfterAMinuteLook = 'Nach einer Minute noch nichts da? Sieh auch im Spam-Ordner nach.'
export const emailVerified = 'E-Mail-Adresse bestätigt'
export const yourAddressIsConfirmedAndYou = 'Deine Adresse ist bestätigt, und du bist angemeldet.'
export const emailNotVerified = 'E-Mail-Adresse nicht bestätigt'
export const tryAgain = 'Noch einmal versuchen'
export const goToSignIn = 'Zur Anmeldung'
export const thisLinkHasExpiredWasReplaced = 'Dieser Link ist abgelaufen, wurde durch einen neueren ersetzt oder schon benutzt.'
export const signInWithYourPasswordIf =
  'Melde dich mit deinem Passwort an: Wartet deine Adresse noch auf die Bestätigung, kannst du dir eine neue E-Mail schicken lassen.'
export const verifyingYourEmail = 'Deine E-Mail-Adresse wird bestätigt'
export const oneMoment = 'Einen Moment …'
export const aLittle = 'ein wenig'
export const seconds = (n: number) => count(n, { one: 'Sekunde', other: 'Sekunden' })
export const minutes = (n: number) => count(n, { one: 'Minute', other: 'Minuten' })
export const hours = (n: number) => count(n, { one: 'Stunde', other: 'Stunden' })
