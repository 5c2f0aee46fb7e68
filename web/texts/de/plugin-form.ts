export const to = (minimum: string | number, maximum: string | number) => `${minimum} bis ${maximum}`
export const orMore = (minimum: string | number) => `${minimum} oder mehr`
export const orLess = (maximum: string | number) => `${maximum} oder weniger`
export const enterValidJSON = 'Gib gültiges JSON ein.'
