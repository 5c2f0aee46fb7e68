/** The webhook endpoints of the team: added, changed, tested, followed, removed. Members read; the owner manages. */
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
import { Table, TableSkeleton } from '#web/ui/list/table.tsx'
import { RelativeTime } from '#web/ui/text/time.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { SWITCHED_OFF_TEXTS } from './webhook-form.ts'
import { WebhookLogDialog } from './webhook-log-dialog.tsx'
import { WebhookSecretDialog } from './webhook-secret-dialog.tsx'

type Opened = { what: 'form'; webhook: WebhookEndpoint | null } | { what: 'log' | 'secret' | 'deletion'; webhook: WebhookEndpoint }

/** A team has few enough for one page. */
const ALL = { page_size: 100 }

export function WebhookSettings() {
  const [opened, setOpened] = useState<Opened | null>(null)
  const { data: team } = useEndpoint(currentTeam)
  const { data: webhooks, error, isValidating, mutate } = useEndpoint(listWebhooks, { query: ALL })
  const isOwner = team?.is_owner === true
  const close = () => setOpened(null)
  const addButton = (
    <Button look="primary" icon={PlusIcon} onClick={() => setOpened({ what: 'form', webhook: null })}>
      Add webhook
    </Button>
  )
  return (
    <Card>
      <CardHead title="Webhooks">{webhooks && webhooks.count > 0 && isOwner && addButton}</CardHead>
      {error && !webhooks ? (
        <ErrorState title="Failed to load the webhooks" details={error.message} retrying={isValidating} onRetry={() => void mutate()}>
          The server did not give the list. Events are sent as before.
        </ErrorState>
      ) : !webhooks ? (
        <TableSkeleton rows={3} label="Loading webhooks…" />
      ) : webhooks.count === 0 ? (
        <EmptyState title="No webhooks" action={isOwner && addButton}>
          Your own server is told when jobs start, store pages and end. {!isOwner && 'The owner of the team can add one.'}
        </EmptyState>
      ) : (
        <>
          <Webhooks webhooks={webhooks.results} isOwner={isOwner} onOpen={setOpened} />
          {!isOwner && <CardFoot>Only the owner of the team changes webhooks.</CardFoot>}
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
    label="Webhooks"
    rows={webhooks}
    rowKey={({ uuid }) => uuid}
    columns={[
      {
        key: 'endpoint',
        head: 'Endpoint',
        wide: true,
        card: 'main',
        cell: (webhook) => (
          <span className="grid min-w-0 py-2 max-sm:py-0">
            <button
              type="button"
              className="truncate text-left font-medium hover:underline"
              title="Show the deliveries"
              onClick={() => onOpen({ what: 'log', webhook })}
            >
              {webhook.name || webhook.url}
            </button>
            {webhook.name !== '' && <span className="truncate text-label text-faint">{webhook.url}</span>}
            {webhook.switched_off !== null && <span className="text-label text-danger">{SWITCHED_OFF_TEXTS[webhook.switched_off]}</span>}
          </span>
        ),
      },
      { key: 'status', head: 'Status', card: 'topLeft', cell: (webhook) => <State {...webhook} /> },
      { key: 'events', head: 'Events', from: 'xl', card: 'none', cell: ({ events }) => events.join(', ') },
      {
        key: 'last',
        head: 'Last attempt',
        card: 'bottomLeft',
        cell: ({ last_attempt_at: at }) => (at === null ? <span className="text-faint">None yet</span> : <RelativeTime iso={at} />),
      },
      {
        key: 'actions',
        head: 'Actions',
        hideHead: true,
        align: 'right',
        card: 'topRight',
        cell: (webhook) => {
          const name = webhook.name || webhook.url
          return (
            <span className="inline-flex items-center">
              <Button size="small" onClick={() => onOpen({ what: 'log', webhook })}>
                Deliveries
              </Button>
              {isOwner && (
                <>
                  <IconButton label={`Secret of ${name}`} icon={KeyIcon} onClick={() => onOpen({ what: 'secret', webhook })} />
                  <IconButton label={`Edit ${name}`} icon={PencilIcon} onClick={() => onOpen({ what: 'form', webhook })} />
                  <IconButton
                    label={`Delete ${name}`}
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
  if (switched_off !== null) return <Chip tone="danger">Switched off</Chip>
  if (!is_enabled) return <Chip>Off</Chip>
  return failing_since === null ? <Chip tone="success">On</Chip> : <Chip tone="warning">Failing</Chip>
}

function DeleteWebhookDialog({ webhook, onClose }: { webhook: WebhookEndpoint; onClose: () => void }) {
  const remove = useAction(deleteWebhook, { refreshes: [listWebhooks] })
  const confirm = async () => {
    if (remove.busy) return
    const outcome = await remove.run({ params: { id: webhook.uuid } })
    if (outcome.ok) toast.success('Webhook deleted')
    else toast.error('Failed to delete the webhook')
    onClose()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => void confirm()}
      title={`Delete “${webhook.name || webhook.url}”?`}
      action="Delete webhook"
      busy={remove.busy}
    >
      What waits for it is not sent, and its deliveries are removed. This cannot be undone.
    </ConfirmDialog>
  )
}
