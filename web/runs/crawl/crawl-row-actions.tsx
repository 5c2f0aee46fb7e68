/** What a user can do with a crawl from its row in the log. */
import { useState } from 'react'
import type { CrawlRequest } from '#contract/crawls.ts'
import { RunRowActions } from '#web/runs/shared/run-row-actions.tsx'
import { IconButton } from '#web/ui/form/button.tsx'
import { SitemapIcon } from '#web/ui/icons.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import * as t from '#texts/crawl-rows.ts'
import { DownloadMenu } from './download-menu.tsx'
import { RepeatButton } from './repeat-button.tsx'
import { CRAWL } from './use-crawl.ts'

const SitemapExplorer = lazyDialog(async () => (await import('./sitemap-explorer.tsx')).SitemapExplorer)

export function CrawlRowActions({ run }: { run: CrawlRequest }) {
  const [exploring, setExploring] = useState(false)
  return (
    <>
      <RunRowActions base={CRAWL} run={run} download={<DownloadMenu crawl={run} look="icon" />}>
        <IconButton
          label={run.sitemap === null ? t.sitemapExplorerNoSitemapYet : t.sitemapExplorer}
          icon={SitemapIcon}
          disabled={run.sitemap === null}
          onClick={() => setExploring(true)}
        />
        <RepeatButton crawl={run} />
      </RunRowActions>
      {exploring && <SitemapExplorer crawl={run} onClose={() => setExploring(false)} />}
    </>
  )
}
