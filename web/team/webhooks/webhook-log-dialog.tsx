/** The deliveries to an endpoint: filter, open and send again; and a button for a test event. */
import { useState } from 'react'
import { getWebhookDelivery, listWebhookDeliveries, listWebhooks, replayWebhook, testWebhook } from '#contract/webhooks.ts'
import type { DeliveryState, WebhookDelivery, WebhookEndpoint } from '#contract/webhooks.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { useServerMessages } from '#web/api/server-messages.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Segmented, Tick } from '#web/ui/form/choice.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { EmptyState, ErrorState } from '#web/ui/feedback/feedback.tsx'
import { ArrowLeftIcon, RefreshIcon } from '#web/ui/icons.tsx'
import { PAGE_SIZE } from '#web/ui/limits.ts'
import { Pagination } from '#web/ui/list/pagination.tsx'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import type { ChipTone } from '#web/ui/feedback/status-badge.tsx'
import { Table, TableSkeleton } from '#web/ui/list/table.tsx'
import { RelativeTime } from '#web/ui/text/time.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/webhooks.ts'
import { DeliveryDetails } from './delivery-details.tsx'

const STATES: Record<DeliveryState, { word: string; tone: ChipTone }> = {
  waiting: { word: t.waiting, tone: 'warning' },
  delivered: { word: t.delivered, tone: 'success' },
  failed: { word: t.failed, tone: 'danger' },
}
const FILTERS = [
  { value: '' as const, label: t.all },
  ...Object.entries(STATES).map(([value, { word }]) => ({ value: value as DeliveryState, label: word })),
]
const STALE = { refreshes: [listWebhookDeliveries, getWebhookDelivery, listWebhooks] }
/** Refresh interval while a delivery on the page is waiting. */
const LOOK_MS = 3000

/** Mounted only while it is open. */
export function WebhookLogDialog({ webhook, isOwner, onClose }: { webhook: WebhookEndpoint; isOwner: boolean; onClose: () => void }) {
  const params = { id: webhook.uuid }
  const [status, setStatus] = useState<DeliveryState | ''>('')
  const [page, setPage] = useState(1)
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState<string | null>(null)
  const {
    data: log,
    error,
    isLoading,
    isValidating,
    mutate,
  } = useEndpoint(
    listWebhookDeliveries,
    { params, query: { status, page, page_size: PAGE_SIZE } },
    { keepPreviousData: true, refreshInterval: (latest) => (latest?.results.some((each) => each.status === 'waiting') ? LOOK_MS : 0) },
  )
  const translate = useServerMessages()
  const test = useAction(testWebhook, STALE)
  const replay = useAction(replayWebhook, STALE)

  const sendTest = async () => {
    const outcome = await test.run({ params })
    if (!outcome.ok) return toast.error(outcome.error.message)
    setOpened(outcome.answer.uuid)
    if (outcome.answer.status === 'delivered') toast.success(t.theEndpointTookTheTestEvent)
    else {
      const { failure } = outcome.answer
      toast.error(t.theTestEventFailed(failure === null ? t.noAnswerInASentence : translate(failure)))
    }
  }
  const sendAgain = async (deliveries?: string[]) => {
    const outcome = await replay.run({ params, body: deliveries === undefined ? {} : { deliveries } })
    if (!outcome.ok) return toast.error(t.failedToSendThemAgain(outcome.error.message))
    setPicked(new Set())
    toast.success(t.willBeSentAgain(t.deliveryCount(outcome.answer.replayed)))
  }
  const someFailed = log?.results.some((each) => each.status === 'failed') ?? false
  const pick = (id: string, isPicked: boolean) => {
    const next = new Set(picked)
    if (isPicked) next.add(id)
    else next.delete(id)
    setPicked(next)
  }

  const footer = (
    <>
      {opened !== null && (
        <Button className="mr-auto" icon={ArrowLeftIcon} onClick={() => setOpened(null)}>
          {t.allDeliveries}
        </Button>
      )}
      {isOwner && opened !== null && (
        <Button icon={RefreshIcon} busy={replay.busy} busyLabel={t.sending} onClick={() => void sendAgain([opened])}>
          {t.sendAgain}
        </Button>
      )}
      {isOwner && opened === null && picked.size > 0 && (
        <Button icon={RefreshIcon} busy={replay.busy} busyLabel={t.sending} onClick={() => void sendAgain([...picked])}>
          {t.sendCountAgain(picked.size)}
        </Button>
      )}
      {isOwner && opened === null && picked.size === 0 && someFailed && (
        <Button icon={RefreshIcon} busy={replay.busy} busyLabel={t.sending} onClick={() => void sendAgain()}>
          {t.sendAllFailedAgain}
        </Button>
      )}
      {isOwner && (
        <Button look="primary" busy={test.busy} busyLabel={t.sending} onClick={() => void sendTest()}>
          {t.sendTestEvent}
        </Button>
      )}
    </>
  )
  return (
    <Dialog open size="wide" onClose={onClose} title={t.deliveriesTo(webhook.name || webhook.url)} footer={footer}>
      {opened !== null ? (
        <DeliveryDetails webhookId={webhook.uuid} deliveryId={opened} />
      ) : (
        <>
          <Segmented
            label={t.status}
            value={status}
            options={FILTERS}
            onChange={(next) => {
              setStatus(next)
              setPage(1)
              setPicked(new Set())
            }}
          />
          {error && !log ? (
            <ErrorState title={t.failedToLoadTheDeliveries} details={error.message} retrying={isValidating} onRetry={() => void mutate()} />
          ) : !log ? (
            <TableSkeleton rows={4} label={t.loadingDeliveries} />
          ) : log.count === 0 ? (
            <EmptyState title={t.noDeliveries}>{status === '' ? t.eventsAppearHereOnceTheyHappen : t.noneHasThisStatus}</EmptyState>
          ) : (
            <>
              <Deliveries deliveries={log.results} updating={isLoading} picked={isOwner ? picked : null} onPick={pick} onOpen={setOpened} />
              <Pagination page={page} count={log.count} busy={isLoading} onPage={setPage} />
            </>
          )}
        </>
      )}
    </Dialog>
  )
}

type DeliveriesProps = {
  deliveries: readonly WebhookDelivery[]
  updating: boolean
  /** Null for people who may not send again. */
  picked: ReadonlySet<string> | null
  onPick: (id: string, isPicked: boolean) => void
  onOpen: (id: string) => void
}

function Deliveries({ deliveries, onOpen, onPick, picked, updating }: DeliveriesProps) {
  const translate = useServerMessages()
  return (
    <Table
      label={t.deliveries}
      rows={deliveries}
      rowKey={({ uuid }) => uuid}
      updating={updating}
      columns={[
        {
          key: 'event',
          head: t.event,
          wide: true,
          card: 'topLeft',
          cell: ({ status, type, uuid }) => (
            <span className="flex min-w-0 items-center gap-3">
              {picked !== null && (
                <Tick
                  aria-label={t.choose(type)}
                  disabled={status === 'waiting' || type === 'webhook.test'}
                  checked={picked.has(uuid)}
                  onChange={(isPicked) => onPick(uuid, isPicked)}
                />
              )}
              <button type="button" className="truncate font-medium text-accent-ink hover:underline" onClick={() => onOpen(uuid)}>
                {type}
              </button>
            </span>
          ),
        },
        {
          key: 'status',
          head: t.status,
          card: 'topRight',
          cell: ({ status }) => <Chip tone={STATES[status].tone}>{STATES[status].word}</Chip>,
        },
        {
          key: 'answer',
          head: t.lastAnswer,
          card: 'bottomLeft',
          cell: ({ attempts, failure, status_code }) => (
            <span className="block max-w-72 truncate" title={failure === null ? undefined : translate(failure)}>
              {failure === null ? (status_code === null ? t.notSentYet : `HTTP ${status_code}`) : translate(failure)}
              {attempts > 1 && <span className="text-faint"> · {t.attempts(attempts)}</span>}
            </span>
          ),
        },
        { key: 'created', head: t.created, card: 'bottomRight', cell: ({ created_at }) => <RelativeTime iso={created_at} /> },
      ]}
    />
  )
}
