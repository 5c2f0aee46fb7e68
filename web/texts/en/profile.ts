import { isolated } from '../formats.ts'
import { count, plural } from './language.ts'
import { rich } from '../rich.ts'
import type { Part } from '../rich.ts'
export const deleteAccount = 'Delete account'
export const yourAccountWasDeleted = 'Your account was deleted'
export const theCodeIsOnItsWay = 'The code is on its way to your address'
export const deleteYourAccount = 'Delete your account?'
export const deleting = 'Deleting…'
export const deleteAlthoughOthersBelongTo = (names: string, teams: number) =>
  `Delete ${names} although others belong to ${plural(teams, { one: 'it', other: 'them' })}`
export const theOtherMembersLoseEverythingThat = 'The other members lose everything that is stored there.'
export const codeFromTheMail = 'Code from the mail'
export const sending = 'Sending…'
export const mailMeACode = 'Mail me a code'
export const currentPassword = 'Current password'
export const whatBelongsToYourAccountCould = 'What belongs to your account could not be loaded'
export const lookingAtWhatBelongsToYour = 'Loading what belongs to your account…'
export const thisIsDeletedWithYourAccount = 'This is deleted with your account, and cannot be restored:'
export const jobs = (n: number) => count(n, { one: 'job', other: 'jobs' })
export const storedPages = (n: number) => count(n, { one: 'stored page', other: 'stored pages' })
export const andTheAccessOf = (others: string) => `, and the access of ${others}`
export const otherMembers = (n: number) => count(n, { one: 'other member', other: 'other members' })
export const theTeam = (name: string, runs: string, pages: string, access: string) =>
  `The team ${isolated(name)}: ${runs}, ${pages}${access}`
export const teams = (n: number) => count(n, { one: 'team', other: 'teams' })
export const yourAccessToOfOthersWhat = (memberships: string) => `Your access to ${memberships} of others; what you created there stays`
export const apiKeys = (n: number) => count(n, { one: 'API key', other: 'API keys' })
export const thatYouMadeInThoseTeams = (keys: string) =>
  `${keys} that you created in those teams: programs that use one are refused from then on`
export const yourProfileYourPasswordAndAll = 'Your profile, your password and all sessions'
export const firstNameIsRequired = 'First name is required'
export const lastNameIsRequired = 'Last name is required'
export const enterYourCurrentPasswordToChange = 'Enter your current password to change it. Other devices are signed out.'
export const profile = 'Profile'
export const yourOwnAccountTheSameIn = 'Your own account, the same in every team.'
export const aboutYou = 'About you'
export const yourNameIsShownToThe = 'Your name is shown to the members of your teams.'
export const teamInvitations = 'Team invitations'
export const teamsThatWouldLikeYouTo = 'Teams that would like you to join them.'
export const password = 'Password'
export const yourAccountHasNoPasswordYet = 'Your account has no password yet. Other devices are signed out.'
export const accountActions = 'Account actions'
export const endsTheSessionOnThisDevice = 'Ends the session on this device.'
export const logout = 'Logout'
export const withTheTeamsThatYouOwn = 'With the teams that you own and everything that they stored.'
export const failedToLoadYourProfile = 'Failed to load your profile'
export const loadingYourProfile = 'Loading your profile…'
export const profileSaved = 'Profile saved'
export const failedToSaveYourProfile = 'Failed to save your profile'
export const firstName = 'First name'
export const lastName = 'Last name'
export const email = 'Email'
export const theAddressCannotBeChanged = 'The address cannot be changed.'
export const newsletter = 'Newsletter'
export const aFewEmailsAYearReleases = 'A few emails a year: releases and security notes.'
export const saving = 'Saving…'
export const save = 'Save'
export const failedToChangeThePassword = 'Failed to change the password'
export const passwordChanged = 'Password changed'
export const passwordChangedPleaseSignInWith = 'Password changed. Please sign in with the new one.'
export const newPassword = 'New password'
export const confirmNewPassword = 'Confirm new password'
export const changing = 'Changing…'
export const changePassword = 'Change password'
export const setPassword = 'Set password'
export const noPendingInvitations = 'No pending invitations'
export const failedToLoadInvitations = 'Failed to load invitations'
export const loadingInvitations = 'Loading invitations…'
export const youJoinedItIsInThe = (name: string) => `You joined ${name}. It is in the team switcher.`
export const failedToAcceptTheInvitation = 'Failed to accept the invitation'
export const invitedOn = (created_at: Part) => rich`Invited on ${created_at}`
export const declineTeam = (name: string) => `Decline ${name}`
export const decline = 'Decline'
export const acceptTeam = (name: string) => `Accept ${name}`
export const joining = 'Joining…'
export const accept = 'Accept'
export const invitationDeclined = 'Invitation declined'
export const failedToDeclineTheInvitation = 'Failed to decline the invitation'
export const declineThisInvitation = 'Decline this invitation?'
export const declining = 'Declining…'
export const youDoNotJoinItsMembers = (name: string) => `You do not join ${name}. Its members can invite you again.`
export const language = 'Language'
export const ofTheDashboardAndTheMails = 'Of the dashboard, and of the mails to you.'
export const asTheBrowser = 'As the browser'
