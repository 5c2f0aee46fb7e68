import { count } from './language.ts'
export const failedToLoadTheDelivery = 'Failed to load the delivery'
export const loadingTheDelivery = 'Loading the delivery…'
export const none = 'None'
export const body = 'Body'
export const notSentYet = 'Not sent yet'
export const attempts = (n: number) => count(n, { one: 'attempt', other: 'attempts' })
export const ms = (took_ms: string) => `${took_ms} ms`
export const requestOf = (at: string | number) => `Request of ${at}`
export const noAnswer = 'No answer'
export const answerOf = (at: string | number) => `Answer of ${at}`
export const webhookAdded = 'Webhook added'
export const webhookUpdated = 'Webhook updated'
export const addWebhook = 'Add webhook'
export const editWebhook = 'Edit webhook'
export const creating = 'Creating…'
export const updating = 'Updating…'
export const create = 'Create'
export const update = 'Update'
export const url = 'URL'
export const eventsAreSentToItAs = 'Events are sent to it as POST requests, signed by Standard Webhooks.'
export const httpsExampleComHooksSeine = 'https://example.com/hooks/seine'
export const name = 'Name'
export const shownInTheListItMay = 'Shown in the list. It may stay empty.'
export const events = 'Events'
export const newHeaders = 'New headers'
export const headers = 'Headers'
export const storedWhatYouEnterHereReplaces = (names: string) => `Stored: ${names}. What you enter here replaces them.`
export const sentWithEachEventOneIn = 'Sent with each event, one per line, as Name: value. Their values are not shown again.'
export const authorizationBearer = 'Authorization: Bearer …'
export const removeTheStoredHeaders = 'Remove the stored headers'
export const enabled = 'Enabled'
export const whileItIsOffNothingIs = 'While it is off nothing is sent, and events that happen are not recorded for it.'
export const endsAtOnce = 'Ends at once'
export const signsForOneMoreHour = 'Signs for one more hour'
export const signsForOneMoreDay = 'Signs for one more day'
export const signsForOneMoreWeek = 'Signs for one more week'
export const newSecret = 'New secret'
export const failedToRotateTheSecret = (message: string) => `Failed to rotate the secret. ${message}`
export const signingSecret = 'Signing secret'
export const done = 'Done'
export const checkTheHeaderWebhookSignatureOf =
  'Check the header webhook-signature of each event with it. Standard Webhooks has libraries for that in many languages.'
export const theSecretCannotBeShown = 'The secret cannot be shown'
export const rotateForANewSecret = 'Rotate it to get a new one.'
export const loadingTheSecret = 'Loading the secret…'
export const theSecretBeforeThisOneSigns = (exactTime: string | number) =>
  `Events are also signed with the previous secret until ${exactTime}.`
export const whenRotatedTheOldSecret = 'When rotated, the old secret'
export const rotating = 'Rotating…'
export const rotateSecret = 'Rotate secret'
export const aJobStarts = 'A job starts'
export const runStarted = 'run.started'
export const pagesAreStored = 'Pages are stored'
export const runPagesUpTo100Pages = 'run.pages, up to 100 pages at once'
export const aJobEnds = 'A job ends'
export const runEndedFinishedFailedOrCanceled = 'run.ended: finished, failed or canceled'
export const creditsRunLow = 'Credits run low'
export const creditsLowOnceInAPeriod = 'credits.low, once in a period, with a fifth of the credits left'
export const theEndpointAnsweredThatItIs = 'The endpoint answered that it is no longer there (410).'
export const theEndpointTookNothingForAbout = 'The endpoint accepted no delivery for about a day.'
export const tooManyDeliveriesWereWaitingFor = 'Too many deliveries were waiting for the endpoint.'
export const urlIsRequired = 'URL is required'
export const enterAValidURL = 'Enter a valid URL'
export const chooseAtLeastOneEvent = 'Choose at least one event'
export const writeOneHeaderInALine = 'Write one header per line, as Name: value'
export const waiting = 'Waiting'
export const delivered = 'Delivered'
export const failed = 'Failed'
export const all = 'All'
export const theEndpointTookTheTestEvent = 'The endpoint accepted the test event'
export const theTestEventFailed = (failure: string | number) => `The test event failed: ${failure}`
export const noAnswerInASentence = 'no answer'
export const failedToSendThemAgain = (message: string) => `Failed to send them again. ${message}`
export const willBeSentAgain = (replayed: string) => `${replayed} will be sent again`
export const deliveryCount = (n: number) => count(n, { one: 'delivery', other: 'deliveries' })
export const allDeliveries = 'All deliveries'
export const sending = 'Sending…'
export const sendAgain = 'Send again'
export const sendCountAgain = (size: string | number) => `Send ${size} again`
export const sendAllFailedAgain = 'Send all failed again'
export const sendTestEvent = 'Send test event'
export const deliveriesTo = (name: string) => `Deliveries to ${name}`
export const status = 'Status'
export const failedToLoadTheDeliveries = 'Failed to load the deliveries'
export const loadingDeliveries = 'Loading deliveries…'
export const noDeliveries = 'No deliveries'
export const eventsAppearHereOnceTheyHappen = 'Events appear here once they happen.'
export const noneHasThisStatus = 'None has this status.'
export const deliveries = 'Deliveries'
export const event = 'Event'
export const choose = (type: string | number) => `Choose ${type}`
export const lastAnswer = 'Last answer'
export const created = 'Created'
export const webhooks = 'Webhooks'
export const failedToLoadTheWebhooks = 'Failed to load the webhooks'
export const theServerDidNotGiveThe = 'The server did not send the list. Events are sent as before.'
export const loadingWebhooks = 'Loading webhooks…'
export const noWebhooks = 'No webhooks'
export const onlyTheOwnerOfTheTeam = 'Only the owner of the team can change webhooks.'
export const endpoint = 'Endpoint'
export const showTheDeliveries = 'Show the deliveries'
export const lastAttempt = 'Last attempt'
export const lastAttemptInACard = 'Last attempt:'
export const noneYet = 'None yet'
export const secretOf = (name: string) => `Secret of ${name}`
export const edit = (name: string) => `Edit ${name}`
export const deleteNamed = (name: string) => `Delete ${name}`
export const switchedOff = 'Switched off'
export const off = 'Off'
export const on = 'On'
export const failing = 'Failing'
export const webhookDeleted = 'Webhook deleted'
export const failedToDeleteTheWebhook = (message: string) => `Failed to delete the webhook. ${message}`
export const deleteQuestion = (name: string) => `Delete “${name}”?`
export const deleteWebhook = 'Delete webhook'
export const waitingEventsAreNotSent = 'Waiting events are not sent, and the deliveries are removed. This cannot be undone.'
export const yourOwnServerIsTold = 'Sends events to your own server when jobs start, store pages and end.'
export const yourOwnServerIsToldByOwner =
  'Webhooks send events to your own server when jobs start, store pages and end. The owner of the team can add one.'
export const nextAttempt = 'Next attempt'
export const failedToAddTheWebhook = (message: string) => `Failed to add the webhook. ${message}`
export const failedToUpdateTheWebhook = (message: string) => `Failed to update the webhook. ${message}`
