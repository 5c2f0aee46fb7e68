/** What the team pays for, and how to change that. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { CurrentSubscription } from '#contract/plans.ts'
import { currentTeam } from '#contract/teams.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { PATHS } from '#web/navigation.ts'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { Card, CardBody, CardHead } from '#web/ui/card.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Notice, Skeleton } from '#web/ui/feedback/feedback.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { ExternalIcon, RestartIcon } from '#web/ui/icons.tsx'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import { dayText } from '#web/ui/text/time-texts.ts'
import { stateText, statusTone } from './subscription-texts.ts'
import { UnpaidNotice } from './unpaid-notice.tsx'
import { useBilling } from './use-billing.ts'
import { useSubscription } from './use-subscription.ts'

export function BillingCard() {
  const { subscription, isMissing, error } = useSubscription()
  return (
    <Card>
      <CardHead title="Billing" />
      <CardBody className="sm:p-5">
        {subscription ? (
          subscription.is_default ? (
            <FreePlan subscription={subscription} />
          ) : (
            <PaidPlan subscription={subscription} />
          )
        ) : isMissing ? (
          <NothingBilled />
        ) : error ? (
          <p className="text-soft">What is billed is not known at the moment. {error.message}</p>
        ) : (
          <Skeleton className="h-24" />
        )}
      </CardBody>
    </Card>
  )
}

function NothingBilled() {
  return (
    <div className="grid gap-3">
      <UnpaidNotice />
      <Notice
        title="This team has no active plan"
        action={
          <ButtonLink size="small" href={PATHS.plans}>
            Choose a Plan
          </ButtonLink>
        }
      >
        It cannot start any work until it has one.
      </Notice>
    </div>
  )
}

function PlanFacts({ subscription }: { subscription: CurrentSubscription }) {
  const { plan_name, is_default, cancel_at, status, current_period_end_at: endAt } = subscription
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 lg:grid-cols-4">
      <Fact name="Plan">{plan_name}</Fact>
      <Fact name="Kind">
        <Chip tone={is_default ? 'plain' : 'accent'}>{is_default ? 'Free' : 'Paid'}</Chip>
      </Fact>
      <Fact name="State">
        <Chip tone={cancel_at === null ? statusTone(status) : 'warning'}>{stateText(subscription)}</Chip>
      </Fact>
      {!is_default && cancel_at === null && endAt !== null && (
        <Fact name="Next billing date">
          <time dateTime={endAt}>{dayText(endAt)}</time>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 content-start gap-1">
      <dt className="text-label text-soft">{name}</dt>
      <dd className="num min-w-0 font-medium break-words">{children}</dd>
    </div>
  )
}

function FreePlan({ subscription }: { subscription: CurrentSubscription }) {
  return (
    <div className="grid gap-4">
      <PlanFacts subscription={subscription} />
      <div>
        <ButtonLink look="primary" href={PATHS.plans}>
          Upgrade Plan
        </ButtonLink>
      </div>
    </div>
  )
}

type Asking = 'cancel' | 'renew' | 'delete' | null

function PaidPlan({ subscription }: { subscription: CurrentSubscription }) {
  const billing = useBilling()
  const [asking, setAsking] = useState<Asking>(null)
  const close = () => setAsking(null)
  const isEnding = subscription.cancel_at !== null
  const until = subscription.cancel_at ?? subscription.current_period_end_at
  const then = (act: () => Promise<boolean>) => () => void act().finally(close)
  return (
    <div className="grid gap-4">
      <PlanFacts subscription={subscription} />
      <div className="flex flex-wrap gap-2 max-sm:*:w-full">
        <Button icon={ExternalIcon} busy={billing.busy === 'manage'} busyLabel="Opening…" onClick={() => void billing.manage()}>
          Manage Subscription
        </Button>
        {isEnding ? (
          <Button look="primary" icon={RestartIcon} onClick={() => setAsking('renew')}>
            Renew
          </Button>
        ) : (
          <Button onClick={() => setAsking('cancel')}>Cancel Next Billing</Button>
        )}
        <Button look="removal" className="sm:ml-auto" onClick={() => setAsking('delete')}>
          Delete
        </Button>
      </div>
      <Question
        open={asking === 'cancel'}
        onClose={close}
        title="Cancel Next Billing"
        words={`The plan stays${until === null ? ' until its period ends' : ` until ${dayText(until)}`} and is not billed again. You confirm this on the page of the payment provider.`}
        action="Cancel Next Billing"
        busyAction="Opening…"
        busy={billing.busy === 'cancel'}
        onConfirm={then(billing.cancelAtPeriodEnd)}
      />
      <Question
        open={asking === 'renew'}
        onClose={close}
        title="Renew the subscription"
        words="The cancellation is withdrawn, and the plan is billed again at the end of its period."
        action="Renew"
        busyAction="Renewing…"
        busy={billing.busy === 'renew'}
        onConfirm={then(billing.renew)}
      />
      <DeleteDialog open={asking === 'delete'} onClose={close} busy={billing.busy === 'delete'} onConfirm={then(billing.cancelNow)} />
    </div>
  )
}

type QuestionProps = {
  open: boolean
  onClose: () => void
  title: string
  words: string
  action: string
  busyAction: string
  busy: boolean
  onConfirm: () => void
}

function Question({ open, onClose, title, words, action, busyAction, busy, onConfirm }: QuestionProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button look="quiet" onClick={onClose} data-autofocus>
            Keep it as it is
          </Button>
          <Button look="primary" busy={busy} busyLabel={busyAction} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <p>{words}</p>
    </Dialog>
  )
}

type DeleteProps = { open: boolean; onClose: () => void; busy: boolean; onConfirm: () => void }

/** Credits are lost with it, so the name of the team is asked for first. */
function DeleteDialog({ open, onClose, busy, onConfirm }: DeleteProps) {
  const { data: team } = useEndpoint(currentTeam)
  const [typed, setTyped] = useState('')
  const matches = team !== undefined && typed.trim() === team.name.trim()
  const close = () => {
    setTyped('')
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Delete the subscription"
      onSubmit={() => matches && !busy && onConfirm()}
      footer={
        <>
          <Button look="quiet" onClick={close}>
            Cancel
          </Button>
          <Button look="danger" type="submit" disabled={!matches} busy={busy} busyLabel="Deleting…">
            Delete
          </Button>
        </>
      }
    >
      <p>The plan ends at once, and the credits that are left are lost. What the team has crawled stays.</p>
      <TextField
        label={`Type the team's name, ${team?.name ?? '…'}, to confirm`}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
        className="text-ink"
      />
    </Dialog>
  )
}
