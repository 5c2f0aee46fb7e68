/** The form of the team's own model server. */
import { useState } from 'react'
import type { ModelEndpointAnswer } from '#contract/models.ts'
import { Card, CardBody, CardFoot, CardHead } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/choice.tsx'
import { PasswordField, TextAreaField, TextField } from '#web/ui/form/field.tsx'
import { TrashIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/models.ts'
import { useModelServer } from './use-model-server.ts'
import type { ModelServer } from './use-model-server.ts'

type FieldsProps = { stored: ModelEndpointAnswer; server: Omit<ModelServer, 'box'> }

/** Remounted after each save, so that the form starts with the stored values. */
export function ModelServerCard({ stored }: { stored: ModelEndpointAnswer }) {
  const { box, ...server } = useModelServer(stored)
  const isNew = stored.base_url === null
  const hasOthers = stored.available_models.length > stored.models.length
  return (
    <Card>
      <CardHead title={t.modelServer}>{!isNew && <RemoveButton server={server} />}</CardHead>
      <form
        ref={box}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          server.save()
        }}
      >
        <CardBody>
          <div className="grid max-w-130 gap-4">
            <p className="text-soft">
              {t.crawlsCanHaveEachPageRead} {t.limitsAreSetForEachCrawl} {hasOthers && (isNew ? t.withoutYourOwn : t.besidesYourOwn)}
            </p>
            <Fields stored={stored} server={server} />
            {server.fault !== undefined && <Notice tone="danger" title={server.fault} role="alert" />}
            {server.tested !== null && (
              <Notice tone="success" title={t.theModelWorks} role="status">
                {server.tested}
              </Notice>
            )}
          </div>
        </CardBody>
        <CardFoot className="justify-end">
          <Button busy={server.isTesting} busyLabel={t.testing} onClick={server.test}>
            {t.testModel}
          </Button>
          <Button look="primary" type="submit" busy={server.isSaving} busyLabel={t.saving}>
            {t.save}
          </Button>
        </CardFoot>
      </form>
    </Card>
  )
}

function Fields({ stored, server: { modelFault, set, shown, values } }: FieldsProps) {
  /** The stored key is not sent to another URL. */
  const isElsewhere = values.base_url.trim() !== stored.base_url
  return (
    <>
      <TextField
        label={t.url}
        hint={t.whereItsApiBegins}
        placeholder={t.addressExample}
        value={values.base_url}
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
        value={values.key}
        onChange={(key) => set({ key })}
        error={shown('key')}
        disabled={values.withoutKey}
        maxLength={500}
        autoComplete="new-password"
      />
      <Checkbox label={t.asksForNoKey} checked={values.withoutKey} onChange={(withoutKey) => set({ withoutKey, key: '' })} />
      <TextAreaField
        label={t.models}
        hint={t.oneNameALine}
        placeholder={t.modelExample}
        rows={3}
        value={values.models}
        onChange={(models) => set({ models })}
        error={shown('models') ?? modelFault}
        spellCheck={false}
      />
    </>
  )
}

function RemoveButton({ server }: Pick<FieldsProps, 'server'>) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button size="small" icon={TrashIcon} onClick={() => setAsking(true)}>
        {t.remove}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => void server.remove().finally(() => setAsking(false))}
        title={t.removeTheModelServer}
        action={t.remove}
        busy={server.isRemoving}
      >
        {t.itsKeyIsDeleted}
      </ConfirmDialog>
    </>
  )
}
