/** One delivery: what was sent, to the byte, and each attempt with its answer. */
import { getWebhookDelivery } from '#contract/webhooks.ts'
import type { WebhookAttempt } from '#contract/webhooks.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { Facts } from '#web/ui/card.tsx'
import { CodeBlock } from '#web/ui/code/code-block.tsx'
import { ErrorState, Loading } from '#web/ui/feedback/feedback.tsx'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import { countText, exactTime, numberText } from '#web/ui/text/time-texts.ts'

/** While it waits its outcome is asked for. */
const LOOK_MS = 3000

export function DeliveryDetails({ deliveryId, webhookId }: { webhookId: string; deliveryId: string }) {
  const { data, error, isValidating, mutate } = useEndpoint(
    getWebhookDelivery,
    { params: { id: webhookId, deliveryId } },
    { refreshInterval: (latest) => (latest?.status === 'waiting' ? LOOK_MS : 0) },
  )
  if (error && !data)
    return <ErrorState title="Failed to load the delivery" details={error.message} retrying={isValidating} onRetry={() => void mutate()} />
  if (!data) return <Loading>Loading the delivery…</Loading>
  return (
    <div className="grid min-w-0 gap-5 text-ink">
      <Facts
        facts={[
          { name: 'Event', value: data.type },
          { name: 'webhook-id', value: <code className="break-all">{data.uuid}</code> },
          { name: 'Created', value: exactTime(data.created_at) },
          { name: 'Next attempt', value: data.next_attempt_at === null ? 'None' : exactTime(data.next_attempt_at) },
        ]}
      />
      <section className="grid min-w-0 gap-2">
        <h3 className="font-semibold">Body</h3>
        <CodeBlock code={prettyJson(data.body)} copyText={data.body} language="json" label="Body" wrap />
      </section>
      <section className="grid min-w-0 gap-3">
        <h3 className="font-semibold">{data.log.length === 0 ? 'Not sent yet' : countText(data.log.length, 'attempt')}</h3>
        {data.log.map((attempt) => (
          <Attempt key={attempt.at} {...attempt} />
        ))}
      </section>
    </div>
  )
}

const Attempt = (attempt: WebhookAttempt) => (
  <details className="group min-w-0 rounded-card border border-line">
    <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
      <Chip tone={attempt.failure === null ? 'success' : 'danger'}>{attempt.failure ?? `HTTP ${attempt.status_code}`}</Chip>
      <span className="num text-table text-soft">{exactTime(attempt.at)}</span>
      <span className="num text-table text-faint">{numberText(attempt.took_ms)} ms</span>
    </summary>
    <div className="grid min-w-0 gap-3 border-t border-line px-4 py-3">
      <CodeBlock code={`POST ${attempt.url}\n${headerLines(attempt.request_headers)}`} label={`Request of ${exactTime(attempt.at)}`} wrap />
      <CodeBlock
        code={`${attempt.status_code === null ? (attempt.failure ?? 'No answer') : `HTTP ${attempt.status_code}`}\n${headerLines(attempt.response_headers)}\n\n${attempt.response_body}${attempt.is_response_cut ? '\n…' : ''}`.trim()}
        label={`Answer of ${exactTime(attempt.at)}`}
        wrap
      />
    </div>
  </details>
)

const headerLines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
