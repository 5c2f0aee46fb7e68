/** The team's plan and payment, with buttons to change, cancel or delete the subscription. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { CurrentSubscription } from '#contract/plans.ts'
import { currentTeam } from '#contract/teams.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import { PATHS } from '#web/navigation.ts'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { Card, CardBody, CardHead } from '#web/ui/card.tsx'
import { ConfirmDialog, Dialog, FormButtons } from '#web/ui/dialog/dialog.tsx'
import { Notice, Skeleton } from '#web/ui/feedback/feedback.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { ExternalIcon, RestartIcon } from '#web/ui/icons.tsx'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import { dayText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/plans.ts'
import { stateText, statusTone } from './subscription-texts.ts'
import { UnpaidNotice } from './unpaid-notice.tsx'
import { useBilling } from './use-billing.ts'
import { useSubscription } from './use-subscription.ts'

export function BillingCard() {
  const { subscription, isMissing, error } = useSubscription()
  return (
    <Card>
      <CardHead title={t.billing} />
      <CardBody>
        {subscription ? (
          subscription.is_default ? (
            <FreePlan subscription={subscription} />
          ) : (
            <PaidPlan subscription={subscription} />
          )
        ) : isMissing ? (
          <NothingBilled />
        ) : error ? (
          <p className="text-soft">{t.whatIsBilledIsNotKnown(error.message)}</p>
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
        title={t.thisTeamHasNoActivePlan}
        action={
          <ButtonLink size="small" href={PATHS.plans}>
            {t.chooseAPlan}
          </ButtonLink>
        }
      >
        {t.itCannotStartAnyWorkUntil}
      </Notice>
    </div>
  )
}

function PlanFacts({ subscription }: { subscription: CurrentSubscription }) {
  const { plan_name, is_default, cancel_at, status, current_period_end_at: endAt } = subscription
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 lg:grid-cols-4">
      <Fact name={t.plan}>{plan_name}</Fact>
      <Fact name={t.kind}>
        <Chip tone={is_default ? 'plain' : 'accent'}>{is_default ? t.free : t.paid}</Chip>
      </Fact>
      <Fact name={t.state}>
        <Chip tone={cancel_at === null ? statusTone(status) : 'warning'}>{stateText(subscription)}</Chip>
      </Fact>
      {!is_default && cancel_at === null && endAt !== null && (
        <Fact name={t.nextBillingDate}>
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
          {t.upgradePlan}
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
        <Button icon={ExternalIcon} busy={billing.busy === 'manage'} busyLabel={t.opening} onClick={() => void billing.manage()}>
          {t.manageSubscriptionTitle}
        </Button>
        {isEnding ? (
          <Button look="primary" icon={RestartIcon} onClick={() => setAsking('renew')}>
            {t.renew}
          </Button>
        ) : (
          <Button onClick={() => setAsking('cancel')}>{t.cancelNextBilling}</Button>
        )}
        <Button look="removal" className="sm:ml-auto" onClick={() => setAsking('delete')}>
          {t.deleteText}
        </Button>
      </div>
      <ConfirmDialog
        open={asking === 'cancel'}
        onClose={close}
        title={t.cancelNextBilling}
        refusal={t.keepItAsItIs}
        look="primary"
        action={t.cancelNextBilling}
        busyAction={t.opening}
        busy={billing.busy === 'cancel'}
        onConfirm={then(billing.cancelAtPeriodEnd)}
      >
        {t.thePlanStaysAndIsNot(until === null ? t.untilItsPeriodEnds : t.until(dayText(until)))}
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'renew'}
        onClose={close}
        title={t.renewTheSubscription}
        refusal={t.keepItAsItIs}
        look="primary"
        action={t.renew}
        busyAction={t.renewing}
        busy={billing.busy === 'renew'}
        onConfirm={then(billing.renew)}
      >
        {t.theCancellationIsWithdrawnAndThe}
      </ConfirmDialog>
      <DeleteDialog open={asking === 'delete'} onClose={close} busy={billing.busy === 'delete'} onConfirm={then(billing.cancelNow)} />
    </div>
  )
}

type DeleteProps = { open: boolean; onClose: () => void; busy: boolean; onConfirm: () => void }

/** Deletion loses the remaining credits, so the user must type the team's name first. */
function DeleteDialog({ open, onClose, busy, onConfirm }: DeleteProps) {
  const { data: team } = useEndpoint(currentTeam)
  const { field, restart, values } = useForm({ initial: { name: '' } })
  const matches = team !== undefined && values.name.trim() === team.name.trim()
  const close = () => {
    restart()
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t.deleteTheSubscription}
      onSubmit={() => matches && !busy && onConfirm()}
      footer={
        <FormButtons onCancel={close} look="danger" disabled={!matches} busy={busy} busyLabel={t.deleting}>
          {t.deleteText}
        </FormButtons>
      }
    >
      <p>{t.thePlanEndsAtOnceAnd}</p>
      <TextField label={t.typeTheTeamsNameToConfirm(team?.name ?? '…')} {...field('name')} autoComplete="off" className="text-ink" />
    </Dialog>
  )
}
