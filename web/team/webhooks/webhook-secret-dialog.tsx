/** The secret that signs what an endpoint is sent: shown, copied, rotated. */
import { useState } from 'react'
import { DEFAULT_OVERLAP_HOURS, getWebhookSecret, listWebhooks, rotateWebhookSecret } from '#contract/webhooks.ts'
import type { WebhookEndpoint } from '#contract/webhooks.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { Button } from '#web/ui/form/button.tsx'
import { CodeBlock } from '#web/ui/code/code-block.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { ErrorState, Loading } from '#web/ui/feedback/feedback.tsx'
import { SelectField } from '#web/ui/form/field.tsx'
import { RestartIcon } from '#web/ui/icons.tsx'
import { exactTime } from '#web/ui/text/time-texts.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'

const OVERLAPS = [
  { value: '0', label: 'Ends at once' },
  { value: '1', label: 'Signs for one more hour' },
  { value: String(DEFAULT_OVERLAP_HOURS), label: 'Signs for one more day' },
  { value: '168', label: 'Signs for one more week' },
]

/** Drawn only while it is open. */
export function WebhookSecretDialog({ webhook, onClose }: { webhook: WebhookEndpoint; onClose: () => void }) {
  const params = { id: webhook.uuid }
  const { data, error, isValidating, mutate } = useEndpoint(getWebhookSecret, { params })
  const [overlap, setOverlap] = useState(String(DEFAULT_OVERLAP_HOURS))
  const rotate = useAction(rotateWebhookSecret, { refreshes: [getWebhookSecret, listWebhooks] })
  const rotateNow = async () => {
    const outcome = await rotate.run({ params, body: { overlap_hours: Number(overlap) } })
    if (outcome.ok) toast.success('New secret')
    else toast.error('Failed to rotate the secret')
  }
  return (
    <Dialog
      open
      size="normal"
      onClose={onClose}
      title="Signing secret"
      footer={
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <p>Check the header webhook-signature of each event with it. Standard Webhooks has libraries for that in many languages.</p>
      {data ? (
        <CodeBlock code={data.secret} label="Signing secret" wrap />
      ) : error ? (
        <ErrorState title="The secret cannot be shown" details={error.message} retrying={isValidating} onRetry={() => void mutate()}>
          A new secret takes its place when you rotate it.
        </ErrorState>
      ) : (
        <Loading>Loading the secret…</Loading>
      )}
      {data?.previous_secret_until != null && (
        <p className="text-table">The secret before this one signs as well until {exactTime(data.previous_secret_until)}.</p>
      )}
      <div className="flex flex-wrap items-end gap-2 text-ink">
        <SelectField
          className="min-w-0 flex-1 basis-60"
          label="When rotated, the old secret"
          value={overlap}
          onChange={setOverlap}
          options={OVERLAPS}
        />
        <Button icon={RestartIcon} busy={rotate.busy} busyLabel="Rotating…" onClick={() => void rotateNow()}>
          Rotate secret
        </Button>
      </div>
    </Dialog>
  )
}
