/** When a user must confirm privacy policy and terms, and the request that confirms them. Pure. */
import type { Profile } from '#contract/accounts.ts'
import type { Settings } from '#contract/settings.ts'

type Confirmed = Pick<Profile, 'privacy_confirmed_at' | 'terms_confirmed_at'>
type Updated = Pick<Settings, 'policy_update_at' | 'terms_update_at'>

/** True when either was never confirmed, or updated after it was. */
export function mustConfirm(profile: Confirmed, settings: Updated): boolean {
  return isDue(profile.privacy_confirmed_at, settings.policy_update_at) || isDue(profile.terms_confirmed_at, settings.terms_update_at)
}

function isDue(confirmedAt: string | null, updatedAt: string | null): boolean {
  if (confirmedAt === null) return true
  return updatedAt !== null && Date.parse(updatedAt) > Date.parse(confirmedAt)
}

/** The request. Only enterprise mode asks about the newsletter; elsewhere the profile's value stays. */
export function confirmation(isEnterprise: boolean, chosen: boolean, profile: Pick<Profile, 'newsletter_confirmed'>) {
  return {
    privacy_confirmed: true,
    terms_confirmed: true,
    newsletter_confirmed: isEnterprise ? chosen : profile.newsletter_confirmed,
  }
}
