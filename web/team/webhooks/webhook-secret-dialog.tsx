/** The secret that signs an endpoint's messages: show, copy, rotate. */
import { useState } from 'react'
import { DEFAULT_OVERLAP_HOURS, getWebhookSecret, listWebhooks, rotateWebhookSecret } from '#contract/webhooks.ts'
import type { WebhookEndpoint } from '#contract/webhooks.ts'
import { fieldError } from '#web/api/field-error.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { Button } from '#web/ui/form/button.tsx'
import { CodeBlock } from '#web/ui/code/code-block.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { ErrorState, Loading } from '#web/ui/feedback/feedback.tsx'
import { SelectField } from '#web/ui/form/field.tsx'
import { RestartIcon } from '#web/ui/icons.tsx'
import { exactTime } from '#web/ui/text/time-texts.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/webhooks.ts'

const OVERLAPS = [
  { value: '0', label: t.endsAtOnce },
  { value: '1', label: t.signsForOneMoreHour },
  { value: String(DEFAULT_OVERLAP_HOURS), label: t.signsForOneMoreDay },
  { value: '168', label: t.signsForOneMoreWeek },
]

/** Mounted only while it is open. */
export function WebhookSecretDialog({ webhook, onClose }: { webhook: WebhookEndpoint; onClose: () => void }) {
  const params = { id: webhook.uuid }
  const { data, error, isValidating, mutate } = useEndpoint(getWebhookSecret, { params })
  /** Not readable any more, whereas another error says nothing about the secret. */
  const isLost = fieldError(error ?? null, 'secret') !== undefined
  const [overlap, setOverlap] = useState(String(DEFAULT_OVERLAP_HOURS))
  const rotate = useAction(rotateWebhookSecret, { refreshes: [getWebhookSecret, listWebhooks] })
  const rotateNow = async () => {
    const outcome = await rotate.run({ params, body: { overlap_hours: Number(overlap) } })
    if (outcome.ok) toast.success(t.newSecret)
    else toast.error(t.failedToRotateTheSecret(outcome.error.message))
  }
  return (
    <Dialog
      open
      size="normal"
      onClose={onClose}
      title={t.signingSecret}
      footer={
        <Button look="primary" onClick={onClose}>
          {t.done}
        </Button>
      }
    >
      <p>{t.checkTheHeaderWebhookSignatureOf}</p>
      {data ? (
        <CodeBlock code={data.secret} label={t.signingSecret} wrap />
      ) : error ? (
        <ErrorState title={t.theSecretCannotBeShown} details={error.message} retrying={isValidating} onRetry={() => void mutate()}>
          {isLost && t.rotateForANewSecret}
        </ErrorState>
      ) : (
        <Loading>{t.loadingTheSecret}</Loading>
      )}
      {data?.previous_secret_until != null && (
        <p className="text-table">{t.theSecretBeforeThisOneSigns(exactTime(data.previous_secret_until))}</p>
      )}
      <div className="flex flex-wrap items-end gap-2 text-ink">
        <SelectField
          className="min-w-0 flex-1 basis-60"
          label={t.whenRotatedTheOldSecret}
          value={overlap}
          onChange={setOverlap}
          options={OVERLAPS}
        />
        <Button icon={RestartIcon} busy={rotate.busy} busyLabel={t.rotating} onClick={() => void rotateNow()}>
          {t.rotateSecret}
        </Button>
      </div>
    </Dialog>
  )
}
