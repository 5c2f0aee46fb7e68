/** The team's API keys: create, show, copy, revoke. */
import { useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { isWholeKey } from '#contract/masked-keys.ts'
import { createApiKey, deleteApiKey, listApiKeys } from '#contract/teams.ts'
import type { ApiKey } from '#contract/teams.ts'
import { fieldError } from '#web/api/field-error.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import { isReadable } from '#web/api/readable-keys.ts'
import { PATHS } from '#web/navigation.ts'
import { runtimeConfig } from '#web/state/runtime-config.ts'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog, Dialog, FormButtons } from '#web/ui/dialog/dialog.tsx'
import { EmptyState } from '#web/ui/feedback/feedback.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { CheckIcon, CopyIcon, EyeIcon, EyeOffIcon, PlusIcon, TrashIcon } from '#web/ui/icons.tsx'
import { PAGE_SIZE } from '#web/ui/limits.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PagedList } from '#web/ui/list/paged-list.tsx'
import { ACTIONS_COLUMN, Table } from '#web/ui/list/table.tsx'
import { RelativeTime } from '#web/ui/text/time.tsx'
import { dayText } from '#web/ui/text/time-texts.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { useCopy } from '#web/ui/hooks/use-copy.ts'
import * as t from '#texts/teams.ts'
import { keyPlace } from './key-place.ts'
import { maskedKey } from './masked-key.ts'

export function ApiKeysScreen() {
  const { page, keyId } = keyPlace(useSearch())
  const [, navigate] = useLocation()
  const setPage = (next: number) => navigate(PATHS.apiKeys + (next > 1 ? `?page=${next}` : ''), { replace: true })
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set())
  const [isCreating, setCreating] = useState(false)
  const [deleting, setDeleting] = useState<ApiKey | null>(null)
  const answer = useEndpoint(listApiKeys, { query: { page, page_size: PAGE_SIZE } }, { keepPreviousData: true })
  const createButton = (
    <Button look="primary" icon={PlusIcon} onClick={() => setCreating(true)}>
      {t.createNewAPIKey}
    </Button>
  )
  const toggle = (id: string) => setShown((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]))
  return (
    <>
      <PageHeader title={t.apiKeys} description={t.keysAuthenticatePrograms}>
        {answer.data && answer.data.count > 0 && createButton}
      </PageHeader>
      <Card>
        <PagedList
          answer={answer}
          page={page}
          onPage={setPage}
          failed={t.failedToLoadAPIKeys}
          failedSays={t.theServerDidNotGiveThe}
          loading={t.loadingAPIKeys}
          skeletonRows={3}
          empty={
            <EmptyState title={t.noAPIKeysFound} action={createButton}>
              {t.aKeyLetsYourProgramsUse(runtimeConfig.productName)}
            </EmptyState>
          }
        >
          {(keys, updating) => (
            <KeyTable keys={keys} sought={keyId} updating={updating} shown={shown} onToggle={toggle} onDelete={setDeleting} />
          )}
        </PagedList>
      </Card>
      <CreateKeyDialog
        open={isCreating}
        onClose={() => setCreating(false)}
        onCreated={(key) => {
          setPage(1)
          setShown((before) => new Set([...before, key.uuid]))
        }}
      />
      <DeleteKeyDialog
        apiKey={deleting}
        onClose={() => setDeleting(null)}
        onDeleted={() => {
          if (answer.data?.results.length === 1 && page > 1) setPage(page - 1)
        }}
      />
    </>
  )
}

type KeyTableProps = {
  keys: readonly ApiKey[]
  /** Id of the key in the URL; null without one. */
  sought: string | null
  updating: boolean
  shown: ReadonlySet<string>
  onToggle: (id: string) => void
  onDelete: (key: ApiKey) => void
}

function KeyTable({ keys, sought, updating, shown, onToggle, onDelete }: KeyTableProps) {
  const { copy, copied } = useCopy()
  const found = keys.some(({ uuid }) => uuid === sought) ? sought : null
  useEffect(() => {
    if (found === null) return
    // Wait until the layout has scrolled to the top.
    const frame = requestAnimationFrame(() => document.getElementById(`copy-${found}`)?.focus())
    return () => cancelAnimationFrame(frame)
  }, [found])
  const copyKey = async (key: string) => {
    if (await copy(key)) toast.success(t.apiKeyCopied)
    else toast.error(t.failedToCopyTheAPIKey)
  }
  return (
    <Table
      label={t.apiKeysInASentence}
      rows={keys}
      rowKey={(key) => key.uuid}
      tone={({ uuid }) => (uuid === sought ? 'picked' : undefined)}
      updating={updating}
      columns={[
        {
          key: 'name',
          head: t.name,
          card: 'topLeft',
          cell: (key) => (
            <span className="block max-w-60 truncate font-medium" title={key.name}>
              {key.name}
            </span>
          ),
        },
        {
          key: 'key',
          head: t.apiKey,
          wide: true,
          card: 'main',
          cell: (key) =>
            isReadable(key) ? (
              <code className={shown.has(key.uuid) ? 'break-all whitespace-normal text-label' : 'text-label'}>
                {shown.has(key.uuid) || !isWholeKey(key) ? key.key : maskedKey(key.key)}
              </code>
            ) : (
              <span className="text-soft">{t.noLongerValidTheSecretKey}</span>
            ),
        },
        {
          key: 'created',
          head: t.created,
          card: 'bottomLeft',
          cell: (key) => (
            <>
              <span className="sm:hidden">{t.created} </span>
              {dayText(key.created_at)}
            </>
          ),
        },
        {
          key: 'used',
          head: t.lastUsed,
          card: 'bottomRight',
          cell: (key) => (key.last_used_at ? <RelativeTime iso={key.last_used_at} /> : <span className="text-faint">{t.neverUsed}</span>),
        },
        {
          ...ACTIONS_COLUMN,
          cell: (key) => (
            <span className="inline-flex items-center">
              {isWholeKey(key) && (
                <>
                  <IconButton
                    label={`${shown.has(key.uuid) ? t.hide : t.show} ${key.name}`}
                    icon={shown.has(key.uuid) ? EyeOffIcon : EyeIcon}
                    onClick={() => onToggle(key.uuid)}
                  />
                  <IconButton
                    id={`copy-${key.uuid}`}
                    label={t.copy(key.name)}
                    icon={copied === key.key ? CheckIcon : CopyIcon}
                    onClick={() => void copyKey(key.key)}
                  />
                </>
              )}
              {isReadable(key) && !isWholeKey(key) && (
                <span className="mr-1 text-label text-faint" title={t.itsMakerAndTheOwnerOf}>
                  {t.madeByAColleague}
                </span>
              )}
              <IconButton label={t.deleteNamed(key.name)} icon={TrashIcon} tone="danger" onClick={() => onDelete(key)} />
            </span>
          ),
        },
      ]}
    />
  )
}

const keyErrors = ({ name }: { name: string }) => (name.trim() === '' ? { name: t.pleaseEnterAKeyName } : {})

function CreateKeyDialog({ open, onClose, onCreated }: { open: boolean; onClose: () => void; onCreated: (key: ApiKey) => void }) {
  const create = useAction(createApiKey, { refreshes: [listApiKeys] })
  const { attempt, field, form, restart, values } = useForm({ initial: { name: '' }, judge: keyErrors, submissions: [create] })
  const close = () => {
    restart()
    create.reset()
    onClose()
  }
  const submit = async () => {
    if (create.busy) return
    const outcome = await create.run({ body: values })
    if (!outcome.ok) {
      if (!fieldError(outcome.error, 'name')) toast.error(t.failedToCreateTheAPIKey(outcome.error.message))
      return
    }
    toast.success(t.apiKeyCreated)
    onCreated(outcome.answer)
    close()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t.createNewAPIKey}
      formRef={form}
      onSubmit={() => attempt(() => void submit())}
      footer={
        <FormButtons onCancel={close} busy={create.busy} busyLabel={t.creating}>
          {t.create}
        </FormButtons>
      }
    >
      <TextField
        label={t.keyName}
        hint={t.sayWhatWillUseItSuch}
        maxLength={255}
        autoComplete="off"
        className="text-ink"
        {...field('name')}
      />
    </Dialog>
  )
}

function DeleteKeyDialog({ apiKey, onClose, onDeleted }: { apiKey: ApiKey | null; onClose: () => void; onDeleted: () => void }) {
  const remove = useAction(deleteApiKey, { refreshes: [listApiKeys] })
  const confirm = async () => {
    if (!apiKey || remove.busy) return
    const outcome = await remove.run({ params: { id: apiKey.uuid } })
    if (outcome.ok) {
      toast.success(t.apiKeyDeleted)
      onDeleted()
    } else toast.error(t.failedToDeleteTheAPIKey(outcome.error.message))
    onClose()
  }
  return (
    <ConfirmDialog
      open={apiKey !== null}
      onClose={onClose}
      onConfirm={() => void confirm()}
      title={t.deleteKeyQuestion(apiKey?.name ?? '')}
      action={t.deleteKey}
      busy={remove.busy}
    >
      {t.programsThatUseThisKeyAre}
    </ConfirmDialog>
  )
}
