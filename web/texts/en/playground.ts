import type { Noun } from '../nouns.ts'
export const newText = (noun: Noun) => `New ${noun}`
export const theCouldNotBeLoaded = (noun: Noun) => `The ${noun} could not be loaded`
export const itIsStoredTryAgainIn = 'It is stored; try again in a moment.'
export const loadingThe = (noun: Noun) => `Loading the ${noun}`
export const differsFromTheDefaults = 'Differs from the defaults:'
export const reset = 'Reset'
export const theLiveViewEnded = 'The live view ended'
export const details = 'Details'
export const canceling = 'Canceling…'
export const theWasNotStarted = (noun: Noun) => `The ${noun} was not started`
export const apiDocumentation = 'API Documentation'
export const results = 'Results'
export const noMessagesYet = 'No messages yet.'
