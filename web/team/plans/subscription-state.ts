/** The result of loading the team's subscription, and when plans are offered. Pure. */
import type { CurrentSubscription } from '#contract/plans.ts'

export type SubscriptionState = {
  /** Null while it is unknown, and for a team without one. */
  subscription: CurrentSubscription | null
  /** The server has said that this team has none: shows the banner. */
  isMissing: boolean
}

type Loaded = { data?: CurrentSubscription | undefined; error?: { status: number } | undefined }

/**
 * A refusal (403) or "not found" (404) hides the subscription, even one that was shown before, and sets the flag. Any other failure says
 * nothing about the team: the known state stays.
 *
 * `loaded` is for the current team alone; a change of team starts without data, so the flag is not set.
 */
export function subscriptionState({ data, error }: Loaded): SubscriptionState {
  const isMissing = error?.status === 403 || error?.status === 404
  return { subscription: isMissing ? null : (data ?? null), isMissing }
}

/** Plans are offered over the dashboard when plans exist, none is active, and no texts must be confirmed first. */
export function offersPlans(when: { isEnterprise: boolean; isMissing: boolean; isPrivacyShown: boolean }): boolean {
  return when.isEnterprise && when.isMissing && !when.isPrivacyShown
}
