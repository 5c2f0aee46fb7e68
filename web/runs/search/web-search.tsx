/** The web search: a query, its options, code samples, and live results. */
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { createSearch, listSearches } from '#contract/searches.ts'
import type { SearchRequest } from '#contract/searches.ts'
import { useAction } from '#web/api/hooks.ts'
import { FormDifferences } from '#web/runs/shared/form-differences.tsx'
import { lastFault } from '#web/runs/shared/last-fault.ts'
import {
  HeadedResults,
  LiveResults,
  NotStarted,
  PlaygroundForm,
  PlaygroundTabs,
  StartButton,
  TargetBox,
  useRunHere,
} from '#web/runs/shared/playground.tsx'
import { TargetField } from '#web/runs/shared/target-field.tsx'
import { isAbout, useStart } from '#web/runs/shared/use-start.ts'
import { Button } from '#web/ui/form/button.tsx'
import { DownloadIcon, SearchIcon, StopIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/search.ts'
import { saveResults } from './save-results.ts'
import { DEFAULT_FORM, differences, formOf, limitFault, queryFault, requestBody } from './search-form.ts'
import type { SearchForm } from './search-form.ts'
import { SearchOptionsForm } from './search-options-form.tsx'
import { SearchResults } from './search-results.tsx'
import { SEARCH_SAMPLE } from './search-sample.ts'
import { SEARCH, useSearchProgress } from './use-search.ts'

type Tab = 'options' | 'code' | 'results'

const START = { start: t.startSearch, starting: t.searching }

export type WebSearchProps = {
  form: SearchForm
  onChange: (form: SearchForm) => void
  /** The search in the URL: started here, or opened again. */
  started: SearchRequest | null
  onStart: (search: SearchRequest) => void
  /** Above the query. */
  head: ReactNode
}

export function WebSearch({ form, onChange, started, onStart, head }: WebSearchProps) {
  const [tab, setTab] = useState<Tab>(started === null ? 'options' : 'results')
  const { busy, edited, error, reason, refused, start } = useStart(useAction(createSearch, { refreshes: [listSearches] }), 'query')
  const progress = useSearchProgress(started?.uuid ?? null)
  const search = progress.job ?? started
  const here = useRunHere(SEARCH, search)
  const changed = differences(form)
  const isOptionWrong = limitFault(form.result_limit) !== undefined || (refused !== null && !isAbout(refused, 'query'))

  // The URL may contain only the search's id: then the form is filled from the search.
  const bare = useRef(started !== null && form.query === '' ? formOf(started) : null)
  useEffect(() => {
    if (bare.current) onChange(bare.current)
    bare.current = null
  }, [onChange])

  const change = (changes: Partial<SearchForm>) => {
    onChange({ ...form, ...changes })
    edited()
  }
  const submit = async () => {
    if (busy || here.running) return
    const outcome = await start(requestBody(form), {
      missing: form.query.trim() === '' ? t.pleaseEnterASearchQuery : undefined,
      target: queryFault(form.query),
      option: limitFault(form.result_limit),
    })
    if ('wrong' in outcome) {
      if (outcome.wrong === 'options') setTab('options')
      return
    }
    onStart(outcome.run)
    setTab('results')
  }

  return (
    <PlaygroundForm base={SEARCH} here={here} texts={START} busy={busy} onSubmit={() => void submit()}>
      <TargetBox label={t.search}>
        {head}
        <TargetField
          label={t.searchQuery}
          kind="words"
          icon={SearchIcon}
          placeholder={t.enterYourSearchQuery}
          value={form.query}
          onChange={(query) => change({ query })}
          error={error}
          button={
            here.running ? (
              <Button
                look="danger"
                size="large"
                icon={StopIcon}
                busy={here.canceling}
                busyLabel={t.canceling}
                className="max-sm:hidden"
                onClick={here.cancel}
              >
                {SEARCH.words.cancel}
              </Button>
            ) : (
              <StartButton texts={START} busy={busy} />
            )
          }
        />
        <FormDifferences
          changed={changed.map((words) => ({ id: words, words }))}
          untouched={t.defaultOptionsAnyLanguageCountryAnd(DEFAULT_FORM.result_limit)}
          onReset={() => change({ ...DEFAULT_FORM, query: form.query })}
        />
      </TargetBox>
      <NotStarted noun={SEARCH.noun} reason={reason} />
      <PlaygroundTabs
        name="search"
        label={t.search}
        value={tab}
        onChange={setTab}
        options={[
          {
            id: 'options',
            label: t.searchOptions,
            count: changed.length,
            ...(isOptionWrong && { warning: t.aFieldIsWrong }),
            content: <SearchOptionsForm form={form} onChange={change} error={refused} />,
          },
        ]}
        body={form.query.trim() === '' ? null : requestBody(form)}
        sample={SEARCH_SAMPLE}
        noSample={t.enterASearchQueryAndConfigure}
        count={search?.number_of_documents ?? 0}
        results={
          <LiveResults
            base={SEARCH}
            run={search}
            progress={progress}
            running={here.running}
            before={{ title: t.noSearchYet, text: t.enterAQueryAndStartThe }}
          >
            {(run) => (
              <HeadedResults run={run} title={run.query}>
                <SearchResults
                  key={run.uuid}
                  search={run}
                  reason={lastFault(progress.feed)}
                  actions={
                    <Button size="small" icon={DownloadIcon} onClick={() => void saveResults(run.uuid)}>
                      {t.downloadResults}
                    </Button>
                  }
                />
              </HeadedResults>
            )}
          </LiveResults>
        }
      />
    </PlaygroundForm>
  )
}
