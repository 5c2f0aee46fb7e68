import { count } from './language.ts'
export const monthly = 'Monatlich'
export const yearly = 'Jährlich'
export const thePlansCouldNotBeLoaded = 'Die Tarife konnten nicht geladen werden'
export const thereAreNoPlansYet = 'Es gibt noch keine Tarife'
export const theOperatorOfThisServiceOffers = 'Der Betreiber dieses Dienstes bietet keine an.'
export const billingPeriod = 'Abrechnungszeitraum'
export const loadingThePlans = 'Tarife werden geladen'
export const priceOf = (name: string) => `Preis von ${name}`
export const month = '/ Monat'
export const noCreditCardRequired = 'Ohne Kreditkarte'
export const billedYearly = 'jährlich abgerechnet'
export const before = 'vorher'
export const manageSubscription = 'Abonnement verwalten'
export const activating = 'Wird aktiviert …'
export const activateFreePlan = 'Kostenlosen Tarif aktivieren'
export const activatePlan = 'Tarif aktivieren'
export const included = 'Enthalten: '
export const notIncluded = 'Nicht enthalten: '
export const note = 'Hinweis: '
export const featuresOf = (name: string) => `Leistungen von ${name}`
export const theLastPaymentForFailed = (name: string) => `Die letzte Zahlung für ${name} ist fehlgeschlagen`
export const opening = 'Wird geöffnet …'
export const updatePaymentMethod = 'Zahlungsmittel ändern'
export const thePlanIsActiveAgainAs = 'Der Tarif gilt wieder, sobald bezahlt ist.'
export const subscription = 'Abonnement'
export const reloadSubscription = 'Abonnement neu laden'
export const theSubscriptionCouldNotBeLoaded = 'Das Abonnement konnte nicht geladen werden'
export const loadingTheSubscription = 'Abonnement wird geladen'
export const noActivePlan = 'Kein aktiver Tarif'
export const chooseAPlan = 'Tarif wählen'
export const thisTeamHasNoPlanSo = 'Dieses Team hat keinen Tarif und kann deshalb keine Aufträge starten.'
export const upgradePlan = 'Tarif wechseln'
export const maxDepth = 'Größte Tiefe'
export const maxConcurrentCrawls = 'Gleichzeitige Crawls'
export const used = (name: string) => `${name}: verbraucht`
export const failedToCreateSubscription = 'Das Abonnement konnte nicht angelegt werden'
export const youDoNotHavePermissionTo = 'Du darfst kein Abonnement anlegen'
export const planCreatedSuccessfully = 'Tarif aktiviert'
export const unlimitedTeamMembers = 'Unbegrenzt viele Mitglieder'
export const unlimitedPagesCredit = 'Unbegrenzt viele Seiten'
export const customCrawlingRules = 'Eigene Regeln für Crawls'
export const prioritySupport = 'Bevorzugter Support'
export const customIntegrations = 'Eigene Anbindungen'
export const dedicatedAccountManager = 'Fester Ansprechpartner'
export const enterprise = 'Enterprise'
export const forLargeTeamsWithRulesOf = 'Für große Teams mit eigenen Regeln.'
export const contactUs = 'Kontakt aufnehmen'
export const getInTouch = 'Schreib uns'
export const goToDashboard = 'Zum Dashboard'
export const goToBilling = 'Zur Abrechnung'
export const subscriptionActivated = 'Abonnement aktiviert'
export const thankYouYourTeamCanWork =
  'Danke. Dein Team kann mit dem neuen Tarif arbeiten, sobald die Zahlung bestätigt ist, meist nach wenigen Sekunden.'
export const newSubscriptionActivatedSuccessfully = 'Neues Abonnement aktiviert'
export const subscriptionCanceledTitle = 'Abschluss abgebrochen'
export const nothingWasChargedAndThePlan = 'Es wurde nichts abgebucht, und der Tarif deines Teams ist unverändert.'
export const viewPlans = 'Tarife ansehen'
export const subscriptionCanceled = 'Abschluss abgebrochen.'
export const subscriptionContinues = 'Abonnement läuft weiter'
export const youKeptTheSubscriptionItGoes = 'Du hast das Abonnement behalten. Es läuft weiter wie bisher.'
export const subscriptionWillContinueAsPlanned = 'Das Abonnement läuft weiter wie geplant.'
export const subscriptionCancellationConfirmed = 'Kündigung bestätigt'
export const yourTeamKeepsItsPlanUntil =
  'Dein Team behält seinen Tarif bis zum Ende des laufenden Zeitraums. Bis dahin kann die Kündigung zurückgenommen werden.'
export const subscriptionWillBeDeactivatedAtThe = 'Das Abonnement endet mit dem laufenden Zeitraum.'
export const paymentUpdateCanceledTitle = 'Änderung des Zahlungsmittels abgebrochen'
export const thePaymentMethodOnFileHas = 'Das hinterlegte Zahlungsmittel ist unverändert.'
export const paymentUpdateCanceled = 'Änderung des Zahlungsmittels abgebrochen.'
export const paymentMethodUpdated = 'Zahlungsmittel geändert'
export const theNextPaymentIsTakenFrom = 'Die nächste Zahlung läuft über das neue Zahlungsmittel.'
export const paymentMethodUpdatedSuccessfully = 'Zahlungsmittel erfolgreich geändert'
export const unknownState = 'Unbekannter Zustand'
export const anUnexpectedErrorOccurredPleaseContact = 'Ein unerwarteter Fehler ist aufgetreten. Bitte wende dich an den Support.'
export const unknownCallbackState = 'Unbekannte Rückmeldung'
export const findYourPlan = 'Finde deinen Tarif'
export const changeOrCancelWheneverYouLike = 'Jederzeit zu wechseln oder zu kündigen. Preise in Euro.'
export const chooseYourPlanToContinue = 'Wähle einen Tarif, um weiterzumachen'
export const workBeginsWithAPlan = 'Dieses Team hat keinen aktiven Tarif. Sobald einer gewählt ist, kann es losgehen.'
export const theSubscriptionEndsWithItsPeriod = 'Das Abonnement endet mit seinem Zeitraum.'
export const theSubscriptionGoesOn = 'Das Abonnement läuft weiter.'
export const theSubscriptionWasDeleted = 'Das Abonnement wurde gelöscht.'
export const mostPopular = 'Am beliebtesten'
export const teamRestriction = 'Nicht für dieses Team'
export const theFreePlanIsOnlyAvailable =
  'Den kostenlosen Tarif gibt es nur für Standard-Teams. Wechsle zu deinem Standard-Team, um ihn zu aktivieren.'
export const youCanChangeYourTeamIn = 'Das Team wechselst du im Navigationsmenü.'
export const billing = 'Abrechnung'
export const whatIsBilledIsNotKnown = (message: string | number) => `Die Abrechnungsdaten konnten nicht geladen werden. ${message}`
export const thisTeamHasNoActivePlan = 'Dieses Team hat keinen aktiven Tarif'
export const itCannotStartAnyWorkUntil = 'Ohne Tarif kann es keine Aufträge starten.'
export const free = 'Kostenlos'
export const paid = 'Bezahlt'
export const nextBillingDate = 'Nächste Abrechnung'
export const manageSubscriptionTitle = 'Abonnement verwalten'
export const renew = 'Verlängern'
export const cancelNextBilling = 'Zum Ende kündigen'
export const deleteText = 'Löschen'
export const thePlanStaysAndIsNot = (end: string) =>
  `Der Tarif bleibt${end} und wird nicht noch einmal abgerechnet. Du bestätigst das auf der Seite des Zahlungsanbieters.`
export const untilItsPeriodEnds = ' bis zum Ende seines Zeitraums'
export const until = (until: string) => ` bis zum ${until}`
export const renewTheSubscription = 'Abonnement verlängern'
export const theCancellationIsWithdrawnAndThe =
  'Die Kündigung wird zurückgenommen, und der Tarif wird am Ende seines Zeitraums wieder abgerechnet.'
export const renewing = 'Wird verlängert …'
export const keepItAsItIs = 'So lassen'
export const deleteTheSubscription = 'Abonnement löschen'
export const deleting = 'Wird gelöscht …'
export const thePlanEndsAtOnceAnd = 'Der Tarif endet sofort, und die übrigen Credits verfallen. Was das Team gecrawlt hat, bleibt.'
export const typeTheTeamsNameToConfirm = (name: string) => `Gib zur Bestätigung den Namen des Teams ein: ${name}`
export const totalPageCredit = 'Seiten-Credits gesamt'
export const dailyPageCredit = 'Seiten-Credits pro Tag'
export const teamMembers = 'Mitglieder des Teams'
export const unlimited = 'Unbegrenzt'
export const inThisPeriod = 'in diesem Zeitraum'
export const ofText = (left: string, total: string, when: string | number) => `${left} von ${total} ${when}`
export const theOneSeatOfThePlan = 'Der eine Platz des Tarifs ist belegt'
export const ofSeatsAreTaken = (taken: string, seats: string) => `${taken} von ${seats} Plätzen sind belegt`
export const allOfThePlanAreTaken = (seats: string) => `Alle ${seats} des Tarifs sind belegt`
export const seats = (n: number) => count(n, { one: 'Platz', other: 'Plätze' })
export const validForever = 'Unbefristet'
export const validUntil = (until: string) => `Gültig bis ${until}`
export const cancelsOn = (cancel_at: string) => `Endet am ${cancel_at}`
export const since = (from: string) => `Seit ${from}`
export const subscriptionHistory = 'Frühere Abonnements'
export const theHistoryCouldNotBeLoaded = 'Frühere Abonnements konnten nicht geladen werden'
export const loadingTheHistory = 'Frühere Abonnements werden geladen'
export const noSubscriptionsFound = 'Keine Abonnements gefunden.'
export const seeThePlans = 'Tarife ansehen'
export const pageCreditsLeft = 'Übrige Seiten-Credits'
export const planNamed = (plan_name: string) => `Tarif ${plan_name}`
export const today = 'heute'
export const statuses = {
  active: 'Aktiv',
  trialing: 'Probezeit',
  incomplete: 'Unvollständig',
  past_due: 'Überfällig',
  paused: 'Pausiert',
  unpaid: 'Unbezahlt',
  canceled: 'Gekündigt',
  incomplete_expired: 'Nicht zustande gekommen',
}
export const plan = 'Tarif'
export const kind = 'Art'
export const state = 'Stand'
