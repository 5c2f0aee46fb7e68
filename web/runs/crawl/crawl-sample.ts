/** The code samples of a crawl: print each page as it arrives, save the archive at the end. */
import { createBatchCrawl, createCrawl } from '#contract/crawls.ts'
import type { SampleKind } from '#web/runs/shared/code-samples.ts'

export const crawlSample = ({ batch }: { batch: boolean }): SampleKind => ({
  noun: 'crawl',
  startPath: batch ? createBatchCrawl.path : createCrawl.path,
  runsPath: createCrawl.path,
  save: { why: 'Save all pages as one archive', file: 'results.zip', path: '/download/?output_format=markdown' },
  python: ['elif event["type"] == "result":', '    print(data["url"])', '    print(data["result"]["markdown"])'],
  node: ['else if (event.type === "result") console.log(data.url + "\\n" + data.result.markdown);'],
  go: {
    fields: ['URL    string `json:"url"`', 'Result struct {', '\tMarkdown string `json:"markdown"`', '} `json:"result"`'],
    lines: ['if event.Type == "result" {', '\tfmt.Println(data.URL)', '\tfmt.Println(data.Result.Markdown)', '}'],
  },
})
