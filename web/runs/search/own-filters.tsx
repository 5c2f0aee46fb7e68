/** Filters of the search in own pages: site, crawl, language and age. */
import { listCrawls } from '#contract/crawls.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { crawlName } from '#web/runs/crawl/page-texts.ts'
import { Button } from '#web/ui/form/button.tsx'
import { SelectField } from '#web/ui/form/field.tsx'
import type { ListChoice } from '#web/ui/form/filter-choices.ts'
import { CloseIcon, CrawlIcon, GlobeIcon, LanguageIcon, ScheduleIcon } from '#web/ui/icons.tsx'
import { SearchSelect } from '#web/ui/form/search-select.tsx'
import { exactTime, numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/own-search.ts'
import { LANGUAGE_CHOICES } from './locales.ts'
import { STORED_RANGES, STORED_WORDS, hostsOf, isFiltered, siteOf } from './own-query.ts'
import type { OwnQuery } from './own-query.ts'

/** How many crawls the list offers: the newest ones. An older one can be chosen by its URL. */
const MOST_CRAWLS = 100

const NO_FILTERS = { site: '', crawl: '', language: '', stored: 'any' } as const

const otherSite = (typed: string): ListChoice | null => {
  const site = siteOf(typed)
  return site === null ? null : { value: site, label: site, category: t.asWrittenWithItsSubdomains }
}

export function OwnFilters({ query, onChange }: { query: OwnQuery; onChange: (changes: Partial<OwnQuery>) => void }) {
  const { data } = useEndpoint(listCrawls, { query: { page_size: MOST_CRAWLS } }, { revalidateIfStale: false })
  const crawls = (data?.results ?? []).filter(({ number_of_documents: pages }) => pages > 0)
  const sites = hostsOf(crawls.flatMap(({ url, urls }) => [...(url === null ? [] : [url]), ...urls.slice(0, MOST_CRAWLS)]))
  return (
    <div
      role="group"
      aria-label={t.filters}
      className="relative -m-1 flex min-w-0 gap-2 overflow-x-auto p-1 [scrollbar-width:none] sm:flex-wrap"
    >
      <SearchSelect
        className="w-48 flex-none"
        label={t.site}
        hideLabel
        size="small"
        icon={GlobeIcon}
        none={t.allSites}
        value={query.site}
        onChange={(site) => onChange({ site })}
        options={sites.map((site) => ({ value: site, label: site }))}
        other={otherSite}
      />
      <SearchSelect
        className="w-48 flex-none"
        label={t.crawl}
        hideLabel
        size="small"
        icon={CrawlIcon}
        none={t.allCrawls}
        value={query.crawl}
        onChange={(crawl) => onChange({ crawl })}
        options={crawls.map((crawl) => {
          const { name, more } = crawlName(crawl)
          return {
            value: crawl.uuid,
            label: more > 0 ? t.more(name, numberText(more)) : name,
            category: t.crawlAndPages(exactTime(crawl.created_at), numberText(crawl.number_of_documents)),
          }
        })}
      />
      <SearchSelect
        className="w-44 flex-none"
        label={t.language}
        hideLabel
        size="small"
        icon={LanguageIcon}
        none={t.anyLanguage}
        value={query.language}
        onChange={(language) => onChange({ language })}
        options={LANGUAGE_CHOICES}
      />
      <SelectField
        className="w-fit flex-none"
        label={t.stored}
        hideLabel
        size="small"
        icon={ScheduleIcon}
        value={query.stored}
        onChange={(stored) => onChange({ stored })}
        options={STORED_RANGES.map((value) => ({ value, label: STORED_WORDS[value] }))}
      />
      {isFiltered(query) && (
        <Button look="quiet" size="small" icon={CloseIcon} className="h-8 flex-none" onClick={() => onChange(NO_FILTERS)}>
          {t.clear}
        </Button>
      )}
    </div>
  )
}
