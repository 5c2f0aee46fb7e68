import { count } from './language.ts'
import { rich } from '../rich.ts'
import type { Part } from '../rich.ts'
export const theInvitationCouldNotBeAccepted = 'The invitation could not be accepted. Please try again.'
export const lookingUpYourAccount = 'Looking up your account…'
export const youJoinedTheTeamItIs = 'You joined the team. It is in the team switcher.'
export const joinYourTeam = 'Join your team'
export const thisInvitationIsForAnotherAddress = 'This invitation is for another address'
export const joining = 'Joining…'
export const acceptInvitation = 'Accept invitation'
export const logout = 'Logout'
export const goToDashboard = 'Go to Dashboard'
export const youWereInvitedToWorkIn = 'You were invited to work in a team. Accept, and it appears in your team switcher.'
export const theInvitationWasSentToAnd = (email: Part, email2: Part) =>
  rich`The invitation was sent to ${email}, and you are signed in as ${email2}.`
export const emailIsRequired = 'Email is required'
export const pleaseEnterAValidEmail = 'Please enter a valid email'
export const passwordIsRequired = 'Password is required'
export const pleaseConfirmYourPassword = 'Please confirm your password'
export const passwordsMustMatch = 'Passwords must match'
export const theInstructionsCouldNotBeSent = 'The instructions could not be sent. Please try again.'
export const forgotYourPassword = 'Forgot your password?'
export const enterYourAddressAndWeSend = 'Enter your address, and we send you a link to set a new one.'
export const enterYourAddressThisServerSends = 'Enter your address. This server sends no mail: its administrator hands you the link.'
export const resetYourPassword = 'Reset your password'
export const email = 'Email'
export const sending = 'Sending…'
export const sendResetInstructions = 'Send reset instructions'
export const askForAResetLink = 'Ask for a reset link'
export const backToSignIn = 'Back to sign in'
export const rememberedIt = (link: Part) => rich`Remembered it? ${link}`
export const checkYourEmail = 'Check your email'
export const askYourAdministrator = 'Ask your administrator'
export const returnToLogin = 'Return to login'
export const useAnotherAddress = 'Use another address'
export const ifAnAccountExistsForA = (address: Part) => rich`If an account exists for ${address}, a mail with instructions is on its way.`
export const thisServerSendsNoMailIf = (address: Part) =>
  rich`This server sends no mail. If an account exists for ${address}, its administrator finds the link in the server’s log and can hand it to you.`
export const theLinkWorksOnceAndFor = 'The link works once and for one hour.'
export const anErrorOccurredDuringLoginPlease = 'An error occurred during login. Please try again.'
export const passwordsAreOffSentence = 'Signing in with a password is switched off.'
export const signInTo = (productName: string) => `Sign in to ${productName}`
export const fromYourOwnServer = 'Crawl, search and map the web from your own server.'
export const thatLinkNoLongerWorks = 'That link no longer works'
export const askForANewOne = 'Ask for a new one'
export const linksToSetANewPassword = (link: Part) => rich`Links to set a new password work once and for one hour. ${link}`
export const passwordsAreOff = 'Signing in with a password is switched off'
export const askTheAdministratorOfThisServer = 'Ask the administrator of this server how to get in.'
export const createAnAccount = 'Create an account'
export const newHere = (link: Part) => rich`New here? ${link}`
export const signIn = 'Sign in'
export const password = 'Password'
export const signingIn = 'Signing in…'
export const failedToConfirmPrivacyPolicyAnd = 'Failed to confirm Privacy Policy and Terms of Service'
export const privacyPolicyAndTermsOfService = 'Privacy Policy and Terms of Service confirmed'
export const privacyAndTermsUpdate = 'Privacy and Terms Update'
export const confirming = 'Confirming...'
export const acceptAndContinue = 'Accept and Continue'
export const pleaseReadAndConfirmTheFollowing = 'Please read and confirm the following before you go on.'
export const thisServerHasPublishedNeitherA =
  'This server has published neither a privacy policy nor terms of service, so there is nothing to read.'
export const privacyPolicy = 'Privacy Policy'
export const termsOfService = 'Terms of Service'
export const newsletter = 'Newsletter'
export const aFewEmailsAYearReleases = 'A few emails a year: releases and security notes.'
export const byChoosingAcceptAndContinueYou = (settings: string | number) => `By choosing “Accept and Continue” you agree to ${settings}.`
export const thePrivacyPolicy = 'the Privacy Policy'
export const theTermsOfService = 'the Terms of Service'
export const lastUpdated = (updatedAt: Part) => rich`Last updated ${updatedAt}`
export const view = (name: Part) => rich`View${name}`
export const theSignInCouldNotBe = 'The sign-in could not be confirmed. Please try again.'
export const or = 'or'
export const continueWith = (name: string) => `Continue with ${name}`
export const tooManyAttemptsPleaseWait = (time: string) => `Too many attempts. Please wait ${time}.`
export const verificationEmailSent = 'Verification email sent'
export const theMailCouldNotBeSent = 'The mail could not be sent. Please try again.'
export const emailVerificationRequired = 'Email verification required'
export const cancel = 'Cancel'
export const resend = 'Resend'
export const beforeYouCanSignInOpen = (email: Part) =>
  rich`Before you can sign in, open the link in the mail that was sent to ${email}. If it is not there, have it sent again; the link of an earlier mail then stops working.`
export const resendTheMail = 'Resend the mail'
export const thePasswordCouldNotBeSet = 'The password could not be set. Please try again.'
export const setANewPassword = 'Set a new password'
export const checkingYourLink = 'Checking your link…'
export const theLinkCouldNotBeChecked = 'The link could not be checked'
export const theServerCouldNotAnswerJust = 'The server could not answer just now.'
export const passwordChangedSignInWithThe = 'Password changed. Sign in with the new one.'
export const itEndsTheSessionsOnAll = 'It ends the sessions on all your devices.'
export const newPassword = 'New password'
export const confirmNewPassword = 'Confirm new password'
export const saving = 'Saving…'
export const setNewPassword = 'Set new password'
export const thatLinkToSetANew = 'That link to set a new password no longer works.'
export const anErrorOccurredDuringSignUp = 'An error occurred during sign-up. Please try again.'
export const firstNameIsRequired = 'First name is required'
export const lastNameIsRequired = 'Last name is required'
export const failedToVerifyInvitationCode = 'Failed to verify invitation code'
export const youHaveAnAccountAlreadySign = 'You have an account already: sign in and accept the invitation in the dashboard.'
export const yourInvitation = 'Your invitation'
export const theInvitationCouldNotBeLooked = 'The invitation could not be looked up'
export const lookingUpYourInvitation = 'Looking up your invitation…'
export const youWereInvitedToWorkOn = (productName: string) => `You were invited to work on ${productName}. Choose a name and a password.`
export const withTheProduct = (productName: string) => `Crawl, search and map the web with ${productName}.`
export const alreadyHaveAnAccount = (link: Part) => rich`Already have an account? ${link}`
export const accountCreatedYouCanSignIn = 'Account created. You can sign in now.'
export const firstName = 'First name'
export const lastName = 'Last name'
export const theInvitationWasSentToThis = 'The invitation was sent to this address.'
export const creatingAccount = 'Creating account…'
export const createAccount = 'Create account'
export const aMailIsOnItsWay = (email: Part) =>
  rich`A mail is on its way to ${email}. Open the link in it to verify your address and sign in.`
export const nothingThereAfterAMinuteLook = 'Nothing there after a minute? Look in the spam folder as well.'
export const emailVerified = 'Email verified'
export const yourAddressIsConfirmedAndYou = 'Your address is confirmed and you are signed in.'
export const emailNotVerified = 'Email not verified'
export const tryAgain = 'Try again'
export const goToSignIn = 'Go to sign in'
export const thisLinkHasExpiredWasReplaced = 'This link has expired, was replaced by a newer one, or was used already.'
export const signInWithYourPasswordIf =
  'Sign in with your password: if your address still waits to be verified, you can have a new mail sent there.'
export const verifyingYourEmail = 'Verifying your email'
export const oneMoment = 'One moment…'
export const aLittle = 'a little'
export const seconds = (n: number) => count(n, { one: 'second', other: 'seconds' })
export const minutes = (n: number) => count(n, { one: 'minute', other: 'minutes' })
export const hours = (n: number) => count(n, { one: 'hour', other: 'hours' })
