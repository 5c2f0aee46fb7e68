/** What a user can do with a search from its row in the log. */
import type { SearchRequest } from '#contract/searches.ts'
import { RunRowActions } from '#web/runs/shared/run-row-actions.tsx'
import { IconButton } from '#web/ui/form/button.tsx'
import { DownloadIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/search-run.ts'
import { saveResults } from './save-results.ts'
import { SEARCH } from './use-search.ts'

export const SearchRowActions = ({ run }: { run: SearchRequest }) => (
  <RunRowActions
    base={SEARCH}
    run={run}
    download={
      <IconButton
        label={t.downloadResults}
        icon={DownloadIcon}
        disabled={run.status !== 'finished'}
        onClick={() => void saveResults(run.uuid)}
      />
    }
  />
)
