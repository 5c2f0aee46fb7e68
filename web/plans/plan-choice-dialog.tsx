/** Offers the plans over the dashboard while the team has none. It can be put off until another team is chosen or the page is loaded again. */
import { useState } from 'react'
import { useCurrentTeamId } from '#web/state/current-team.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { PlanChooser } from './plan-chooser.tsx'
import { offersPlans } from './subscription-state.ts'
import { UnpaidNotice } from './unpaid-notice.tsx'
import { useSubscription, useSubscriptionOfTeam } from './use-subscription.ts'

export function PlanChoiceDialog({ isPrivacyShown }: { isPrivacyShown: boolean }) {
  useSubscriptionOfTeam()
  const teamId = useCurrentTeamId()
  const { isEnterprise, isMissing } = useSubscription({ watchesMissing: true })
  const [putOff, setPutOff] = useState<{ teamId: string | null } | null>(null)
  return (
    <Dialog
      open={offersPlans({ isEnterprise, isMissing, isPrivacyShown }) && (putOff === null || putOff.teamId !== teamId)}
      onClose={() => setPutOff({ teamId })}
      size="page"
      title="Choose Your Plan to continue"
    >
      <p tabIndex={-1} data-autofocus className="outline-none">
        This team has no active plan. Work begins as soon as one is chosen.
      </p>
      <UnpaidNotice />
      <PlanChooser level={3} />
    </Dialog>
  )
}
