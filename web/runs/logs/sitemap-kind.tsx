/** Sitemaps in the log and the details. */
import { deleteSitemaps, getSitemap, listSitemaps } from '#contract/sitemaps.ts'
import type { SitemapRequest } from '#contract/sitemaps.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { saveList } from '#web/runs/sitemap/sitemap-downloads.tsx'
import { SitemapRowActions } from '#web/runs/sitemap/sitemap-row-actions.tsx'
import { SITEMAP } from '#web/runs/sitemap/use-sitemap.ts'
import * as t from '#texts/kinds.ts'
import { Name, countColumn, nameColumn } from './columns.tsx'
import { listQuery, liveList, liveRun } from './run-kind.ts'
import type { RunKind } from './run-kind.ts'

export const sitemapKind: RunKind<SitemapRequest> = {
  base: SITEMAP,
  words: {
    title: t.sitemapHistory,
    description: t.everySitemapThatThisTeamHas,
    begin: t.newSitemap,
    empty: t.noSitemapsYet,
    emptySays: t.sitemapsOfThisTeamGatherHere,
    textFilter: t.urlContains,
    back: t.backToTheSitemapLogs,
  },
  columns: [
    nameColumn({ key: 'url', head: t.url, cell: ({ url }) => <Name whole={url}>{url.replace(/^https?:\/\//i, '')}</Name> }),
    countColumn(t.urlsWord),
  ],
  types: [],
  useList: (query) => useEndpoint(listSitemaps, { query: { ...listQuery(query), url__contains: query.text || undefined } }, liveList()),
  useRun: (id) => useEndpoint(getSitemap, { params: { id } }, liveRun()),
  nameOf: ({ url }) => url,
  RowActions: SitemapRowActions,
  deletion: { holds: t.itsListOfURLs, many: deleteSitemaps },
  download: saveList,
}
