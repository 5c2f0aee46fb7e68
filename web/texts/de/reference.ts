import { count } from './language.ts'
import { rich } from '../rich.ts'
import type { Part } from '../rich.ts'
export const fieldIsRequired = 'Dieses Feld ist erforderlich.'
export const tryItOf = (summary: string | number) => `Ausprobieren: ${summary}`
export const chooseAKeyToSendWith = 'Wähle einen Schlüssel zum Senden.'
export const optionalParameters = (further: number) => `Weitere Parameter (${further})`
export const body = 'Body'
export const sending = 'Wird gesendet …'
export const send = 'Senden'
export const stop = 'Stopp'
export const thisIsSentForRealTo = 'Das sendet eine echte Anfrage an diesen Server.'
export const theConnectionBrokeBeforeTheAnswer = 'Die Verbindung brach ab, bevor die Antwort zu Ende war'
export const theServerCouldNotBeReached = 'Der Server war nicht zu erreichen'
export const checkTheConnectionAndSendAgain = 'Prüfe die Verbindung und sende noch einmal.'
export const stoppedBeforeAnAnswerCame = 'Gestoppt, bevor eine Antwort kam.'
export const sendThisRequest = 'Diese Anfrage senden?'
export const sendDELETE = 'DELETE senden'
export const itIsCarriedOutAtOnce = (summary: Part, url: Part) => rich`${summary}. Wird sofort ausgeführt: ${url}`
export const apiKey = 'API-Schlüssel'
export const loadingTheKeys = 'Schlüssel werden geladen …'
export const chooseAKey = 'Schlüssel wählen'
export const createOne = 'Leg einen an'
export const youHaveNoKeyOfYour = (link: Part) => rich`Du hast noch keinen eigenen Schlüssel. ${link}`
export const notSent = 'Wird nicht gesendet'
export const notSentUnless = (usual: string | number) => `Wird nicht gesendet (${usual})`
export const uuid = 'UUID'
export const apiOperations = 'Operationen der API'
export const goTo = 'Gehe zu'
export const stopped = 'Gestoppt'
export const receivingEvents = 'Ereignisse werden empfangen …'
export const receiving = 'Wird empfangen …'
export const answer = 'Antwort'
export const ms = (tookMs: string) => `${tookMs} ms`
export const bytes = (n: number) => count(n, { one: 'Byte', other: 'Bytes' })
export const download = 'Herunterladen'
export const headerCount = (n: number) => count(n, { one: 'Header', other: 'Header' })
export const thisIsAFile = 'Das ist eine Datei: '
export const aFileIsOnItsWay = 'Eine Datei ist unterwegs: '
export const theAnswerIsEmpty = 'Die Antwort ist leer.'
export const thisIsTheBeginningOfA = 'Das ist der Anfang einer langen Antwort; der Download enthält alles.'
export const answerBody = 'Body der Antwort'
export const thisIsNotJSON = (reason: string) => `Das ist kein JSON: ${reason}`
export const required = 'Pflicht'
export const deprecated = 'veraltet'
export const oneOf = 'Eines von'
export const defaultText = 'Standard'
export const fieldCount = (n: number) => count(n, { one: 'Feld', other: 'Felder' })
export const fieldsOf = (name: string) => `Felder von ${name}`
export const ofText = (about: string | number) => `von ${about}`
export const apiReference = 'API-Referenz'
export const whatYourProgramsCanDoWith = 'Was deine Programme mit einem API-Schlüssel tun können.'
export const openAPIDocument = 'OpenAPI-Dokument'
export const failedToLoadTheAPIReference = 'Die API-Referenz konnte nicht geladen werden'
export const theAnswerOfTheServerIs = 'Die Antwort des Servers ist kein OpenAPI-Dokument.'
export const theServerDidNotDescribeIts =
  'Der Server hat die Beschreibung seiner API nicht gesendet. Die API selbst kann trotzdem funktionieren.'
export const loadingTheAPIReference = 'API-Referenz wird geladen …'
export const gettingStarted = 'Erste Schritte'
export const introduction = 'Einführung'
export const searchTheReference = 'Referenz durchsuchen'
export const search = 'Suche'
export const clearTheSearch = 'Suche leeren'
export const noOperationHasTheseWords = 'Keine Operation enthält diese Wörter'
export const everyWordMustStandInThe = 'Jedes Wort muss im Namen, im Pfad, in einem Parameter oder im Body einer Operation stehen.'
export const baseURL = 'Basis-URL'
export const theChosenKeyStandsInThe =
  'Der gewählte Schlüssel steht in den cURL-Beispielen dieser Seite und wird bei „Ausprobieren“ gesendet.'
export const listOf = (items: string) => `Liste von ${items}`
export const mapOf = (typeText: string) => `Map von ${typeText}`
export const matches = (pattern: string | number) => `passt auf ${pattern}`
export const to = (least: string | number, most: string | number, unit: string | number) => `${least} bis ${most}${unit}`
export const atLeast = (least: string | number, unit: string | number) => `mindestens ${least}${unit}`
export const atMost = (most: string | number, unit: string | number) => `höchstens ${most}${unit}`
export const alternative = (number: string | number) => `Alternative ${number}`
export const linkTo = (summary: string | number) => `Link zu: ${summary}`
export const close = 'Schließen'
export const tryIt = 'Ausprobieren'
export const cURL = 'cURL'
export const cURLOf = (summary: string | number) => `cURL: ${summary}`
export const copiedToTheClipboard = 'In die Zwischenablage kopiert'
export const theBrowserRefusedToCopy = 'Der Browser hat das Kopieren verweigert'
export const exampleAnswerOfStatus = (status: Part) => rich`Beispiel einer Antwort ${status}`
export const exampleAnswerOf = (summary: string | number) => `Beispiel einer Antwort: ${summary}`
export const aFileOfTheType = (type: Part) => rich`Eine Datei vom Typ ${type}.`
export const emptyBody = 'Kein Body.'
export const path = 'Pfad'
export const query = 'Query'
export const headers = 'Header'
export const parameters = (title: string | number) => `Parameter: ${title}`
export const applicationJson = 'application/json'
export const bodyOf = (span: Part) => rich`Body ${span}`
export const fieldsOfTheBody = 'Felder des Bodys'
export const answers = 'Antworten'
export const errorsAre = (errors: string) => `Fehler: ${errors}`
export const errors = 'Fehler'
export const events = 'Ereignisse'
export const fields = 'Felder'
export const theAnswer = (status: string | number) => `der Antwort ${status}`
export const fieldsOfTheAnswer = (status: string | number) => `Felder der Antwort ${status}`
export const others = 'andere'
export const withTheHeader = (headers: Part) => rich`Mit dem Header ${headers}`
export const example = 'Beispiel'
export const exampleOf = (status: string | number) => `Beispiel für ${status}`
export const orBetween = ' oder '
export const anything = 'beliebig'
export const list = 'Liste'
export const characters = ' Zeichen'
export const entries = ' Einträge'
export const typeIsOneOf = (type: string) => `${type}: eines von`
