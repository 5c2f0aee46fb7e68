/** A stored page with the searched words highlighted, and buttons to step through the matches. */
import { useState } from 'react'
import { Link } from 'wouter'
import { getResult } from '#contract/crawls.ts'
import type { CrawlResult } from '#contract/crawls.ts'
import type { OwnPageHit } from '#contract/own-pages.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { PageDocument } from '#web/runs/crawl/page-document.tsx'
import { pathTo } from '#web/navigation.ts'
import { cx } from '#web/ui/cx.ts'
import { IconButton } from '#web/ui/form/button.tsx'
import { ChevronDownIcon } from '#web/ui/icons.tsx'
import type { Icon } from '#web/ui/icons.tsx'
import { RelativeTime } from '#web/ui/text/time.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/own-search.ts'
import { matchPattern } from './match-pattern.ts'
import { useMatches } from './use-matches.ts'

const UpIcon: Icon = ({ className }) => <ChevronDownIcon className={cx('rotate-180', className)} />

export function StoredPage({ hit, query }: { hit: OwnPageHit; query: string }) {
  const { uuid, crawl_uuid: crawlId, url, created_at } = hit
  const args = { params: { id: crawlId, resultId: uuid }, query: { prefetched: true } }
  const { data } = useEndpoint(getResult, args, { revalidateIfStale: false, revalidateOnReconnect: false })
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const matches = useMatches(place, matchPattern(query, [...hit.title, ...hit.snippet]))
  // Until the page arrives, show the hit's data.
  const row = (data as CrawlResult | undefined) ?? {
    uuid,
    url,
    title: hit.title.map(({ text }) => text).join('') || null,
    result: '',
    attachments: [],
    created_at,
    updated_at: created_at,
  }
  return (
    <div ref={setPlace} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <p className="flex-none border-b border-line px-4 py-2 text-label text-faint sm:px-5">
        {t.storedBy(
          <RelativeTime iso={created_at} />,
          <Link href={pathTo('crawlDetails', { requestId: crawlId })} className="link">
            {t.thisCrawl}
          </Link>,
          !hit.is_newest && t.aLaterCrawl,
        )}
      </p>
      <PageDocument
        runId={crawlId}
        row={row}
        actions={
          matches.count > 0 && (
            <span className="flex flex-none items-center">
              <IconButton label={t.previousMatch} icon={UpIcon} onClick={() => matches.step(-1)} />
              <span className="num text-label whitespace-nowrap text-soft" aria-live="polite">
                {t.matchOfAll(numberText(matches.at + 1), numberText(matches.count))}
              </span>
              <IconButton label={t.nextMatch} icon={ChevronDownIcon} onClick={() => matches.step(1)} />
            </span>
          )
        }
      />
    </div>
  )
}
