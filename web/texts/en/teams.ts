import { count } from './language.ts'
import { rich } from '../rich.ts'
import type { Part } from '../rich.ts'
export const creating = 'Creating…'
export const create = 'Create'
export const failedToLoadTheMembers = 'Failed to load the members'
export const loadingMembers = 'Loading members…'
export const teamMembers = 'Team members'
export const member = 'Member'
export const role = 'Role'
export const owner = 'Owner'
export const you = 'You'
export const removeMemberNamed = (member: string) => `Remove ${member}`
export const wasRemovedFromTheTeam = (member: string) => `${member} was removed from the team`
export const failedToRemoveTheMember = 'Failed to remove the member'
export const removeQuestion = (name: string) => `Remove ${name}?`
export const removeMember = 'Remove member'
export const removing = 'Removing…'
export const theyLoseAccessToAtOnce = (teamName: string) =>
  `They lose access to ${teamName} at once. Their account stays, and what they created stays with the team.`
export const createNewAPIKey = 'Create New API Key'
export const apiKeys = 'API Keys'
export const keysAuthenticatePrograms = 'API keys authenticate your programs. Keep them secret: anyone who has one acts for the team.'
export const failedToLoadAPIKeys = 'Failed to load API keys'
export const theServerDidNotGiveThe = 'The server did not send the list. Your keys still work.'
export const loadingAPIKeys = 'Loading API keys…'
export const noAPIKeysFound = 'No API keys found'
export const aKeyLetsYourProgramsUse = (productName: string) => `A key lets your programs use ${productName}. Keep keys secret.`
export const apiKeyCopied = 'API key copied'
export const failedToCopyTheAPIKey = 'Failed to copy the API key. Show it and copy it by hand.'
export const apiKeysInASentence = 'API keys'
export const name = 'Name'
export const apiKey = 'API Key'
export const noLongerValidTheSecretKey = 'No longer valid: the secret key of the server has changed'
export const created = 'Created'
export const lastUsed = 'Last used'
export const neverUsed = 'Never used'
export const hide = 'Hide'
export const show = 'Show'
export const copy = (name: string) => `Copy ${name}`
export const itsMakerAndTheOwnerOf = 'Only its creator and the owner of the team see the whole key.'
export const madeByAColleague = 'Created by a colleague'
export const deleteNamed = (name: string) => `Delete ${name}`
export const pleaseEnterAKeyName = 'Please enter a key name'
export const failedToCreateTheAPIKey = (message: string | number) => `Failed to create the API key. ${message}`
export const apiKeyCreated = 'API key created'
export const keyName = 'Key name'
export const sayWhatWillUseItSuch = 'Say what will use it, such as the name of a program.'
export const apiKeyDeleted = 'API key deleted'
export const failedToDeleteTheAPIKey = (message: string | number) => `Failed to delete the API key. ${message}`
export const deleteKeyQuestion = (name: string) => `Delete “${name}”?`
export const deleteKey = 'Delete key'
export const programsThatUseThisKeyAre = 'Programs that use this key are refused from now on. This cannot be undone.'
export const failedToMakeAnInvitationLink = 'Failed to create an invitation link'
export const invitationLinkCopied = 'Invitation link copied'
export const thisInvitationIsNotPendingAny = 'This invitation is not pending any more'
export const pendingInvitations = 'Pending invitations'
export const noPendingInvitations = 'No pending invitations'
export const failedToLoadInvitations = 'Failed to load invitations'
export const loadingInvitations = 'Loading invitations…'
export const invitedUser = 'Invited user'
export const status = 'Status'
export const pending = 'Pending'
export const date = 'Date'
export const copyInvitationLinkFor = (email: string) => `Copy invitation link for ${email}`
export const copyInvitationLink = 'Copy invitation link'
export const withdrawTheInvitationOf = (email: string) => `Withdraw the invitation of ${email}`
export const withdraw = 'Withdraw'
export const invitationWithdrawn = 'Invitation withdrawn'
export const failedToWithdrawTheInvitation = 'Failed to withdraw the invitation'
export const withdrawThisInvitation = 'Withdraw this invitation?'
export const withdrawing = 'Withdrawing…'
export const theInvitationLinkOfStopsWorking = (email: Part) =>
  rich`The invitation link of ${email} stops working. You can invite the same address again.`
export const deleteTheirAPIKeys = 'Delete their API keys'
export const deleteYourAPIKeys = 'Delete your API keys'
export const theyKnowTheKeysThatThey =
  'They know the keys that they created. Programs that use one are refused from then on. Invitations that they sent end too.'
export const youKnowTheKeysThatYou =
  'You know the keys that you created. Programs that use one are refused from then on. Invitations that you sent end too.'
export const teamNameSaved = 'Team name saved'
export const renameNamed = (name: string) => `Rename ${name}`
export const rename = 'Rename'
export const teamName = 'Team name'
export const saving = 'Saving…'
export const save = 'Save'
export const invitationLink = 'Invitation link'
export const done = 'Done'
export const link = 'Link'
export const theBrowserRefusedToCopyIt =
  'The browser refused to copy it. Select it and copy it by hand. It works once, for the invited address.'
export const thisCouldNotBeLoaded = 'This could not be loaded'
export const jobsAreKept = 'Jobs are kept'
export const jobsAreDeletedAfter = (wanted: string) => `Jobs are deleted after ${wanted}`
export const days = (n: number) => count(n, { one: 'day', other: 'days' })
export const endedJobs = 'Ended jobs'
export const keep = 'Keep'
export const deleteWhenOld = 'Delete when old'
export const daysAfterTheEndOfA = 'Days after the end of a job'
export const enterAWholeNumberFrom1 = (day: string | number) => `Enter a whole number from 1 to ${day}`
export const theTeamKeepsItsJobsOnly = 'The team keeps its jobs. Only its owner can change that.'
export const theTeamDeletesJobsAfterTheir = (days: string) =>
  `The team deletes jobs ${days} after their end. Only its owner can change that.`
export const serverDeletesLaterThanTeam = (installation: string) =>
  `This server deletes jobs ${installation} after their end, whatever a team sets. This team deletes them sooner.`
export const serverDeletesAll = (installation: string) => `This server deletes jobs ${installation} after their end, whatever a team sets.`
export const counting = 'Counting…'
export const apply = 'Apply'
export const deleteJobsOlderThan = (wanted: string) => `Delete jobs older than ${wanted}?`
export const deleteOldJobs = 'Delete old jobs'
export const theyAreDeletedWithinTheHour = (wanted: string) =>
  `They are deleted within the hour, and from then on every job ${wanted} after its end. This cannot be undone.`
export const olderThan = (days: string) => `older than ${days}`
export const noJobIsAtTheMoment = (age: string | number) => `No job is ${age} at the moment.`
export const storedPages = (n: number) => count(n, { one: 'stored page', other: 'stored pages' })
export const jobsAre = (n: number) => count(n, { one: 'job is', other: 'jobs are' })
export const youLeft = (name: string) => `You left ${name}`
export const failedToLeaveTheTeam = 'Failed to leave the team'
export const leaveTeam = 'Leave team'
export const youOwnThisTeamTheOwner = 'You own this team. The owner cannot leave it.'
export const leave = (name: string) => `Leave ${name}?`
export const leaving = 'Leaving…'
export const youLoseAccessAtOnceWhat =
  'You lose access at once. What you created stays with the team. To come back you need a new invitation.'
export const deleteTeam = 'Delete team'
export const theTeamWasDeleted = (name: string) => `The team ${name} was deleted`
export const deleteTeamQuestion = (name: string) => `Delete ${name}?`
export const deleting = 'Deleting…'
export const typeTheTeamsNameToConfirm = (name: string) => `Type the team's name, ${name}, to confirm`
export const whatBelongsToTheTeamCould = 'What belongs to the team could not be loaded'
export const countingWhatBelongsToTheTeam = 'Counting what belongs to the team…'
export const thisIsDeletedWithTheTeam = 'This is deleted with the team, and cannot be restored:'
export const jobs = (n: number) => count(n, { one: 'job', other: 'jobs' })
export const withWhatStillRunsIsCanceled = (runs: string, pages: string) => `${runs} with ${pages}; what still runs is canceled`
export const apiKeyCount = (n: number) => count(n, { one: 'API key', other: 'API keys' })
export const programsThatUseOneAreRefused = (keys: string) => `${keys}: programs that use one are refused from then on`
export const proxyServers = (n: number) => count(n, { one: 'proxy server', other: 'proxy servers' })
export const otherMembers = (n: number) => count(n, { one: 'other member', other: 'other members' })
export const theAccessOf = (others: string) => `The access of ${others}`
export const invitationSentTo = (address: string | number) => `Invitation sent to ${address}`
export const invitedWithoutMail = (address: string | number) => `${address} is invited. This server sends no mail.`
export const invitedWithoutMailByAdmin = (address: string | number) =>
  `${address} is invited. This server sends no mail. The owner of the team can copy the invitation link.`
export const emailIsRequired = 'Email is required'
export const pleaseEnterAValidEmail = 'Please enter a valid email'
export const failedToSendTheInvitation = 'Failed to send the invitation'
export const inviteMember = 'Invite member'
export const email = 'Email'
export const nameExampleOrg = 'name@example.org'
export const inviting = 'Inviting…'
export const invite = 'Invite'
export const about = (size: string) => `about ${size}`
export const theOldestEnded = (day: string) => `; the oldest ended ${day}`
export const jobsOfAge = (runs: string, age: string, size: string, oldest: string) => `${runs} ${age}, with ${size}${oldest}.`
