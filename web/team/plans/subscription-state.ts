/** The result of loading the team's subscription, and when plans are offered. Pure. */
import type { CurrentSubscription } from '#contract/plans.ts'

export type SubscriptionState = {
  /** Null while it is unknown, and for a team without one. */
  subscription: CurrentSubscription | null
  /** The server has answered that this team has none. */
  isMissing: boolean
  /** Whether the server has said which plan is the team's own, if any. */
  isKnown: boolean
}

type Loaded = { data?: CurrentSubscription | undefined; error?: { status: number } | undefined }

/**
 * A 403 or 404 means that the team has no subscription, even if one was shown before. Any other error says nothing about the team, so the
 * known subscription stays.
 *
 * @param loaded  the answer for the current team; after a change of team there is none, so `isMissing` is false
 */
export function subscriptionState(loaded: Loaded): SubscriptionState {
  const { data, error } = loaded
  const isMissing = error?.status === 403 || error?.status === 404
  return { subscription: isMissing ? null : (data ?? null), isMissing, isKnown: data !== undefined || isMissing }
}

/** Whether to offer plans over the dashboard: if plans exist, none is active, and no texts must be confirmed first. */
export function offersPlans(when: { isEnterprise: boolean; isMissing: boolean; isPrivacyShown: boolean }): boolean {
  return when.isEnterprise && when.isMissing && !when.isPrivacyShown
}
