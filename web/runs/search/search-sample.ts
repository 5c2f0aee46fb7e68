/** The code samples of a search: the final state contains the hits. */
import { createSearch } from '#contract/searches.ts'
import type { SampleKind } from '#web/runs/shared/code-samples.ts'

export const SEARCH_SAMPLE: SampleKind = {
  noun: 'search',
  startPath: createSearch.path,
  runsPath: createSearch.path,
  save: { why: 'Save the search with its results', file: 'search.json', path: '/?prefetched=true' },
  python: ['    for hit in data["result"] or []:', '        print(hit["title"], hit["url"])'],
  node: ['for (const hit of data.result ?? []) console.log(hit.title, hit.url);'],
  go: {
    fields: ['Result []struct {', '\tTitle string `json:"title"`', '\tURL   string `json:"url"`', '} `json:"result"`'],
    lines: ['for _, hit := range data.Result {', '\tfmt.Println(hit.Title, hit.URL)', '}'],
  },
}
