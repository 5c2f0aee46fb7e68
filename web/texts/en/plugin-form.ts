export const to = (minimum: string | number, maximum: string | number) => `${minimum} to ${maximum}`
export const orMore = (minimum: string | number) => `${minimum} or more`
export const orLess = (maximum: string | number) => `${maximum} or less`
export const enterValidJSON = 'Enter valid JSON.'
