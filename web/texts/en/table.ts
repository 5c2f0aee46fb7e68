export const updating = 'Updating…'
