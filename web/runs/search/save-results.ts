/** Saves the results of a search as a file, which the browser generates. */
import { getSearch } from '#contract/searches.ts'
import { ApiError, call } from '#web/api/client.ts'
import { saveFile } from '#web/runs/shared/save-file.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/search.ts'

export async function saveResults(searchId: string): Promise<void> {
  const id = `search-download-${searchId}`
  toast.loading(t.preparingTheFile, id)
  try {
    const { result } = await call(getSearch, { params: { id: searchId }, query: { prefetched: true } })
    saveFile(`search_results_${searchId}.json`, JSON.stringify(result ?? [], null, 2))
    toast.success(t.theDownloadHasBegun, id)
  } catch (cause) {
    toast.error(cause instanceof ApiError ? cause.message : t.theDownloadFailed, id)
  }
}
