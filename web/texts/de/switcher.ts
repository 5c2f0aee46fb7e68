export const teams = 'Teams'
export const createTeam = 'Team anlegen'
export const team = (name: string) => `Team: ${name}`
export const creating = 'Wird angelegt …'
export const create = 'Anlegen'
export const teamName = 'Name des Teams'
export const youAreNoLongerAMember = (name: string) => `Du bist nicht mehr Mitglied dieses Teams. Das hier ist jetzt ${name}.`
