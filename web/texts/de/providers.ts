export const backToSignIn = 'Zurück zur Anmeldung'
export const youCanCloseThisWindow = 'Du kannst dieses Fenster schließen'
export const signingInGoesOnInThe = 'Die Anmeldung geht in dem Fenster weiter, in dem sie begann.'
export const signingInWithWasCanceled = (name: string) => `Die Anmeldung mit ${name} wurde abgebrochen.`
export const didNotLetYouInPlease = (name: string) => `${name} hat dich nicht angemeldet. Bitte versuche es noch einmal.`
export const theBrowserKeptTheWindowFrom =
  'Der Browser hat das Fenster blockiert. Erlaube Pop-ups für diese Seite und versuche es noch einmal.'
