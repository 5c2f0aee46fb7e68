export const updating = 'Updating…'
export const actions = 'Actions'
