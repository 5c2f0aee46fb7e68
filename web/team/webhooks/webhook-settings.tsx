/** The team's webhook endpoints: add, change, test, inspect, remove. Members read; the owner manages. */
import { useState } from 'react'
import { currentTeam } from '#contract/teams.ts'
import { deleteWebhook, listWebhooks } from '#contract/webhooks.ts'
import type { WebhookEndpoint } from '#contract/webhooks.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Card, CardFoot, CardHead } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { EmptyState, ErrorState } from '#web/ui/feedback/feedback.tsx'
import { KeyIcon, PencilIcon, PlusIcon, TrashIcon } from '#web/ui/icons.tsx'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import { ACTIONS_COLUMN, Table, TableSkeleton } from '#web/ui/list/table.tsx'
import { RelativeTime } from '#web/ui/text/time.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/webhooks.ts'
import { WebhookDialog } from './webhook-dialog.tsx'
import { SWITCHED_OFF_TEXTS } from './webhook-form.ts'
import { WebhookLogDialog } from './webhook-log-dialog.tsx'
import { WebhookSecretDialog } from './webhook-secret-dialog.tsx'

type Opened = { what: 'form'; webhook: WebhookEndpoint | null } | { what: 'log' | 'secret' | 'deletion'; webhook: WebhookEndpoint }

/** A team's endpoints fit on one page. */
const ALL = { page_size: 100 }

export function WebhookSettings() {
  const [opened, setOpened] = useState<Opened | null>(null)
  const { data: team } = useEndpoint(currentTeam)
  const { data: webhooks, error, isValidating, mutate } = useEndpoint(listWebhooks, { query: ALL })
  const isOwner = team?.is_owner === true
  const close = () => setOpened(null)
  const addButton = (
    <Button look="primary" icon={PlusIcon} onClick={() => setOpened({ what: 'form', webhook: null })}>
      {t.addWebhook}
    </Button>
  )
  return (
    <Card>
      <CardHead title={t.webhooks}>{webhooks && webhooks.count > 0 && isOwner && addButton}</CardHead>
      {error && !webhooks ? (
        <ErrorState title={t.failedToLoadTheWebhooks} details={error.message} retrying={isValidating} onRetry={() => void mutate()}>
          {t.theServerDidNotGiveThe}
        </ErrorState>
      ) : !webhooks ? (
        <TableSkeleton rows={3} label={t.loadingWebhooks} />
      ) : webhooks.count === 0 ? (
        <EmptyState title={t.noWebhooks} action={isOwner && addButton}>
          {isOwner ? t.yourOwnServerIsTold : t.yourOwnServerIsToldByOwner}
        </EmptyState>
      ) : (
        <>
          <Webhooks webhooks={webhooks.results} isOwner={isOwner} onOpen={setOpened} />
          {!isOwner && <CardFoot>{t.onlyTheOwnerOfTheTeam}</CardFoot>}
        </>
      )}
      {opened?.what === 'form' && (
        <WebhookDialog webhook={opened.webhook} onClose={close} onMade={(webhook) => setOpened({ what: 'secret', webhook })} />
      )}
      {opened?.what === 'secret' && <WebhookSecretDialog webhook={opened.webhook} onClose={close} />}
      {opened?.what === 'log' && <WebhookLogDialog webhook={opened.webhook} isOwner={isOwner} onClose={close} />}
      {opened?.what === 'deletion' && <DeleteWebhookDialog webhook={opened.webhook} onClose={close} />}
    </Card>
  )
}

type WebhooksProps = { webhooks: readonly WebhookEndpoint[]; isOwner: boolean; onOpen: (opened: Opened) => void }

const Webhooks = ({ isOwner, onOpen, webhooks }: WebhooksProps) => (
  <Table
    label={t.webhooks}
    rows={webhooks}
    rowKey={({ uuid }) => uuid}
    columns={[
      {
        key: 'endpoint',
        head: t.endpoint,
        wide: true,
        card: 'main',
        cell: (webhook) => (
          <span className="grid min-w-0 py-2 max-sm:py-0">
            <button
              type="button"
              className="truncate text-left font-medium hover:underline"
              title={t.showTheDeliveries}
              onClick={() => onOpen({ what: 'log', webhook })}
            >
              {webhook.name || webhook.url}
            </button>
            {webhook.name !== '' && <span className="truncate text-label text-faint">{webhook.url}</span>}
            {webhook.switched_off !== null && <span className="text-label text-danger">{SWITCHED_OFF_TEXTS[webhook.switched_off]}</span>}
          </span>
        ),
      },
      { key: 'status', head: t.status, card: 'topLeft', cell: (webhook) => <State {...webhook} /> },
      { key: 'events', head: t.events, from: 'xl', card: 'none', cell: ({ events }) => events.join(', ') },
      {
        key: 'last',
        head: t.lastAttempt,
        card: 'bottomLeft',
        cell: ({ last_attempt_at: at }) => (
          <>
            <span className="sm:hidden">{t.lastAttemptInACard} </span>
            {at === null ? <span className="text-faint">{t.noneYet}</span> : <RelativeTime iso={at} />}
          </>
        ),
      },
      {
        ...ACTIONS_COLUMN,
        cell: (webhook) => {
          const name = webhook.name || webhook.url
          return (
            <span className="inline-flex items-center">
              <Button size="small" onClick={() => onOpen({ what: 'log', webhook })}>
                {t.deliveries}
              </Button>
              {isOwner && (
                <>
                  <IconButton label={t.secretOf(name)} icon={KeyIcon} onClick={() => onOpen({ what: 'secret', webhook })} />
                  <IconButton label={t.edit(name)} icon={PencilIcon} onClick={() => onOpen({ what: 'form', webhook })} />
                  <IconButton
                    label={t.deleteNamed(name)}
                    icon={TrashIcon}
                    tone="danger"
                    onClick={() => onOpen({ what: 'deletion', webhook })}
                  />
                </>
              )}
            </span>
          )
        },
      },
    ]}
  />
)

function State({ failing_since, is_enabled, switched_off }: WebhookEndpoint) {
  if (switched_off !== null) return <Chip tone="danger">{t.switchedOff}</Chip>
  if (!is_enabled) return <Chip>{t.off}</Chip>
  return failing_since === null ? <Chip tone="success">{t.on}</Chip> : <Chip tone="warning">{t.failing}</Chip>
}

function DeleteWebhookDialog({ webhook, onClose }: { webhook: WebhookEndpoint; onClose: () => void }) {
  const remove = useAction(deleteWebhook, { refreshes: [listWebhooks] })
  const confirm = async () => {
    if (remove.busy) return
    const outcome = await remove.run({ params: { id: webhook.uuid } })
    if (outcome.ok) toast.success(t.webhookDeleted)
    else toast.error(t.failedToDeleteTheWebhook(outcome.error.message))
    onClose()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => void confirm()}
      title={t.deleteQuestion(webhook.name || webhook.url)}
      action={t.deleteWebhook}
      busy={remove.busy}
    >
      {t.waitingEventsAreNotSent}
    </ConfirmDialog>
  )
}
