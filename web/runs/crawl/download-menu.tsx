/** What one can take home of a crawl: all pages as an archive, in three ways, and the sitemap file. */
import { linkArchive, linkExport } from '#contract/crawls.ts'
import type { CrawlRequest } from '#contract/crawls.ts'
import { ApiError, call } from '#web/api/client.ts'
import { saveLink } from '#web/runs/shared/save-file.ts'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { BracesIcon, ChevronDownIcon, DownloadIcon, FileIcon, ListIcon, SitemapIcon } from '#web/ui/icons.tsx'
import { Menu } from '#web/ui/dialog/menu.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'

export type Downloadable = Pick<CrawlRequest, 'uuid' | 'sitemap' | 'options'>

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
            { label: 'JSON archive', end: 'zip', icon: BracesIcon, onSelect: () => void saveArchive(crawl, 'json') },
            { label: 'Markdown archive', end: 'zip', icon: FileIcon, onSelect: () => void saveArchive(crawl, 'markdown') },
            { label: 'llms.txt and llms-full.txt', end: 'zip', icon: FileIcon, onSelect: () => void saveArchive(crawl, 'llms') },
            {
              label: 'Sitemap file',
              end: crawl.sitemap === null ? 'none' : 'json',
              icon: SitemapIcon,
              disabled: crawl.sitemap === null,
              onSelect: () => crawl.sitemap !== null && saveLink(`${crawl.sitemap}&download=true`),
            },
          ],
        },
        {
          title: 'Tables',
          items: [
            { label: 'Results', end: 'csv', icon: ListIcon, onSelect: () => void saveExport(crawl, 'results', 'csv') },
            { label: 'Results', end: 'jsonl', icon: BracesIcon, onSelect: () => void saveExport(crawl, 'results', 'jsonl') },
            { label: 'All URLs', end: 'csv', icon: ListIcon, onSelect: () => void saveExport(crawl, 'urls', 'csv') },
            { label: 'All URLs', end: 'jsonl', icon: BracesIcon, onSelect: () => void saveExport(crawl, 'urls', 'jsonl') },
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

/** The archive may be larger than the memory of a tab: the browser writes it to the disk by its signed link. */
export async function saveArchive({ options, uuid: runId }: Downloadable, format: 'json' | 'markdown' | 'llms'): Promise<void> {
  const id = `download-${runId}`
  toast.loading('Preparing the file…', id)
  try {
    const { link } = await call(linkArchive, {
      params: { id: runId },
      query: { output_format: format, ...(hasFiles(options) && { attachments: true }) },
    })
    saveLink(link)
    toast.success('The download has begun', id)
  } catch (cause) {
    toast.error(cause instanceof ApiError ? cause.message : 'The download failed', id)
  }
}

/** Written to the disk by the browser, as the archive is. */
async function saveExport({ uuid }: Downloadable, content: 'results' | 'urls', format: 'csv' | 'jsonl'): Promise<void> {
  try {
    const { link } = await call(linkExport, { params: { id: uuid }, query: { content, file_format: format } })
    saveLink(link)
  } catch (cause) {
    toast.error(cause instanceof ApiError ? cause.message : 'The download failed')
  }
}

/** Screenshots and PDFs go with the pages. */
const hasFiles = ({ page_options: { actions } }: Downloadable['options']): boolean => Array.isArray(actions) && actions.length > 0
