/** Options that plugins add. */
import { EmptyState } from '#web/ui/feedback.tsx'

export function PluginOptions() {
  return (
    <EmptyState net="plain" title="No plugins installed">
      Plugins add steps of their own to each page, such as pulling out fields. This server has none.
    </EmptyState>
  )
}
