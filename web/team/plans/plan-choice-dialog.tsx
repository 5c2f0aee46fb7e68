/** Offers the plans over the dashboard while the team has none. Dismissed until another team is chosen or the page is reloaded. */
import { useEffect, useState } from 'react'
import { getCurrentSubscription } from '#contract/plans.ts'
import { refresh } from '#web/api/hooks.ts'
import { useCurrentTeamId } from '#web/state/current-team.ts'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import * as t from '#texts/plans.ts'
import { PlanChooser } from './plan-chooser.tsx'
import { offersPlans } from './subscription-state.ts'
import { UnpaidNotice } from './unpaid-notice.tsx'
import { useSubscription, useSubscriptionOfTeam } from './use-subscription.ts'

/** How often the open dialog checks whether it is still needed: the provider confirms a payment shortly after the user has returned. */
const WATCH_MS = 5000

export function PlanChoiceDialog({ isPrivacyShown }: { isPrivacyShown: boolean }) {
  useSubscriptionOfTeam()
  const teamId = useCurrentTeamId()
  const { isEnterprise, isMissing } = useSubscription()
  return offersPlans({ isEnterprise, isMissing, isPrivacyShown }) ? <Offer key={teamId} /> : null
}

function Offer() {
  const [isPutOff, setPutOff] = useState(false)
  useEffect(() => {
    if (isPutOff) return
    const timer = setInterval(() => {
      if (!document.hidden) void refresh(getCurrentSubscription)
    }, WATCH_MS)
    return () => clearInterval(timer)
  }, [isPutOff])
  return (
    <Dialog open={!isPutOff} onClose={() => setPutOff(true)} size="page" title={t.chooseYourPlanToContinue}>
      <p tabIndex={-1} data-autofocus className="outline-none">
        {t.workBeginsWithAPlan}
      </p>
      <UnpaidNotice />
      <PlanChooser level={3} />
    </Dialog>
  )
}
