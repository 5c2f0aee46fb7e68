/** The links of a crawl in a dialog: as a tree to search, as Markdown, and as files. */
import { useState } from 'react'
import { crawlGraph, crawlSitemapMarkdown } from '#contract/crawls.ts'
import type { CrawlRequest } from '#contract/crawls.ts'
import type { SiteTree } from '#contract/sitemaps.ts'
import type { ApiError } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { saveFile } from '#web/runs/shared/save-file.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { CodeBlock } from '#web/ui/code/code-block.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { ErrorState, Loading } from '#web/ui/feedback/feedback.tsx'
import { BracesIcon, DownloadIcon } from '#web/ui/icons.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { safeHref } from '#web/ui/outside-link.tsx'
import * as t from '#texts/crawl-details.ts'

/** The tree and the diagram. */
const SiteGraph = lazyPart(async () => (await import('#web/runs/shared/site-graph.tsx')).SiteGraph)

export function SitemapExplorer({ crawl, onClose }: { crawl: Pick<CrawlRequest, 'uuid' | 'sitemap'> | null; onClose: () => void }) {
  return crawl === null ? null : <OpenExplorer crawl={crawl} onClose={onClose} />
}

type View = 'graph' | 'markdown'

const STAYS = { revalidateIfStale: false, revalidateOnReconnect: false }

function OpenExplorer({ crawl, onClose }: { crawl: Pick<CrawlRequest, 'uuid' | 'sitemap'>; onClose: () => void }) {
  const [view, setView] = useState<View>('graph')
  const args = { params: { id: crawl.uuid } }
  const graph = useEndpoint(crawlGraph, args, STAYS)
  const markdown = useEndpoint(crawlSitemapMarkdown, args, STAYS)
  const file = crawl.sitemap === null ? null : safeHref(crawl.sitemap)
  return (
    <Dialog open onClose={onClose} title={t.sitemapExplorer} size="wide">
      <div className="-mx-5 -mb-5 flex h-[calc(100dvh-72px)] min-w-0 flex-col text-ink sm:h-[min(72vh,760px)]">
        <div className="flex flex-wrap items-center gap-2 px-5 pb-3">
          {file !== null && (
            <ButtonLink href={file} external size="small" icon={BracesIcon}>
              {t.openJSON}
            </ButtonLink>
          )}
          <Button
            size="small"
            icon={DownloadIcon}
            disabled={!graph.data}
            onClick={() => graph.data && saveFile(`sitemap-graph-${crawl.uuid}.json`, JSON.stringify(graph.data, null, 2))}
          >
            {t.saveGraph}
          </Button>
          <Button
            size="small"
            icon={DownloadIcon}
            disabled={markdown.data === undefined}
            onClick={() => saveFile(`sitemap-${crawl.uuid}.md`, markdown.data ?? '', 'text/markdown')}
          >
            {t.saveMarkdown}
          </Button>
        </div>
        <div className="px-5">
          <Tabs
            name="sitemap"
            label={t.sitemap}
            dense
            tabs={[
              { id: 'graph', label: t.graphView },
              { id: 'markdown', label: t.markdownView },
            ]}
            value={view}
            onChange={setView}
          />
        </div>
        <TabPanel name="sitemap" id="graph" value={view} className="flex min-h-0 flex-1 flex-col gap-3 p-5 pt-4">
          {graph.error ? (
            <Failed error={graph.error} onRetry={() => void graph.mutate()} />
          ) : graph.data === undefined ? (
            <Loading>{t.loadingTheTree}</Loading>
          ) : (
            <SiteGraph tree={graph.data as SiteTree} empty={t.thisCrawlSawNoLinks} />
          )}
        </TabPanel>
        <TabPanel name="sitemap" id="markdown" value={view} className="min-h-0 flex-1 overflow-y-auto p-5 pt-4">
          {markdown.error ? (
            <Failed error={markdown.error} onRetry={() => void markdown.mutate()} />
          ) : markdown.data === undefined ? (
            <Loading>{t.loadingTheList}</Loading>
          ) : (
            <CodeBlock label={t.sitemapAsMarkdown} code={markdown.data} language="markdown" wrap />
          )}
        </TabPanel>
      </div>
    </Dialog>
  )
}

const Failed = ({ error, onRetry }: { error: ApiError; onRetry: () => void }) => (
  <ErrorState title={error.status === 404 ? t.noSitemapYet : t.theSitemapCouldNotBeLoaded} onRetry={onRetry}>
    {error.message}
  </ErrorState>
)
