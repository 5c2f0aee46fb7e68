export const remove = (value: string | number) => `Remove ${value}`
export const addTo = (label: string) => `Add to ${label}`
export const clear = (label: string) => `Clear ${label}`
export const nothingMatches = 'Nothing matches'
