export const backToSignIn = 'Zurück zur Anmeldung'
export const youCanCloseThisWindow = 'Du kannst dieses Fenster schließen'
export const signingInGoesOnInThe = 'Mach in dem Fenster weiter, in dem du die Anmeldung begonnen hast.'
export const signingInWithWasCanceled = (name: string) => `Die Anmeldung mit ${name} wurde abgebrochen.`
export const signInFailed = (name: string) => `Die Anmeldung mit ${name} ist fehlgeschlagen. Bitte versuche es noch einmal.`
export const theBrowserKeptTheWindowFrom =
  'Der Browser hat das Fenster blockiert. Erlaube Pop-ups für diese Seite und versuche es noch einmal.'
export const theBrowserBlocksSiteDataWhich = (name: string) =>
  `Der Browser blockiert Websitedaten dieser Seite. Die Anmeldung mit ${name} braucht sie.`
export const singleSignOn = 'Single Sign-on'
