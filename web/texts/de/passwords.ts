// Was die Formulare über ein neues Passwort sagen, nach den Ids seiner Regeln (contract/passwords.ts).
export const labels = {
  length: 'Mindestens 8 Zeichen',
  number: 'Mindestens eine Ziffer',
  uppercase: 'Mindestens ein Großbuchstabe',
  lowercase: 'Mindestens ein Kleinbuchstabe',
  special: 'Mindestens ein Sonderzeichen, etwa ! ? # oder %',
}
export const messages = {
  length: 'Das Passwort muss mindestens 8 Zeichen haben',
  number: 'Das Passwort muss mindestens eine Ziffer enthalten',
  uppercase: 'Das Passwort muss mindestens einen Großbuchstaben enthalten',
  lowercase: 'Das Passwort muss mindestens einen Kleinbuchstaben enthalten',
  special: 'Das Passwort muss mindestens ein Sonderzeichen enthalten',
}
/** Nach der Zahl der erfüllten Regeln. */
export const strengths = ['Sehr schwach', 'Schwach', 'Mäßig', 'Gut', 'Stark', 'Sehr stark']
export const passwordStrength = 'Stärke des Passworts'
export const done = 'erfüllt'
export const missing = 'fehlt'
