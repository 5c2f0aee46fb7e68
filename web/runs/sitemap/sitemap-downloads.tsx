/** Downloads of a sitemap: the list, Markdown, the tree, and the file for search engines. */
import { sitemapGraph, sitemapMarkdown, sitemapXml } from '#contract/sitemaps.ts'
import type { SitemapRequest } from '#contract/sitemaps.ts'
import { ApiError, call, open } from '#web/api/client.ts'
import { DownloadTrigger } from '#web/runs/shared/download-trigger.tsx'
import { saveFile } from '#web/runs/shared/save-file.ts'
import { saving } from '#web/runs/shared/saving.ts'
import { BracesIcon, FileIcon, GlobeIcon, SitemapIcon } from '#web/ui/icons.tsx'
import { Menu } from '#web/ui/dialog/menu.tsx'
import * as t from '#texts/sitemap.ts'

/** `look: 'icon'` is for a row of a table. */
export function SitemapDownloads({
  sitemap,
  look,
  size = 'normal',
}: {
  sitemap: SitemapRequest
  look: 'button' | 'icon'
  size?: 'small' | 'normal'
}) {
  const { uuid: id, result } = sitemap
  const args = { params: { id } }
  const disabled = result === null
  return (
    <Menu
      sections={[
        {
          items: [
            {
              label: t.urlList,
              end: 'json',
              icon: BracesIcon,
              disabled,
              onSelect: () => void saving(id, async () => saveFile(`sitemap-${id}.json`, await listOf(result))),
            },
            {
              label: t.markdown,
              end: 'md',
              icon: FileIcon,
              disabled,
              onSelect: () => void saving(id, async () => saveFile(`sitemap-${id}.md`, await call(sitemapMarkdown, args), 'text/markdown')),
            },
            {
              label: t.siteGraph,
              end: 'json',
              icon: SitemapIcon,
              disabled,
              onSelect: () =>
                void saving(id, async () => saveFile(`sitemap-graph-${id}.json`, await (await open(sitemapGraph, args)).blob())),
            },
            {
              label: t.sitemapFile,
              end: 'xml',
              icon: GlobeIcon,
              disabled,
              onSelect: () => void saving(id, async () => saveFile('sitemap.xml', await (await open(sitemapXml, args)).blob())),
            },
          ],
        },
      ]}
      trigger={(props) => <DownloadTrigger {...props} look={look} size={size} />}
    />
  )
}

/** The list of URLs as a file. */
export const saveList = ({ uuid: id, result }: SitemapRequest): Promise<void> =>
  saving(id, async () => saveFile(`sitemap-${id}.json`, await listOf(result)))

/** The list of URLs: embedded, or behind a signed link, which needs no headers. */
async function listOf(result: SitemapRequest['result']): Promise<Blob | string> {
  if (typeof result !== 'string') return JSON.stringify(result ?? [])
  const response = await fetch(result)
  if (!response.ok)
    throw new ApiError(response.status, { code: response.status, errors: null, message: t.theListCouldNotBeRead(response.status) })
  return response.blob()
}
