/** One delivery: the exact request, and each attempt with its answer. */
import { getWebhookDelivery } from '#contract/webhooks.ts'
import type { WebhookAttempt } from '#contract/webhooks.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { useServerMessages } from '#web/api/server-messages.ts'
import { Facts } from '#web/ui/card.tsx'
import { CodeBlock } from '#web/ui/code/code-block.tsx'
import { ErrorState, Loading } from '#web/ui/feedback/feedback.tsx'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import { exactTime, numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/webhooks.ts'

/** Refresh interval while the delivery is waiting. */
const LOOK_MS = 3000

export function DeliveryDetails({ deliveryId, webhookId }: { webhookId: string; deliveryId: string }) {
  const { data, error, isValidating, mutate } = useEndpoint(
    getWebhookDelivery,
    { params: { id: webhookId, deliveryId } },
    { refreshInterval: (latest) => (latest?.status === 'waiting' ? LOOK_MS : 0) },
  )
  if (error && !data)
    return <ErrorState title={t.failedToLoadTheDelivery} details={error.message} retrying={isValidating} onRetry={() => void mutate()} />
  if (!data) return <Loading>{t.loadingTheDelivery}</Loading>
  return (
    <div className="grid min-w-0 gap-5 text-ink">
      <Facts
        facts={[
          { name: t.event, value: data.type },
          { name: 'webhook-id', value: <code className="break-all">{data.uuid}</code> },
          { name: t.created, value: exactTime(data.created_at) },
          { name: t.nextAttempt, value: data.next_attempt_at === null ? t.none : exactTime(data.next_attempt_at) },
        ]}
      />
      <section className="grid min-w-0 gap-2">
        <h3 className="font-semibold">{t.body}</h3>
        <CodeBlock code={prettyJson(data.body)} copyText={data.body} language="json" label={t.body} wrap />
      </section>
      <section className="grid min-w-0 gap-3">
        <h3 className="font-semibold">{data.log.length === 0 ? t.notSentYet : t.attempts(data.log.length)}</h3>
        {data.log.map((attempt) => (
          <Attempt key={attempt.at} {...attempt} />
        ))}
      </section>
    </div>
  )
}

function Attempt(attempt: WebhookAttempt) {
  const translate = useServerMessages()
  const failure = attempt.failure === null ? null : translate(attempt.failure)
  return (
    <details className="group min-w-0 rounded-card border border-line">
      <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
        <Chip tone={attempt.failure === null ? 'success' : 'danger'}>{failure ?? `HTTP ${attempt.status_code}`}</Chip>
        <span className="num text-table text-soft">{exactTime(attempt.at)}</span>
        <span className="num text-table text-faint">{t.ms(numberText(attempt.took_ms))}</span>
      </summary>
      <div className="grid min-w-0 gap-3 border-t border-line px-4 py-3">
        <CodeBlock code={`POST ${attempt.url}\n${headerLines(attempt.request_headers)}`} label={t.requestOf(exactTime(attempt.at))} wrap />
        <CodeBlock
          code={`${attempt.status_code === null ? (failure ?? t.noAnswer) : `HTTP ${attempt.status_code}`}\n${headerLines(attempt.response_headers)}\n\n${attempt.response_body}${attempt.is_response_cut ? '\n…' : ''}`.trim()}
          label={t.answerOf(exactTime(attempt.at))}
          wrap
        />
      </div>
    </details>
  )
}

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
