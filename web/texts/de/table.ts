export const updating = 'Wird aktualisiert …'
