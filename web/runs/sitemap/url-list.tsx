/** A long list of URLs, filtered while typing. Renders only visible rows. The user can select URLs to copy or to crawl. */
import { useDeferredValue, useMemo, useState } from 'react'
import { VList } from 'virtua'
import { MAX_BATCH_URLS } from '#contract/crawls.ts'
import { handOverBatch } from '#web/runs/shared/batch-hand-over.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Tick } from '#web/ui/form/choice.tsx'
import { EmptyState } from '#web/ui/feedback/feedback.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { CopyIcon, CrawlIcon, SearchIcon } from '#web/ui/icons.tsx'
import { OutsideLink } from '#web/ui/outside-link.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { useCopy } from '#web/ui/hooks/use-copy.ts'
import * as t from '#texts/sitemap.ts'
import { matchingUrls } from './matching-urls.ts'

export function UrlList({ urls }: { urls: readonly string[] }) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const wanted = useDeferredValue(text)
  const shown = useMemo(() => matchingUrls(urls, wanted), [urls, wanted])
  const { copy, copied } = useCopy()
  const taken = chosen.size > 0 ? urls.filter((url) => chosen.has(url)) : shown
  const toggle = (url: string, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(url)
    else next.delete(url)
    setChosen(next)
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <TextField
          className="min-w-40 flex-1 max-sm:basis-full"
          label={t.filterTheUrls}
          hideLabel
          placeholder={t.filter(t.urlCount(urls.length))}
          size="small"
          type="search"
          icon={SearchIcon}
          value={text}
          onChange={setText}
        />
        <Button
          size="small"
          className="h-8 max-sm:flex-1"
          icon={CopyIcon}
          disabled={taken.length === 0}
          onClick={() =>
            void copy(taken.join('\n')).then((done) =>
              done ? toast.success(t.copiedCount(t.urlCount(taken.length))) : toast.error(t.theBrowserRefusedToCopy),
            )
          }
        >
          {copied === null ? t.copy : t.copied}
        </Button>
        <Button
          size="small"
          className="h-8 max-sm:flex-1"
          icon={CrawlIcon}
          disabled={taken.length === 0 || taken.length > MAX_BATCH_URLS}
          title={taken.length > MAX_BATCH_URLS ? t.aBatchTakesAtMostUrls(numberText(MAX_BATCH_URLS)) : undefined}
          onClick={() => handOverBatch([...taken])}
        >
          {t.crawlThese}
        </Button>
      </div>
      {shown.length === 0 ? (
        <EmptyState
          net="plain"
          title={t.nothingMatchesTheFilter}
          action={<Button onClick={() => setText('')}>{t.clearTheFilter}</Button>}
        />
      ) : (
        <div role="group" aria-label={t.urls} className="min-h-0 flex-1">
          <VList className="h-full" tabIndex={0}>
            {shown.map((url) => (
              <div key={url} className="flex h-8 min-w-0 items-center gap-2.5 rounded-small px-2 text-table hover:bg-hover">
                <Tick aria-label={url} checked={chosen.has(url)} onChange={(isChosen) => toggle(url, isChosen)} />
                <span className="min-w-0 truncate">
                  <OutsideLink url={url} />
                </span>
              </div>
            ))}
          </VList>
        </div>
      )}
      <p className="num flex-none text-label text-faint" aria-live="polite">
        {chosen.size > 0
          ? t.ofChosen(numberText(chosen.size), numberText(urls.length))
          : shown.length === urls.length
            ? `${t.urlCount(urls.length)}.`
            : t.ofShown(numberText(shown.length), numberText(urls.length))}{' '}
        {chosen.size > 0 && (
          <button type="button" className="link" onClick={() => setChosen(new Set())}>
            {t.chooseNone}
          </button>
        )}
      </p>
    </div>
  )
}
