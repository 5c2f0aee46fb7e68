/** Downloads of a crawl: all pages as an archive, in three formats, and the sitemap file. */
import { linkArchive, linkExport } from '#contract/crawls.ts'
import type { CrawlRequest } from '#contract/crawls.ts'
import { call } from '#web/api/client.ts'
import { DownloadTrigger } from '#web/runs/shared/download-trigger.tsx'
import { saveLink } from '#web/runs/shared/save-file.ts'
import { downloadFault, saving } from '#web/runs/shared/saving.ts'
import { BracesIcon, FileIcon, ListIcon, SitemapIcon } from '#web/ui/icons.tsx'
import { Menu } from '#web/ui/dialog/menu.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/downloads.ts'

export type Downloadable = Pick<CrawlRequest, 'uuid' | 'sitemap' | 'options'>

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
      trigger={(props) => <DownloadTrigger {...props} look={look} size={size} />}
    />
  )
}

/** The archive may be larger than a tab's memory, so the browser itself downloads it from a signed link. */
export const saveArchive = ({ options, uuid: id }: Downloadable, format: 'json' | 'markdown' | 'llms'): Promise<void> =>
  saving(id, async () => {
    const query = { output_format: format, ...(hasFiles(options) && { attachments: true }) }
    saveLink((await call(linkArchive, { params: { id }, query })).link)
  })

/** Downloaded from a signed link, like the archive. */
async function saveExport({ uuid }: Downloadable, content: 'results' | 'urls', format: 'csv' | 'jsonl'): Promise<void> {
  try {
    const { link } = await call(linkExport, { params: { id: uuid }, query: { content, file_format: format } })
    saveLink(link)
  } catch (cause) {
    toast.error(downloadFault(cause))
  }
}

/** Whether the archive contains screenshots and PDFs. */
const hasFiles = ({ page_options: { actions } }: Downloadable['options']): boolean => Array.isArray(actions) && actions.length > 0
