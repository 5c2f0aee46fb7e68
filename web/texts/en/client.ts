import type { TranslationLoader } from '../translation.ts'
export const failedToRefreshToken = 'Failed to refresh token'
export const anotherUserHasSignedInIn = 'Another user has signed in, in another tab.'
export const theServerCannotBeReachedCheck = 'The server cannot be reached. Check the connection and try again.'
export const theServerAnsweredWithStatus = (status: string | number) => `The server answered with status ${status}.`
export const theAnswerIsNotUnderstood = 'The answer of the server could not be understood.'
/** The server writes English already. */
export const loadTranslation: TranslationLoader = () => Promise.resolve((message) => message)
