export const updating = 'Wird aktualisiert …'
export const actions = 'Aktionen'
