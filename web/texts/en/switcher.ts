export const teams = 'Teams'
export const createTeam = 'Create Team'
export const team = (name: string) => `Team: ${name}`
export const creating = 'Creating…'
export const create = 'Create'
export const teamName = 'Team Name'
export const youAreNoLongerAMember = (name: string) => `You are no longer a member of that team. This is ${name} now.`
