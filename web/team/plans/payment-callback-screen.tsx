/** Where the payment provider sends people back to. It says what happened and changes nothing by itself. */
import { useEffect, useState } from 'react'
import { OutcomeSheet } from '#web/frame/layout/public-layout.tsx'
import { PATHS } from '#web/navigation.ts'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { AlertIcon, CircleCheckIcon, InfoIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { paymentOutcome } from './payment-outcomes.ts'

const ICONS = { success: CircleCheckIcon, info: InfoIcon, warning: AlertIcon }

const TARGETS = { dashboard: PATHS.dashboard, plans: PATHS.plans, billing: `${PATHS.settings}#billing` }

export function PaymentCallbackScreen() {
  // Read once: whatever becomes of the address later, this is what one came back with.
  const [{ tone, title, text, button, toast: said }] = useState(() => paymentOutcome(window.location.search))
  useEffect(() => {
    toast[said.kind](said.message, 'payment-callback')
  }, [said])
  return (
    <OutcomeSheet
      icon={ICONS[tone]}
      tone={tone}
      title={title}
      actions={
        button && (
          <ButtonLink look="primary" size="large" block href={TARGETS[button.target]}>
            {button.label}
          </ButtonLink>
        )
      }
    >
      <p>{text}</p>
    </OutcomeSheet>
  )
}
