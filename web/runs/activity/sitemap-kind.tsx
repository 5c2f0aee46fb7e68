/** Sitemaps in the log and the details. */
import { deleteSitemaps, getSitemap, listSitemaps } from '#contract/sitemaps.ts'
import type { SitemapRequest } from '#contract/sitemaps.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { SitemapDetails } from '#web/runs/sitemap/sitemap-details.tsx'
import { saveList } from '#web/runs/sitemap/sitemap-downloads.tsx'
import { SitemapRowActions } from '#web/runs/sitemap/sitemap-row-actions.tsx'
import { SITEMAP } from '#web/runs/sitemap/use-sitemap.ts'
import { Name, countColumn, nameColumn } from './columns.tsx'
import { listQuery, liveList, liveRun } from './run-kind.ts'
import type { RunKind } from './run-kind.ts'

export const sitemapKind: RunKind<SitemapRequest> = {
  base: SITEMAP,
  words: {
    title: 'Sitemap History',
    description: 'Every sitemap that this team has made, newest first.',
    begin: 'New sitemap',
    empty: 'No sitemaps yet',
    emptySays: 'Sitemaps of this team gather here: every address of a site, as a list, a tree and a file.',
    textFilter: 'URL contains',
    back: 'Back to the sitemap logs',
  },
  columns: [
    nameColumn({ key: 'url', head: 'URL', cell: ({ url }) => <Name whole={url}>{url.replace(/^https?:\/\//i, '')}</Name> }),
    countColumn('URL'),
  ],
  types: [],
  useList: (query) => useEndpoint(listSitemaps, { query: { ...listQuery(query), url__contains: query.text || undefined } }, liveList()),
  useRun: (id) => useEndpoint(getSitemap, { params: { id } }, liveRun()),
  nameOf: ({ url }) => url,
  RowActions: SitemapRowActions,
  deletion: { holds: 'its list of URLs', many: deleteSitemaps },
  download: saveList,
  Details: SitemapDetails,
}
