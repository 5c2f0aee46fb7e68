export const backToSignIn = 'Back to sign in'
export const youCanCloseThisWindow = 'You can close this window'
export const signingInGoesOnInThe = 'Continue in the window where you started to sign in.'
export const signingInWithWasCanceled = (name: string) => `Signing in with ${name} was canceled.`
export const signInFailed = (name: string) => `The sign-in with ${name} failed. Please try again.`
export const theBrowserKeptTheWindowFrom = 'The browser kept the window from opening. Allow pop-ups for this page and try again.'
export const theBrowserBlocksSiteDataWhich = (name: string) =>
  `The browser blocks site data of this page. Signing in with ${name} needs it.`
export const singleSignOn = 'single sign-on'
