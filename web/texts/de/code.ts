export const copy = 'Kopieren'
export const copied = 'Kopiert'
export const theFirstOfCharacters = (shown: string, code: string) => `Die ersten ${shown} von ${code} Zeichen`
export const showAll = 'Alles anzeigen'
