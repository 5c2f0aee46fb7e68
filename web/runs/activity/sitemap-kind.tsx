/** Sitemaps in the log and the details. */
import { deleteSitemaps, getSitemap, listSitemaps } from '#contract/sitemaps.ts'
import type { SitemapRequest } from '#contract/sitemaps.ts'
import { getUsage, usageHistory } from '#contract/usage.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { SITEMAP_RERUN } from '#web/runs/sitemap/sitemap-rerun.ts'
import { SitemapDetails } from '#web/runs/sitemap/sitemap-details.tsx'
import { saveList } from '#web/runs/sitemap/sitemap-downloads.tsx'
import { SitemapRowActions } from '#web/runs/sitemap/sitemap-row-actions.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import { listQuery, live } from './run-kind.ts'
import type { RunKind } from './run-kind.ts'

export const sitemapKind: RunKind<SitemapRequest> = {
  words: {
    title: 'Sitemap History',
    description: 'Every sitemap that this team has made, newest first.',
    noun: 'sitemap',
    nouns: 'sitemaps',
    begin: 'New sitemap',
    empty: 'No sitemaps yet',
    emptySays: 'Sitemaps of this team gather here: every address of a site, as a list, a tree and a file.',
    textFilter: 'URL contains',
    back: 'Back to the sitemap logs',
    notFound: 'Sitemap request not found',
  },
  paths: { begin: 'sitemap', log: 'sitemapLogs', details: 'sitemapDetails', parameter: 'id' },
  columns: [
    {
      key: 'url',
      head: 'URL',
      sort: 'label',
      wide: true,
      card: 'main',
      cell: ({ url }) => (
        <span className="font-medium" title={url}>
          {url.replace(/^https?:\/\//i, '')}
        </span>
      ),
    },
    {
      key: 'results',
      head: 'Results',
      sort: 'number_of_documents',
      align: 'right',
      card: 'bottomLeft',
      cell: ({ status, number_of_documents: count }) => (
        <span className="num">
          {status === 'new' ? '–' : numberText(count)}
          <span className="sm:hidden">{count === 1 ? ' URL' : ' URLs'}</span>
        </span>
      ),
    },
  ],
  types: [],
  useList: (query) =>
    useEndpoint(
      listSitemaps,
      { query: { ...listQuery(query), url__contains: query.text || undefined } },
      { keepPreviousData: true, refreshInterval: (answer) => live(answer?.results ?? []) },
    ),
  get: getSitemap,
  useRun: (id) => useEndpoint(getSitemap, { params: { id } }, { refreshInterval: (run) => (run ? live([run]) : 0) }),
  nameOf: ({ url }) => url,
  RowActions: SitemapRowActions,
  deletion: {
    noun: 'sitemap',
    nouns: 'sitemaps',
    holds: 'its list of URLs',
    many: deleteSitemaps,
    refreshes: [listSitemaps, getUsage, usageHistory],
  },
  rerun: SITEMAP_RERUN,
  download: saveList,
  Details: SitemapDetails,
}
