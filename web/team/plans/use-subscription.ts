import { useEffect, useRef } from 'react'
import { getCurrentSubscription, listSubscriptions } from '#contract/plans.ts'
import { useIsEnterprise } from '#web/api/enterprise.ts'
import { refresh, reload, useEndpoint } from '#web/api/hooks.ts'
import { useCurrentTeamId } from '#web/state/current-team.ts'
import { subscriptionState } from './subscription-state.ts'

/** The current team's subscription. Outside enterprise mode there is none, so it is not requested. */
export function useSubscription() {
  const isEnterprise = useIsEnterprise()
  const loaded = useEndpoint(getCurrentSubscription, isEnterprise ? {} : null, { dedupingInterval: 0 })
  return { ...subscriptionState(loaded), isEnterprise, error: loaded.error, isValidating: loaded.isValidating }
}

/** Drops the subscription when another team is chosen, and requests the new team's. Use it once per page. */
export function useSubscriptionOfTeam(): void {
  const teamId = useCurrentTeamId()
  const before = useRef(teamId)
  useEffect(() => {
    if (before.current === teamId) return
    before.current = teamId
    void reload(getCurrentSubscription)
  }, [teamId])
}

/** Requests the subscription and its history again. */
export const refreshSubscription = (): Promise<unknown> => Promise.all([refresh(getCurrentSubscription), refresh(listSubscriptions)])
