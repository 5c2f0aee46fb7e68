/** Saves the results of a search as a file, which the browser generates. */
import { getSearch } from '#contract/searches.ts'
import { call } from '#web/api/client.ts'
import { saveFile } from '#web/runs/shared/save-file.ts'
import { saving } from '#web/runs/shared/saving.ts'

export const saveResults = (id: string): Promise<void> =>
  saving(id, async () => {
    const { result } = await call(getSearch, { params: { id }, query: { prefetched: true } })
    saveFile(`search_results_${id}.json`, JSON.stringify(result ?? [], null, 2))
  })
