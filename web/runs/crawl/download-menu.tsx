/** Downloads of a crawl: all pages as an archive, in three formats, and the sitemap file. */
import { linkArchive, linkExport } from '#contract/crawls.ts'
import type { CrawlRequest } from '#contract/crawls.ts'
import { ApiError, call } from '#web/api/client.ts'
import { saveLink } from '#web/runs/shared/save-file.ts'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { BracesIcon, ChevronDownIcon, DownloadIcon, FileIcon, ListIcon, SitemapIcon } from '#web/ui/icons.tsx'
import { cx } from '#web/ui/cx.ts'
import { Menu } from '#web/ui/dialog/menu.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/downloads.ts'

export type Downloadable = Pick<CrawlRequest, 'uuid' | 'sitemap' | 'options'>

/** `look: 'icon'` is for a row of a table. A small button shows its icon alone on a phone, where it shares a row with others. */
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
            { label: t.jsonArchive, end: 'zip', icon: BracesIcon, onSelect: () => void saveArchive(crawl, 'json') },
            { label: t.markdownArchive, end: 'zip', icon: FileIcon, onSelect: () => void saveArchive(crawl, 'markdown') },
            { label: t.llmsTxtAndLlmsFullTxt, end: 'zip', icon: FileIcon, onSelect: () => void saveArchive(crawl, 'llms') },
            {
              label: t.sitemapFile,
              end: crawl.sitemap === null ? t.none : 'json',
              icon: SitemapIcon,
              disabled: crawl.sitemap === null,
              onSelect: () => crawl.sitemap !== null && saveLink(`${crawl.sitemap}&download=true`),
            },
          ],
        },
        {
          title: t.tables,
          items: [
            { label: t.results, end: 'csv', icon: ListIcon, onSelect: () => void saveExport(crawl, 'results', 'csv') },
            { label: t.results, end: 'jsonl', icon: BracesIcon, onSelect: () => void saveExport(crawl, 'results', 'jsonl') },
            { label: t.allURLs, end: 'csv', icon: ListIcon, onSelect: () => void saveExport(crawl, 'urls', 'csv') },
            { label: t.allURLs, end: 'jsonl', icon: BracesIcon, onSelect: () => void saveExport(crawl, 'urls', 'jsonl') },
          ],
        },
      ]}
      trigger={(props) =>
        look === 'icon' ? (
          <IconButton {...props} label={t.download} icon={DownloadIcon} />
        ) : (
          <Button {...props} size={size} icon={DownloadIcon}>
            <span className="inline-flex items-center gap-2">
              <span className={cx(size === 'small' && 'max-sm:sr-only')}>{t.download}</span>
              <ChevronDownIcon className="text-faint" />
            </span>
          </Button>
        )
      }
    />
  )
}

/** The archive may be larger than a tab's memory, so the browser itself downloads it from a signed link. */
export async function saveArchive({ options, uuid: runId }: Downloadable, format: 'json' | 'markdown' | 'llms'): Promise<void> {
  const id = `download-${runId}`
  toast.loading(t.preparingTheFile, id)
  try {
    const { link } = await call(linkArchive, {
      params: { id: runId },
      query: { output_format: format, ...(hasFiles(options) && { attachments: true }) },
    })
    saveLink(link)
    toast.success(t.theDownloadHasBegun, id)
  } catch (cause) {
    toast.error(cause instanceof ApiError ? cause.message : t.theDownloadFailed, id)
  }
}

/** Downloaded from a signed link, like the archive. */
async function saveExport({ uuid }: Downloadable, content: 'results' | 'urls', format: 'csv' | 'jsonl'): Promise<void> {
  try {
    const { link } = await call(linkExport, { params: { id: uuid }, query: { content, file_format: format } })
    saveLink(link)
  } catch (cause) {
    toast.error(cause instanceof ApiError ? cause.message : t.theDownloadFailed)
  }
}

/** Whether the archive contains screenshots and PDFs. */
const hasFiles = ({ page_options: { actions } }: Downloadable['options']): boolean => Array.isArray(actions) && actions.length > 0
