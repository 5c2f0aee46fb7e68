/** The team's own language model server, and how much its crawls used models. */
import { getModelEndpoint } from '#contract/models.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { Card } from '#web/ui/card.tsx'
import { ErrorState, Loading } from '#web/ui/feedback/feedback.tsx'
import * as t from '#texts/models.ts'
import { ModelServerCard } from './model-server-card.tsx'
import { ModelUsageCard } from './model-usage.tsx'

export function ModelSettings() {
  const { data: stored, error, isValidating, mutate } = useEndpoint(getModelEndpoint)
  return (
    <div className="grid min-w-0 gap-4">
      {stored ? (
        <ModelServerCard key={stored.updated_at} stored={stored} />
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
      {(stored || error) && <ModelUsageCard />}
    </div>
  )
}
