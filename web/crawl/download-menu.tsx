/** What one can take home of a crawl: all pages as an archive, in two ways, and the sitemap file. */
import { downloadCrawl } from '#contract/crawls.ts'
import type { CrawlRequest } from '#contract/crawls.ts'
import { ApiError, open } from '#web/api/client.ts'
import { saveFile } from '#web/runs/save-file.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { BracesIcon, ChevronDownIcon, DownloadIcon, FileIcon, SitemapIcon } from '#web/ui/icons.tsx'
import { Menu } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toaster.tsx'

export type Downloadable = Pick<CrawlRequest, 'uuid' | 'sitemap'>

/** `look` icon: for a row of a table. */
export function DownloadMenu({
  crawl,
  look,
  size = 'normal',
}: {
  crawl: Downloadable
  look: 'button' | 'icon'
  size?: 'small' | 'normal'
}) {
  return (
    <Menu
      sections={[
        {
          items: [
            { label: 'JSON archive', end: 'zip', icon: BracesIcon, onSelect: () => void saveArchive(crawl.uuid, 'json') },
            { label: 'Markdown archive', end: 'zip', icon: FileIcon, onSelect: () => void saveArchive(crawl.uuid, 'markdown') },
            {
              label: 'Sitemap file',
              end: crawl.sitemap === null ? 'none' : 'json',
              icon: SitemapIcon,
              disabled: crawl.sitemap === null,
              onSelect: () => crawl.sitemap !== null && void saveSitemap(crawl.uuid, crawl.sitemap),
            },
          ],
        },
      ]}
      trigger={(props) =>
        look === 'icon' ? (
          <IconButton {...props} label="Download" icon={DownloadIcon} />
        ) : (
          <Button {...props} size={size} icon={DownloadIcon}>
            <span className="inline-flex items-center gap-2">
              Download
              <ChevronDownIcon className="text-faint" />
            </span>
          </Button>
        )
      }
    />
  )
}

async function saveArchive(runId: string, format: 'json' | 'markdown'): Promise<void> {
  await saving(`download-${runId}`, async () => {
    const response = await open(downloadCrawl, { params: { id: runId }, query: { output_format: format } })
    saveFile(`crawl-results-${runId}.zip`, await response.blob())
  })
}

/** The link is signed and needs no header. */
async function saveSitemap(runId: string, link: string): Promise<void> {
  await saving(`sitemap-${runId}`, async () => {
    const response = await fetch(link)
    if (!response.ok) throw new Error(`The sitemap could not be read (status ${response.status}).`)
    saveFile(`crawl-sitemap-${runId}.json`, await response.blob())
  })
}

/** Says that a file is being prepared, and how it ended. */
async function saving(id: string, save: () => Promise<void>): Promise<void> {
  toast.loading('Preparing the file…', id)
  try {
    await save()
    toast.success('The download has begun', id)
  } catch (cause) {
    toast.error(cause instanceof ApiError || cause instanceof Error ? cause.message : 'The download failed', id)
  }
}
