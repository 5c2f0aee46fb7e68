import { count } from './language.ts'
import { rich } from '../rich.ts'
import type { Part } from '../rich.ts'
export const fieldIsRequired = 'This field is required.'
export const tryItOf = (summary: string | number) => `Try it: ${summary}`
export const chooseAKeyToSendWith = 'Choose a key to send with.'
export const optionalParameters = (further: number) => `Optional parameters (${further})`
export const body = 'Body'
export const sending = 'Sending…'
export const send = 'Send'
export const stop = 'Stop'
export const thisIsSentForRealTo = 'This sends a real request to this server.'
export const theConnectionBrokeBeforeTheAnswer = 'The connection broke before the answer had ended'
export const theServerCouldNotBeReached = 'The server could not be reached'
export const checkTheConnectionAndSendAgain = 'Check the connection, and send again.'
export const stoppedBeforeAnAnswerCame = 'Stopped before an answer came.'
export const sendThisRequest = 'Send this request?'
export const sendDELETE = 'Send DELETE'
export const itIsCarriedOutAtOnce = (summary: Part, url: Part) => rich`${summary}. It is carried out at once: ${url}`
export const apiKey = 'API key'
export const loadingTheKeys = 'Loading the keys…'
export const chooseAKey = 'Choose a key'
export const createOne = 'Create one'
export const youHaveNoKeyOfYour = (link: Part) => rich`You have no key of your own yet. ${link}`
export const notSent = 'Not sent'
export const notSentUnless = (usual: string | number) => `Not sent (${usual})`
export const uuid = 'UUID'
export const apiOperations = 'API operations'
export const goTo = 'Go to'
export const stopped = 'Stopped'
export const receivingEvents = 'Receiving events…'
export const receiving = 'Receiving…'
export const answer = 'Answer'
export const ms = (tookMs: string) => `${tookMs} ms`
export const bytes = (n: number) => count(n, { one: 'byte', other: 'bytes' })
export const download = 'Download'
export const headerCount = (n: number) => count(n, { one: 'header', other: 'headers' })
export const thisIsAFile = 'This is a file: '
export const aFileIsOnItsWay = 'A file is on its way: '
export const theAnswerIsEmpty = 'The answer is empty.'
export const thisIsTheBeginningOfA = 'This is the beginning of a long answer; the download has all of it.'
export const answerBody = 'Answer body'
export const thisIsNotJSON = (reason: string) => `This is not JSON: ${reason}`
export const required = 'required'
export const deprecated = 'deprecated'
export const oneOf = 'One of'
export const defaultText = 'Default'
export const fieldCount = (n: number) => count(n, { one: 'field', other: 'fields' })
export const fieldsOf = (name: string) => `Fields of ${name}`
export const ofText = (about: string | number) => `of ${about}`
export const apiReference = 'API Reference'
export const whatYourProgramsCanDoWith = 'What your programs can do with an API key.'
export const openAPIDocument = 'OpenAPI document'
export const failedToLoadTheAPIReference = 'Failed to load the API reference'
export const theAnswerOfTheServerIs = 'The answer of the server is not an OpenAPI document.'
export const theServerDidNotDescribeIts = 'The server did not send the description of its API. The API itself may still work.'
export const loadingTheAPIReference = 'Loading the API reference…'
export const gettingStarted = 'Getting started'
export const introduction = 'Introduction'
export const searchTheReference = 'Search the reference'
export const search = 'Search'
export const clearTheSearch = 'Clear the search'
export const noOperationHasTheseWords = 'No operation has these words'
export const everyWordMustStandInThe = 'Every word must occur in the name, the path, a parameter or the body of an operation.'
export const baseURL = 'Base URL'
export const theChosenKeyStandsInThe = 'The cURL examples on this page contain the chosen key, and “Try it” sends it.'
export const listOf = (items: string) => `list of ${items}`
export const mapOf = (typeText: string) => `map of ${typeText}`
export const matches = (pattern: string | number) => `matches ${pattern}`
export const to = (least: string | number, most: string | number, unit: string | number) => `${least} to ${most}${unit}`
export const atLeast = (least: string | number, unit: string | number) => `at least ${least}${unit}`
export const atMost = (most: string | number, unit: string | number) => `at most ${most}${unit}`
export const alternative = (number: string | number) => `Alternative ${number}`
export const linkTo = (summary: string | number) => `Link to: ${summary}`
export const close = 'Close'
export const tryIt = 'Try it'
export const cURL = 'cURL'
export const cURLOf = (summary: string | number) => `cURL: ${summary}`
export const copiedToTheClipboard = 'Copied to the clipboard'
export const theBrowserRefusedToCopy = 'The browser refused to copy'
export const exampleAnswerOfStatus = (status: Part) => rich`Example answer ${status}`
export const exampleAnswerOf = (summary: string | number) => `Example answer: ${summary}`
export const aFileOfTheType = (type: Part) => rich`A file of the type ${type}.`
export const emptyBody = 'No body.'
export const path = 'Path'
export const query = 'Query'
export const headers = 'Headers'
export const parameters = (title: string | number) => `${title} parameters`
export const applicationJson = 'application/json'
export const bodyOf = (span: Part) => rich`Body ${span}`
export const fieldsOfTheBody = 'Fields of the body'
export const answers = 'Answers'
export const errorsAre = (errors: string) => `Errors: ${errors}`
export const errors = 'Errors'
export const events = 'Events'
export const fields = 'Fields'
export const theAnswer = (status: string | number) => `the answer ${status}`
export const fieldsOfTheAnswer = (status: string | number) => `Fields of the answer ${status}`
export const others = 'others'
export const withTheHeader = (headers: Part) => rich`With the header ${headers}`
export const example = 'Example'
export const exampleOf = (status: string | number) => `Example of ${status}`
export const orBetween = ' or '
export const anything = 'anything'
export const list = 'list'
export const characters = ' characters'
export const entries = ' entries'
export const typeIsOneOf = (type: string) => `${type}: one of`
