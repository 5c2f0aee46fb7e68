/** What one can do with a search from its row in the log. */
import { isTerminal } from '#contract/runs.ts'
import type { SearchRequest } from '#contract/searches.ts'
import { pathTo } from '#web/navigation.ts'
import { fromLog } from '#web/runs/shared/way-back.ts'
import { IconButton, IconLink } from '#web/ui/form/button.tsx'
import { ArrowRightIcon, DownloadIcon, StopIcon } from '#web/ui/icons.tsx'
import { saveResults } from './save-results.ts'
import { useStopSearch } from './use-search.ts'

export function SearchRowActions({ run }: { run: SearchRequest }) {
  const stopping = useStopSearch()
  return (
    <span className="inline-flex items-center justify-end">
      {isTerminal(run.status) ? (
        <IconButton
          label="Download Results"
          icon={DownloadIcon}
          disabled={run.status !== 'finished'}
          onClick={() => void saveResults(run.uuid)}
        />
      ) : (
        <IconButton
          label="Cancel Search"
          icon={StopIcon}
          tone="danger"
          busy={stopping.busy || run.status === 'canceling'}
          onClick={() => void stopping.stop(run.uuid)}
        />
      )}
      <IconLink label="View details" icon={ArrowRightIcon} href={pathTo('searchDetails', { id: run.uuid })} state={fromLog()} />
    </span>
  )
}
