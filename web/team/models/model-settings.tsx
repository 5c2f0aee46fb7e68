/** The team's own language model server, and how much its crawls used models. */
import { useState } from 'react'
import { getModelEndpoint, listModelUsage, removeModelEndpoint, setModelEndpoint, testModelEndpoint } from '#contract/models.ts'
import type { ModelEndpointAnswer } from '#contract/models.ts'
import { getPluginsSchema } from '#contract/plugins.ts'
import { fieldError } from '#web/api/field-error.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import { Card, CardBody, CardFoot, CardHead } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { EmptyState, ErrorState, Loading, Notice } from '#web/ui/feedback/feedback.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/choice.tsx'
import { PasswordField, TextAreaField, TextField } from '#web/ui/form/field.tsx'
import { TrashIcon } from '#web/ui/icons.tsx'
import { Table } from '#web/ui/list/table.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import { fixed } from '#texts/language.ts'
import * as t from '#texts/models.ts'
import { bodyOf, formOf, modelErrors, testOf } from './model-form.ts'
import type { ModelForm } from './model-form.ts'

const STALE = { refreshes: [getModelEndpoint, getPluginsSchema] }

export function ModelSettings() {
  const { data: stored, error, isValidating, mutate } = useEndpoint(getModelEndpoint)
  return (
    <div className="grid min-w-0 gap-4">
      {stored ? (
        <EndpointCard key={stored.updated_at} stored={stored} />
      ) : (
        <Card>
          {error ? (
            <ErrorState
              title={t.failedToLoadTheModelServer}
              details={error.message}
              retrying={isValidating}
              onRetry={() => void mutate()}
            />
          ) : (
            <Loading>{t.loadingTheModelServer}</Loading>
          )}
        </Card>
      )}
      {/* Wait for the card above: when it arrives, it would push this one down. */}
      {(stored || error) && <UsageCard />}
    </div>
  )
}

/** Remounted after each save, so that the form starts with the stored values. */
function EndpointCard({ stored }: { stored: ModelEndpointAnswer }) {
  const [tested, setTested] = useState<string | null>(null)
  const [isRemoving, setIsRemoving] = useState(false)
  const save = useAction(setModelEndpoint, STALE)
  const test = useAction(testModelEndpoint)
  const remove = useAction(removeModelEndpoint, STALE)
  const {
    attempt,
    form: fields,
    refusal,
    set: enter,
    shown,
    values: form,
  } = useForm({
    initial: () => formOf(stored),
    judge: modelErrors,
    submissions: [save, test],
    serverNames: { key: 'api_key' },
  })
  const isNew = stored.base_url === null
  const hasOthers = stored.available_models.length > stored.models.length
  /** The stored key is not sent to another URL. */
  const isElsewhere = form.base_url.trim() !== stored.base_url

  const set = (next: Partial<ModelForm>) => {
    enter(next)
    setTested(null)
  }

  const submit = async () => {
    if (save.busy) return
    test.reset()
    const outcome = await save.run({ body: bodyOf(form) })
    if (outcome.ok) toast.success(t.modelServerSaved)
    else toast.error(t.failedToSaveTheModelServer)
  }
  const runTest = async () => {
    if (test.busy) return
    setTested(null)
    save.reset()
    const outcome = await test.run({ body: testOf(form) })
    if (!outcome.ok) return
    const { answer_tokens, model, prompt_tokens, took_ms } = outcome.answer
    setTested(t.answered(model, numberText(took_ms), prompt_tokens + answer_tokens))
  }
  const confirmRemoval = async () => {
    const outcome = await remove.run({})
    setIsRemoving(false)
    if (outcome.ok) toast.success(t.modelServerRemoved)
    else toast.error(t.failedToRemoveTheModelServer(outcome.error.message))
  }
  const fault = fieldError(refusal, 'non_field_errors') ?? (refusal && !isShown(refusal) ? refusal.message : undefined)

  return (
    <Card>
      <CardHead title={t.modelServer}>
        {!isNew && (
          <Button size="small" icon={TrashIcon} onClick={() => setIsRemoving(true)}>
            {t.remove}
          </Button>
        )}
      </CardHead>
      <form
        ref={fields}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          attempt(() => void submit())
        }}
      >
        <CardBody>
          <div className="grid max-w-xl gap-4">
            <p className="text-soft">
              {t.crawlsCanHaveEachPageRead} {t.limitsAreSetForEachCrawl} {hasOthers && (isNew ? t.withoutYourOwn : t.besidesYourOwn)}
            </p>
            <TextField
              label={t.url}
              hint={t.whereItsApiBegins}
              placeholder={t.addressExample}
              value={form.base_url}
              onChange={(base_url) => set({ base_url })}
              error={shown('base_url')}
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
            <PasswordField
              label={stored.has_key ? t.newKey : t.key}
              hint={!stored.has_key ? t.storedEncrypted : isElsewhere ? t.anotherUrlNeedsItsKey : t.leaveItEmpty}
              value={form.key}
              onChange={(key) => set({ key })}
              error={shown('key')}
              disabled={form.withoutKey}
              maxLength={500}
              autoComplete="new-password"
            />
            <Checkbox label={t.asksForNoKey} checked={form.withoutKey} onChange={(withoutKey) => set({ withoutKey, key: '' })} />
            <TextAreaField
              label={t.models}
              hint={t.oneNameALine}
              placeholder={t.modelExample}
              rows={3}
              value={form.models}
              onChange={(models) => set({ models })}
              error={shown('models') ?? fieldError(refusal, 'model')}
              spellCheck={false}
            />
            {fault !== undefined && <Notice tone="danger" title={fault} role="alert" />}
            {tested !== null && (
              <Notice tone="success" title={t.theModelWorks} role="status">
                {tested}
              </Notice>
            )}
          </div>
        </CardBody>
        <CardFoot className="justify-end">
          <Button busy={test.busy} busyLabel={t.testing} onClick={() => attempt(() => void runTest())}>
            {t.testModel}
          </Button>
          <Button look="primary" type="submit" busy={save.busy} busyLabel={t.saving}>
            {t.save}
          </Button>
        </CardFoot>
      </form>
      <ConfirmDialog
        open={isRemoving}
        onClose={() => setIsRemoving(false)}
        onConfirm={() => void confirmRemoval()}
        title={t.removeTheModelServer}
        action={t.remove}
        busy={remove.busy}
      >
        {t.itsKeyIsDeleted}
      </ConfirmDialog>
    </Card>
  )
}

function UsageCard() {
  const { data: usage, error, isValidating, mutate } = useEndpoint(listModelUsage)
  return (
    <Card>
      <CardHead title={t.usedInTheLast30Days} />
      {error && !usage ? (
        <ErrorState title={t.failedToLoadTheUsage} details={error.message} retrying={isValidating} onRetry={() => void mutate()} />
      ) : !usage ? (
        <Loading>{t.loadingTheUsage}</Loading>
      ) : usage.length === 0 ? (
        <EmptyState net="plain" title={t.noModelWasUsed} />
      ) : (
        <Table
          label={t.usageOfModels}
          rows={usage}
          rowKey={({ model }) => model}
          columns={[
            { key: 'model', head: t.model, wide: true, card: 'main', cell: ({ model }) => <span className="break-all">{model}</span> },
            { key: 'crawls', head: t.crawls, align: 'right', card: 'topLeft', cell: ({ crawls }) => t.crawlCount(crawls) },
            { key: 'calls', head: t.calls, align: 'right', card: 'topRight', cell: ({ calls }) => t.callCount(calls) },
            {
              key: 'tokens',
              head: t.tokens,
              align: 'right',
              card: 'bottomLeft',
              cell: ({ answer_tokens, prompt_tokens }) => t.tokenCount(prompt_tokens + answer_tokens),
            },
            {
              key: 'cost',
              head: t.cost,
              align: 'right',
              card: 'bottomRight',
              cell: ({ cost }) => (cost === 0 ? t.noPrice : fixed(cost, 4)),
            },
          ]}
        />
      )}
    </Card>
  )
}

const FIELDS = ['base_url', 'api_key', 'models', 'model', 'non_field_errors']
const isShown = (error: Parameters<typeof fieldError>[0]) => FIELDS.some((name) => fieldError(error, name) !== undefined)
