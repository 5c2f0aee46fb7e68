/** How much the team's crawls used models. */
import { listModelUsage } from '#contract/models.ts'
import type { TeamModelUsage } from '#contract/models.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { Card, CardHead } from '#web/ui/card.tsx'
import { EmptyState, ErrorState, Loading } from '#web/ui/feedback/feedback.tsx'
import { Table } from '#web/ui/list/table.tsx'
import type { Column } from '#web/ui/list/table.tsx'
import { fixed } from '#texts/language.ts'
import * as t from '#texts/models.ts'

const COLUMNS: Column<TeamModelUsage>[] = [
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
]

export function ModelUsageCard() {
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
        <Table label={t.usageOfModels} rows={usage} rowKey={({ model }) => model} columns={COLUMNS} />
      )}
    </Card>
  )
}
