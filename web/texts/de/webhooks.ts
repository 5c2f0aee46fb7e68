import { count } from './language.ts'
export const failedToLoadTheDelivery = 'Die Zustellung konnte nicht geladen werden'
export const loadingTheDelivery = 'Zustellung wird geladen …'
export const none = 'Keiner'
export const body = 'Inhalt'
export const notSentYet = 'Noch nicht gesendet'
export const attempts = (n: number) => count(n, { one: 'Versuch', other: 'Versuche' })
export const ms = (took_ms: string) => `${took_ms} ms`
export const requestOf = (at: string | number) => `Anfrage vom ${at}`
export const noAnswer = 'Keine Antwort'
export const answerOf = (at: string | number) => `Antwort vom ${at}`
export const webhookAdded = 'Webhook angelegt'
export const webhookUpdated = 'Webhook geändert'
export const addWebhook = 'Webhook anlegen'
export const editWebhook = 'Webhook bearbeiten'
export const creating = 'Wird angelegt …'
export const updating = 'Wird geändert …'
export const create = 'Anlegen'
export const update = 'Ändern'
export const url = 'URL'
export const eventsAreSentToItAs = 'Ereignisse gehen als POST-Anfragen dorthin, signiert nach Standard Webhooks.'
export const httpsExampleComHooksSeine = 'https://example.com/hooks/seine'
export const name = 'Name'
export const shownInTheListItMay = 'Steht in der Liste. Darf leer bleiben.'
export const events = 'Ereignisse'
export const newHeaders = 'Neue Header'
export const headers = 'Header'
export const storedWhatYouEnterHereReplaces = (names: string) => `Gespeichert: ${names}. Was du hier eingibst, ersetzt sie.`
export const sentWithEachEventOneIn =
  'Werden mit jedem Ereignis gesendet, einer pro Zeile, als Name: Wert. Ihre Werte werden nicht wieder angezeigt.'
export const authorizationBearer = 'Authorization: Bearer …'
export const removeTheStoredHeaders = 'Gespeicherte Header entfernen'
export const enabled = 'Eingeschaltet'
export const whileItIsOffNothingIs = 'Solange er aus ist, wird nichts gesendet, und Ereignisse werden nicht für ihn aufgehoben.'
export const endsAtOnce = 'Endet sofort'
export const signsForOneMoreHour = 'Signiert noch eine Stunde'
export const signsForOneMoreDay = 'Signiert noch einen Tag'
export const signsForOneMoreWeek = 'Signiert noch eine Woche'
export const newSecret = 'Neues Geheimnis'
export const failedToRotateTheSecret = (message: string) => `Das Geheimnis konnte nicht erneuert werden. ${message}`
export const signingSecret = 'Geheimnis der Signatur'
export const done = 'Fertig'
export const checkTheHeaderWebhookSignatureOf =
  'Prüfe damit bei jedem Ereignis den Header webhook-signature. Standard Webhooks hat dafür Bibliotheken in vielen Sprachen.'
export const theSecretCannotBeShown = 'Das Geheimnis kann nicht angezeigt werden'
export const rotateForANewSecret = 'Erneuere es, um ein neues zu erhalten.'
export const loadingTheSecret = 'Geheimnis wird geladen …'
export const theSecretBeforeThisOneSigns = (exactTime: string | number) =>
  `Bis ${exactTime} werden Ereignisse auch mit dem vorigen Geheimnis signiert.`
export const whenRotatedTheOldSecret = 'Beim Erneuern: das alte Geheimnis'
export const rotating = 'Wird erneuert …'
export const rotateSecret = 'Geheimnis erneuern'
export const aJobStarts = 'Ein Auftrag beginnt'
export const runStarted = 'run.started'
export const pagesAreStored = 'Seiten werden gespeichert'
export const runPagesUpTo100Pages = 'run.pages, bis zu 100 Seiten auf einmal'
export const aJobEnds = 'Ein Auftrag endet'
export const runEndedFinishedFailedOrCanceled = 'run.ended: fertig, fehlgeschlagen oder abgebrochen'
export const creditsRunLow = 'Die Credits gehen zur Neige'
export const creditsLowOnceInAPeriod = 'credits.low, einmal im Zeitraum, wenn ein Fünftel der Credits übrig ist'
export const theEndpointAnsweredThatItIs = 'Der Endpunkt hat geantwortet, dass es ihn nicht mehr gibt (410).'
export const theEndpointTookNothingForAbout = 'Der Endpunkt hat etwa einen Tag lang keine Zustellung angenommen.'
export const tooManyDeliveriesWereWaitingFor = 'Es warteten zu viele Zustellungen auf den Endpunkt.'
export const urlIsRequired = 'URL fehlt'
export const enterAValidURL = 'Gib eine gültige URL ein'
export const chooseAtLeastOneEvent = 'Wähle mindestens ein Ereignis'
export const writeOneHeaderInALine = 'Schreib einen Header pro Zeile, als Name: Wert'
export const waiting = 'Wartet'
export const delivered = 'Zugestellt'
export const failed = 'Fehlgeschlagen'
export const all = 'Alle'
export const theEndpointTookTheTestEvent = 'Der Endpunkt hat das Testereignis angenommen'
export const theTestEventFailed = (failure: string | number) => `Das Testereignis ist fehlgeschlagen: ${failure}`
export const noAnswerInASentence = 'keine Antwort'
export const failedToSendThemAgain = (message: string) => `Sie konnten nicht noch einmal gesendet werden. ${message}`
export const willBeSentAgain = (replayed: string) => `Erneut gesendet: ${replayed}`
export const deliveryCount = (n: number) => count(n, { one: 'Zustellung', other: 'Zustellungen' })
export const allDeliveries = 'Alle Zustellungen'
export const sending = 'Wird gesendet …'
export const sendAgain = 'Noch einmal senden'
export const sendCountAgain = (size: string | number) => `${size} noch einmal senden`
export const sendAllFailedAgain = 'Alle fehlgeschlagenen noch einmal senden'
export const sendTestEvent = 'Testereignis senden'
export const deliveriesTo = (name: string) => `Zustellungen an ${name}`
export const status = 'Status'
export const failedToLoadTheDeliveries = 'Die Zustellungen konnten nicht geladen werden'
export const loadingDeliveries = 'Zustellungen werden geladen …'
export const noDeliveries = 'Keine Zustellungen'
export const eventsAppearHereOnceTheyHappen = 'Ereignisse erscheinen hier, sobald sie eintreten.'
export const noneHasThisStatus = 'Keine hat diesen Status.'
export const deliveries = 'Zustellungen'
export const event = 'Ereignis'
export const choose = (type: string | number) => `${type} auswählen`
export const lastAnswer = 'Letzte Antwort'
export const created = 'Angelegt'
export const webhooks = 'Webhooks'
export const failedToLoadTheWebhooks = 'Die Webhooks konnten nicht geladen werden'
export const theServerDidNotGiveThe = 'Der Server hat die Liste nicht geliefert. Ereignisse werden weiter gesendet.'
export const loadingWebhooks = 'Webhooks werden geladen …'
export const noWebhooks = 'Keine Webhooks'
export const onlyTheOwnerOfTheTeam = 'Nur der Eigentümer des Teams kann Webhooks ändern.'
export const endpoint = 'Endpunkt'
export const showTheDeliveries = 'Zustellungen anzeigen'
export const lastAttempt = 'Letzter Versuch'
export const lastAttemptInACard = 'Letzter Versuch:'
export const noneYet = 'Noch keiner'
export const secretOf = (name: string) => `Geheimnis von ${name}`
export const edit = (name: string) => `${name} bearbeiten`
export const deleteNamed = (name: string) => `${name} löschen`
export const switchedOff = 'Abgeschaltet'
export const off = 'Aus'
export const on = 'Ein'
export const failing = 'Fehlerhaft'
export const webhookDeleted = 'Webhook gelöscht'
export const failedToDeleteTheWebhook = (message: string) => `Der Webhook konnte nicht gelöscht werden. ${message}`
export const deleteQuestion = (name: string) => `„${name}“ löschen?`
export const deleteWebhook = 'Webhook löschen'
export const waitingEventsAreNotSent =
  'Wartende Ereignisse werden nicht gesendet, und seine Zustellungen werden entfernt. Das lässt sich nicht rückgängig machen.'
export const yourOwnServerIsTold = 'Sendet Ereignisse an deinen eigenen Server, wenn Aufträge beginnen, Seiten speichern und enden.'
export const yourOwnServerIsToldByOwner =
  'Webhooks senden Ereignisse an deinen eigenen Server, wenn Aufträge beginnen, Seiten speichern und enden. Der Eigentümer des Teams kann einen Webhook anlegen.'
export const nextAttempt = 'Nächster Versuch'
export const failedToAddTheWebhook = (message: string) => `Der Webhook konnte nicht angelegt werden. ${message}`
export const failedToUpdateTheWebhook = (message: string) => `Der Webhook konnte nicht geändert werden. ${message}`
