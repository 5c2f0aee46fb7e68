/** The code samples of a sitemap: the final state contains the URLs; at the end, curl saves the file for search engines. */
import { createSitemap } from '#contract/sitemaps.ts'
import type { SampleKind } from '#web/runs/shared/code-samples.ts'

export const SITEMAP_SAMPLE: SampleKind = {
  noun: 'sitemap',
  startPath: createSitemap.path,
  runsPath: createSitemap.path,
  save: { why: 'Save it as a sitemap file', file: 'sitemap.xml', path: '/xml/' },
  python: ['    for url in data["result"] or []:', '        print(url)'],
  node: ['for (const url of data.result ?? []) console.log(url);'],
  go: {
    fields: ['Result []string `json:"result"`'],
    lines: ['for _, url := range data.Result {', '\tfmt.Println(url)', '}'],
  },
}
