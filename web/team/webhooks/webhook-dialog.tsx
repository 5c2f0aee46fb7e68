/** Makes or changes a webhook endpoint. */
import { useRef, useState } from 'react'
import { WEBHOOK_EVENTS, changeWebhook, createWebhook, listWebhooks } from '#contract/webhooks.ts'
import type { WebhookEndpoint, WebhookEvent } from '#contract/webhooks.ts'
import { fieldError } from '#web/api/field-error.ts'
import { useAction } from '#web/api/hooks.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox, SwitchRow } from '#web/ui/form/choice.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { FieldError, TextAreaField, TextField } from '#web/ui/form/field.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { EVENT_TEXTS, bodyOf, formOf, webhookErrors } from './webhook-form.ts'
import type { WebhookErrors, WebhookForm } from './webhook-form.ts'

const STALE = { refreshes: [listWebhooks] }

type WebhookDialogProps = {
  /** The one to change; null for a new one. */
  webhook: WebhookEndpoint | null
  onClose: () => void
  /** Told of a new one, whose secret is to be shown. */
  onMade: (webhook: WebhookEndpoint) => void
}

/** Drawn only while it is open: a second opening begins anew. */
export function WebhookDialog({ webhook, onClose, onMade }: WebhookDialogProps) {
  const [form, setForm] = useState(() => formOf(webhook))
  const [wrong, setWrong] = useState<WebhookErrors>({})
  const [removesHeaders, setRemovesHeaders] = useState(false)
  const fields = useRef<HTMLDivElement>(null)
  const create = useAction(createWebhook, STALE)
  const change = useAction(changeWebhook, STALE)
  const refusal = create.error ?? change.error
  const set = (next: Partial<WebhookForm>) => {
    setForm({ ...form, ...next })
    setWrong(Object.fromEntries(Object.entries(wrong).filter(([name]) => !(name in next))))
    for (const action of [create, change]) if (action.error) action.reset()
  }
  const leadToError = () => requestAnimationFrame(() => fields.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  const words = (name: keyof WebhookForm) => wrong[name] ?? fieldError(refusal, name)
  const choose = (event: WebhookEvent, isChosen: boolean) =>
    set({ events: isChosen ? [...form.events, event] : form.events.filter((each) => each !== event) })

  const save = async () => {
    const errors = webhookErrors(form)
    setWrong(errors)
    if (Object.keys(errors).length > 0) return leadToError()
    if (create.busy || change.busy) return
    const body = bodyOf(form, removesHeaders)
    const outcome = webhook === null ? await create.run({ body }) : await change.run({ params: { id: webhook.uuid }, body })
    if (!outcome.ok) {
      if (!(['name', 'url', 'events', 'headers'] as const).some((name) => fieldError(outcome.error, name) !== undefined))
        toast.error(`Failed to ${webhook === null ? 'add' : 'update'} the webhook`)
      return leadToError()
    }
    toast.success(webhook === null ? 'Webhook added' : 'Webhook updated')
    onClose()
    if (webhook === null) onMade(outcome.answer)
  }

  return (
    <Dialog
      open
      size="normal"
      onClose={onClose}
      title={webhook === null ? 'Add webhook' : 'Edit webhook'}
      onSubmit={() => void save()}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={create.busy || change.busy} busyLabel={webhook === null ? 'Creating…' : 'Updating…'}>
            {webhook === null ? 'Create' : 'Update'}
          </Button>
        </>
      }
    >
      <div ref={fields} className="grid gap-4 text-ink">
        <TextField
          label="URL"
          hint="Events are sent to it as POST requests, signed by Standard Webhooks."
          value={form.url}
          onChange={(url) => set({ url })}
          error={words('url')}
          placeholder="https://example.com/hooks/seine"
          maxLength={2048}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField
          label="Name"
          hint="Shown in the list. It may stay empty."
          value={form.name}
          onChange={(name) => set({ name })}
          error={words('name')}
          maxLength={255}
          autoComplete="off"
        />
        <fieldset className="grid min-w-0 gap-3">
          <legend className="mb-1.5 text-table font-medium">Events</legend>
          {WEBHOOK_EVENTS.map((event) => (
            <Checkbox
              key={event}
              label={EVENT_TEXTS[event].label}
              hint={EVENT_TEXTS[event].hint}
              checked={form.events.includes(event)}
              onChange={(isChosen) => choose(event, isChosen)}
            />
          ))}
          <FieldError error={words('events')} />
        </fieldset>
        <TextAreaField
          label={webhook !== null && webhook.header_names.length > 0 ? 'New headers' : 'Headers'}
          hint={
            webhook !== null && webhook.header_names.length > 0
              ? `Stored: ${webhook.header_names.join(', ')}. What you enter here replaces them.`
              : 'Sent with each event, one in a line: Name: value. Their values are not shown again.'
          }
          value={form.headers}
          onChange={(headers) => set({ headers })}
          error={words('headers')}
          rows={3}
          mono
          placeholder="Authorization: Bearer …"
          spellCheck={false}
        />
        {webhook !== null && webhook.header_names.length > 0 && (
          <Checkbox label="Remove the stored headers" checked={removesHeaders} onChange={setRemovesHeaders} />
        )}
        <SwitchRow
          label="Enabled"
          description="While it is off nothing is sent, and events that happen are not recorded for it."
          checked={form.is_enabled}
          onChange={(is_enabled) => set({ is_enabled })}
        />
      </div>
    </Dialog>
  )
}
