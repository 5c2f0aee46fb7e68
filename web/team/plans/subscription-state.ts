/** What loading the team's subscription came to, and when plans are offered. Pure. */
import type { CurrentSubscription } from '#contract/plans.ts'

export type SubscriptionState = {
  /** Null while it is not known, and for a team without one. */
  subscription: CurrentSubscription | null
  /** The banner flag: the server has said that this team has none. */
  isMissing: boolean
}

type Loaded = { data?: CurrentSubscription | undefined; error?: { status: number } | undefined }

/**
 * A refusal (403) and "not found" (404) hide the subscription, also one that was shown before, and set the flag. Any other failure says
 * nothing about the team: what was known stays, and the flag is not set.
 *
 * `loaded` is of the current team alone; a change of team begins with nothing loaded, so the flag is down.
 */
export function subscriptionState({ data, error }: Loaded): SubscriptionState {
  const isMissing = error?.status === 403 || error?.status === 404
  return { subscription: isMissing ? null : (data ?? null), isMissing }
}

/** The plans are offered over the dashboard when all three hold: nothing active, no texts to confirm first, and plans exist at all. */
export function offersPlans(when: { isEnterprise: boolean; isMissing: boolean; isPrivacyShown: boolean }): boolean {
  return when.isEnterprise && when.isMissing && !when.isPrivacyShown
}
