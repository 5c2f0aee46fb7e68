/** The page to which the payment provider redirects the user. It reports the outcome and changes nothing. */
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
  // Read once, because the URL may change later.
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
