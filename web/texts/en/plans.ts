import { count } from './language.ts'
export const monthly = 'Monthly'
export const yearly = 'Yearly'
export const thePlansCouldNotBeLoaded = 'The plans could not be loaded'
export const thereAreNoPlansYet = 'There are no plans yet'
export const theOperatorOfThisServiceOffers = 'The operator of this service offers none.'
export const billingPeriod = 'Billing period'
export const loadingThePlans = 'Loading the plans'
export const priceOf = (name: string) => `Price of ${name}`
export const month = '/ month'
export const noCreditCardRequired = 'No credit card required'
export const billedYearly = 'billed yearly'
export const before = 'before'
export const manageSubscription = 'Manage subscription'
export const activating = 'Activating…'
export const activateFreePlan = 'Activate Free plan'
export const activatePlan = 'Activate plan'
export const included = 'Included: '
export const notIncluded = 'Not included: '
export const note = 'Note: '
export const featuresOf = (name: string) => `Features of ${name}`
export const theLastPaymentForFailed = (name: string) => `The last payment for ${name} failed`
export const opening = 'Opening…'
export const updatePaymentMethod = 'Update payment method'
export const thePlanIsActiveAgainAs = 'The plan is active again as soon as it is paid.'
export const subscription = 'Subscription'
export const reloadSubscription = 'Reload subscription'
export const theSubscriptionCouldNotBeLoaded = 'The subscription could not be loaded'
export const loadingTheSubscription = 'Loading the subscription'
export const noActivePlan = 'No active plan'
export const chooseAPlan = 'Choose a Plan'
export const thisTeamHasNoPlanSo = 'This team has no plan, so it cannot start any work.'
export const upgradePlan = 'Upgrade Plan'
export const maxDepth = 'Max depth'
export const maxConcurrentCrawls = 'Max concurrent crawls'
export const used = (name: string) => `${name} used`
export const failedToCreateSubscription = 'Failed to create subscription'
export const youDoNotHavePermissionTo = 'You do not have permission to create a subscription'
export const planCreatedSuccessfully = 'Plan created successfully'
export const unlimitedTeamMembers = 'Unlimited team members'
export const unlimitedPagesCredit = 'Unlimited pages credit'
export const customCrawlingRules = 'Custom crawling rules'
export const prioritySupport = 'Priority support'
export const customIntegrations = 'Custom integrations'
export const dedicatedAccountManager = 'Dedicated account manager'
export const enterprise = 'Enterprise'
export const forLargeTeamsWithRulesOf = 'For large teams with rules of their own.'
export const contactUs = 'Contact us'
export const getInTouch = 'Get in touch'
export const goToDashboard = 'Go to Dashboard'
export const goToBilling = 'Go to Billing'
export const subscriptionActivated = 'Subscription Activated'
export const thankYouYourTeamCanWork =
  'Thank you. Your team can work with its new plan as soon as the payment is confirmed, usually within seconds.'
export const newSubscriptionActivatedSuccessfully = 'New subscription activated successfully!'
export const subscriptionCanceledTitle = 'Subscription Process Canceled'
export const nothingWasChargedAndThePlan = 'Nothing was charged, and the plan of your team is as it was.'
export const viewPlans = 'View Plans'
export const subscriptionCanceled = 'Subscription process canceled.'
export const subscriptionContinues = 'Subscription Continues'
export const youKeptTheSubscriptionItGoes = 'You kept the subscription. It continues as before.'
export const subscriptionWillContinueAsPlanned = 'Subscription will continue as planned.'
export const subscriptionCancellationConfirmed = 'Subscription Cancellation Confirmed'
export const yourTeamKeepsItsPlanUntil =
  'Your team keeps its plan until the end of the current period. Until then the cancellation can be withdrawn.'
export const subscriptionWillBeDeactivatedAtThe = 'Subscription will be deactivated at the end of the current period.'
export const paymentUpdateCanceledTitle = 'Payment Method Update Canceled'
export const thePaymentMethodOnFileHas = 'The payment method on file has not changed.'
export const paymentUpdateCanceled = 'Payment method update canceled.'
export const paymentMethodUpdated = 'Payment Method Updated'
export const theNextPaymentIsTakenFrom = 'The next payment is taken from the new payment method.'
export const paymentMethodUpdatedSuccessfully = 'Payment method updated successfully!'
export const unknownState = 'Unknown State'
export const anUnexpectedErrorOccurredPleaseContact = 'An unexpected error occurred. Please contact support.'
export const unknownCallbackState = 'Unknown callback state'
export const findYourPlan = 'Find your plan'
export const changeOrCancelWheneverYouLike = 'Change or cancel whenever you like. Prices in euros.'
export const chooseYourPlanToContinue = 'Choose Your Plan to continue'
export const workBeginsWithAPlan = 'This team has no active plan. Choose one to start jobs.'
export const theSubscriptionEndsWithItsPeriod = 'The subscription ends with its period.'
export const theSubscriptionGoesOn = 'The subscription continues.'
export const theSubscriptionWasDeleted = 'The subscription was deleted.'
export const mostPopular = 'Most popular'
export const teamRestriction = 'Team Restriction'
export const theFreePlanIsOnlyAvailable =
  'The Free plan is only available for default teams. Please switch to your default team to activate this plan.'
export const youCanChangeYourTeamIn = 'You can change your team in the navigation menu.'
export const billing = 'Billing'
export const whatIsBilledIsNotKnown = (message: string | number) => `The billing data could not be loaded. ${message}`
export const thisTeamHasNoActivePlan = 'This team has no active plan'
export const itCannotStartAnyWorkUntil = 'It cannot start any work until it has one.'
export const free = 'Free'
export const paid = 'Paid'
export const nextBillingDate = 'Next billing date'
export const manageSubscriptionTitle = 'Manage Subscription'
export const renew = 'Renew'
export const cancelNextBilling = 'Cancel Next Billing'
export const deleteText = 'Delete'
export const thePlanStaysAndIsNot = (end: string) =>
  `The plan stays${end} and is not billed again. You confirm this on the page of the payment provider.`
export const untilItsPeriodEnds = ' until its period ends'
export const until = (until: string) => ` until ${until}`
export const renewTheSubscription = 'Renew the subscription'
export const theCancellationIsWithdrawnAndThe = 'The cancellation is withdrawn, and the plan is billed again at the end of its period.'
export const renewing = 'Renewing…'
export const keepItAsItIs = 'Keep it as it is'
export const deleteTheSubscription = 'Delete the subscription'
export const deleting = 'Deleting…'
export const thePlanEndsAtOnceAnd = 'The plan ends at once, and the credits that are left are lost. What the team has crawled stays.'
export const typeTheTeamsNameToConfirm = (name: string) => `Type the team's name, ${name}, to confirm`
export const totalPageCredit = 'Total page credit'
export const dailyPageCredit = 'Daily page credit'
export const teamMembers = 'Team members'
export const unlimited = 'Unlimited'
export const inThisPeriod = 'in this period'
export const ofText = (left: string, total: string, when: string | number) => `${left} of ${total} ${when}`
export const theOneSeatOfThePlan = 'The one seat of the plan is taken'
export const ofSeatsAreTaken = (taken: string, seats: string) => `${taken} of ${seats} seats are taken`
export const allOfThePlanAreTaken = (seats: string) => `All ${seats} of the plan are taken`
export const seats = (n: number) => count(n, { one: 'seat', other: 'seats' })
export const validForever = 'Valid forever'
export const validUntil = (until: string) => `Valid until ${until}`
export const cancelsOn = (cancel_at: string) => `Cancels on ${cancel_at}`
export const since = (from: string) => `Since ${from}`
export const subscriptionHistory = 'Subscription history'
export const theHistoryCouldNotBeLoaded = 'The history could not be loaded'
export const loadingTheHistory = 'Loading the history'
export const noSubscriptionsFound = 'No subscriptions found.'
export const seeThePlans = 'See the plans'
export const pageCreditsLeft = 'Page credits left'
export const planNamed = (plan_name: string) => `${plan_name} plan`
export const today = 'today'
export const statuses = {
  active: 'Active',
  trialing: 'Trialing',
  incomplete: 'Incomplete',
  past_due: 'Past due',
  paused: 'Paused',
  unpaid: 'Unpaid',
  canceled: 'Canceled',
  incomplete_expired: 'Incomplete expired',
}
export const plan = 'Plan'
export const kind = 'Kind'
export const state = 'State'
