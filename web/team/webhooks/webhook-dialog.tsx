/** Creates or changes a webhook endpoint. */
import { useState } from 'react'
import { WEBHOOK_EVENTS, changeWebhook, createWebhook, listWebhooks } from '#contract/webhooks.ts'
import type { WebhookEndpoint, WebhookEvent } from '#contract/webhooks.ts'
import { fieldError } from '#web/api/field-error.ts'
import { useAction } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import { Checkbox, SwitchRow } from '#web/ui/form/choice.tsx'
import { Dialog, FormButtons } from '#web/ui/dialog/dialog.tsx'
import { FieldError, TextAreaField, TextField } from '#web/ui/form/field.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/webhooks.ts'
import { EVENT_TEXTS, bodyOf, formOf, webhookErrors } from './webhook-form.ts'

const STALE = { refreshes: [listWebhooks] }

type WebhookDialogProps = {
  /** The one to change; null for a new one. */
  webhook: WebhookEndpoint | null
  onClose: () => void
  /** Called with a new endpoint, whose secret must be shown. */
  onMade: (webhook: WebhookEndpoint) => void
}

/** Mounted only while it is open, so that it starts with fresh values each time. */
export function WebhookDialog({ webhook, onClose, onMade }: WebhookDialogProps) {
  const [removesHeaders, setRemovesHeaders] = useState(false)
  const create = useAction(createWebhook, STALE)
  const change = useAction(changeWebhook, STALE)
  const {
    attempt,
    check,
    field,
    form: fields,
    set,
    shown,
    values: form,
  } = useForm({
    initial: () => formOf(webhook),
    judge: webhookErrors,
    submissions: [create, change],
  })
  const choose = (event: WebhookEvent, isChosen: boolean) =>
    set({ events: isChosen ? [...form.events, event] : form.events.filter((each) => each !== event) })

  const save = async () => {
    if (create.busy || change.busy) return
    const body = bodyOf(form, removesHeaders)
    const outcome = webhook === null ? await create.run({ body }) : await change.run({ params: { id: webhook.uuid }, body })
    if (!outcome.ok) {
      if (!(['name', 'url', 'events', 'headers'] as const).some((name) => fieldError(outcome.error, name) !== undefined))
        toast.error((webhook === null ? t.failedToAddTheWebhook : t.failedToUpdateTheWebhook)(outcome.error.message))
      return
    }
    toast.success(webhook === null ? t.webhookAdded : t.webhookUpdated)
    onClose()
    if (webhook === null) onMade(outcome.answer)
  }

  return (
    <Dialog
      open
      size="normal"
      onClose={onClose}
      title={webhook === null ? t.addWebhook : t.editWebhook}
      onSubmit={() => attempt(() => void save())}
      footer={
        <FormButtons onCancel={onClose} busy={create.busy || change.busy} busyLabel={webhook === null ? t.creating : t.updating}>
          {webhook === null ? t.create : t.update}
        </FormButtons>
      }
    >
      <div ref={fields} className="grid gap-4 text-ink">
        <TextField
          label={t.url}
          hint={t.eventsAreSentToItAs}
          {...field('url')}
          placeholder={t.httpsExampleComHooksSeine}
          maxLength={2048}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField label={t.name} hint={t.shownInTheListItMay} {...field('name')} maxLength={255} autoComplete="off" />
        <fieldset className="grid min-w-0 gap-3">
          <legend className="mb-1.5 text-table font-medium">{t.events}</legend>
          {WEBHOOK_EVENTS.map((event) => (
            <Checkbox
              key={event}
              label={EVENT_TEXTS[event].label}
              hint={EVENT_TEXTS[event].hint}
              checked={form.events.includes(event)}
              onChange={(isChosen) => choose(event, isChosen)}
            />
          ))}
          <FieldError error={shown('events')} />
        </fieldset>
        <TextAreaField
          label={webhook !== null && webhook.header_names.length > 0 ? t.newHeaders : t.headers}
          hint={
            webhook !== null && webhook.header_names.length > 0
              ? t.storedWhatYouEnterHereReplaces(webhook.header_names.join(', '))
              : t.sentWithEachEventOneIn
          }
          {...field('headers')}
          rows={3}
          mono
          placeholder={t.authorizationBearer}
          spellCheck={false}
        />
        {webhook !== null && webhook.header_names.length > 0 && (
          <Checkbox label={t.removeTheStoredHeaders} checked={removesHeaders} onChange={setRemovesHeaders} />
        )}
        <SwitchRow label={t.enabled} description={t.whileItIsOffNothingIs} {...check('is_enabled')} />
      </div>
    </Dialog>
  )
}
