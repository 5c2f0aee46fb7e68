export const remove = (entry: string | number) => `Remove ${entry}`
export const addTo = (label: string) => `Add to ${label}`
export const clear = (label: string) => `Clear ${label}`
export const nothingMatches = 'Nothing matches'
