export const backToSignIn = 'Back to sign in'
export const youCanCloseThisWindow = 'You can close this window'
export const signingInGoesOnInThe = 'Signing in goes on in the window where it began.'
export const signingInWithWasCanceled = (name: string) => `Signing in with ${name} was canceled.`
export const didNotLetYouInPlease = (name: string) => `${name} did not let you in. Please try again.`
export const theBrowserKeptTheWindowFrom = 'The browser kept the window from opening. Allow pop-ups for this page and try again.'
