export const copy = 'Copy'
export const copied = 'Copied'
export const theFirstOfCharacters = (shown: string, code: string) => `The first ${shown} of ${code} characters`
export const showAll = 'Show all'
