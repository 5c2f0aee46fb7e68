export const remove = (entry: string | number) => `${entry} entfernen`
export const addTo = (label: string) => `Zu ${label} hinzufügen`
export const clear = (label: string) => `${label} leeren`
export const nothingMatches = 'Nichts passt'
