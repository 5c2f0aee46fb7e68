/** The search of the web: a query, its options, the same as a program, and what came of it, live. */
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { isTerminal } from '#contract/runs.ts'
import { createSearch, listSearches } from '#contract/searches.ts'
import type { SearchRequest } from '#contract/searches.ts'
import { fieldError } from '#web/api/field-error.ts'
import { useAction } from '#web/api/hooks.ts'
import { pathTo } from '#web/navigation.ts'
import { CodeSamplesPanel } from '#web/runs/shared/code-samples-panel.tsx'
import { FormDifferences } from '#web/runs/shared/form-differences.tsx'
import { lastFault } from '#web/runs/shared/last-fault.ts'
import { LiveAside } from '#web/runs/shared/live-aside.tsx'
import { BottomAction } from '#web/runs/shared/run-bar.tsx'
import { TargetField } from '#web/runs/shared/target-field.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState, Notice } from '#web/ui/feedback/feedback.tsx'
import { DownloadIcon, SearchIcon, StopIcon } from '#web/ui/icons.tsx'
import { StatusBadge } from '#web/ui/feedback/status-badge.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { Duration } from '#web/ui/text/time.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { saveResults } from './save-results.ts'
import { DEFAULT_FORM, differences, formOf, limitFault, queryFault, requestBody } from './search-form.ts'
import type { SearchForm } from './search-form.ts'
import { SearchOptionsForm } from './search-options-form.tsx'
import { SearchResults } from './search-results.tsx'
import { SEARCH_SAMPLE } from './search-sample.ts'
import { useSearchProgress, useStopSearch } from './use-search.ts'

type Tab = 'options' | 'code' | 'results'

export type WebSearchProps = {
  form: SearchForm
  onChange: (form: SearchForm) => void
  /** The search of the address: started here, or come back to. */
  started: SearchRequest | null
  onStart: (search: SearchRequest) => void
  /** Above the query. */
  head: ReactNode
}

export function WebSearch({ form, onChange, started, onStart, head }: WebSearchProps) {
  const [fault, setFault] = useState<string | undefined>()
  const [tab, setTab] = useState<Tab>(started === null ? 'options' : 'results')
  const creating = useAction(createSearch, { refreshes: [listSearches] })
  const stopping = useStopSearch()
  const progress = useSearchProgress(started?.uuid ?? null)
  const search = progress.job ?? started
  const running = search !== null && !isTerminal(search.status)
  const changed = differences(form)
  const error = fault ?? fieldError(creating.error, 'query')
  const errors: unknown = creating.error?.body.errors
  const isOptionWrong =
    limitFault(form.result_limit) !== undefined || (typeof errors === 'object' && errors !== null && !('query' in errors))

  // An address may name the search alone: then the form shows what was asked.
  const bare = useRef(started !== null && form.query === '' ? formOf(started) : null)
  useEffect(() => {
    if (bare.current) onChange(bare.current)
    bare.current = null
  }, [onChange])

  const change = (changes: Partial<SearchForm>) => {
    onChange({ ...form, ...changes })
    setFault(undefined)
    if (creating.error) creating.reset()
  }
  const start = async () => {
    if (creating.busy || running) return
    if (form.query.trim() === '') {
      toast.error('Please enter a search query')
      return
    }
    const wrong = queryFault(form.query)
    setFault(wrong)
    if (limitFault(form.result_limit)) setTab('options')
    if (wrong || limitFault(form.result_limit)) return
    const outcome = await creating.run({ body: requestBody(form) })
    if (!outcome.ok) {
      toast.error(outcome.error.message)
      const refused: unknown = outcome.error.body.errors
      if (typeof refused === 'object' && refused !== null && !('query' in refused)) setTab('options')
      return
    }
    onStart(outcome.answer)
    setTab('results')
  }
  const cancel = () => search && void stopping.stop(search.uuid)
  const canceling = stopping.busy || search?.status === 'canceling'

  return (
    <form
      noValidate
      className="grid grid-cols-[minmax(0,1fr)] gap-4 pb-20 sm:gap-6 sm:pb-0"
      onSubmit={(event) => {
        event.preventDefault()
        void start()
      }}
    >
      <section
        aria-label="Search"
        className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 rounded-dialog border border-line bg-surface p-4 sm:p-5"
      >
        {head}
        <TargetField
          label="Search query"
          kind="words"
          icon={SearchIcon}
          placeholder="Enter your search query…"
          value={form.query}
          onChange={(query) => change({ query })}
          error={error}
          button={
            running ? (
              <Button
                look="danger"
                size="large"
                icon={StopIcon}
                busy={canceling}
                busyLabel="Canceling…"
                className="max-sm:hidden"
                onClick={cancel}
              >
                Cancel Search
              </Button>
            ) : (
              <Button type="submit" look="primary" size="large" busy={creating.busy} busyLabel="Searching…" className="max-sm:hidden">
                Start Search
              </Button>
            )
          }
        />
        <FormDifferences
          changed={changed.map((words) => ({ id: words, words }))}
          untouched={`Default options: any language, country and time, ${DEFAULT_FORM.result_limit} results.`}
          onReset={() => change({ ...DEFAULT_FORM, query: form.query })}
        />
      </section>
      {creating.error && !error && (
        <Notice tone="danger" role="alert" title="The search was not started">
          {creating.error.message}
        </Notice>
      )}
      <div className="grid min-w-0 gap-4 sm:gap-6">
        <Tabs
          name="search"
          label="Search"
          tabs={[
            { id: 'options', label: 'Search Options', count: changed.length, ...(isOptionWrong && { warning: 'a field is wrong' }) },
            { id: 'code', label: 'API Documentation' },
            { id: 'results', label: 'Results', count: search?.number_of_documents ?? 0 },
          ]}
          value={tab}
          onChange={setTab}
        />
        <TabPanel name="search" id="options" value={tab}>
          <SearchOptionsForm form={form} onChange={change} error={creating.error} />
        </TabPanel>
        <TabPanel name="search" id="code" value={tab}>
          <CodeSamplesPanel
            body={form.query.trim() === '' ? null : requestBody(form)}
            kind={SEARCH_SAMPLE}
            empty="Enter a search query and configure options to see the API request example."
          />
        </TabPanel>
        <TabPanel name="search" id="results" value={tab}>
          {search === null ? (
            <EmptyState title="No search yet">Enter a query and start the search; its results appear here.</EmptyState>
          ) : (
            <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_336px]">
              <div className="grid min-w-0 gap-4">
                <div className="flex flex-wrap items-center gap-3">
                  <p className="min-w-0 flex-1 truncate font-medium" title={search.query}>
                    {search.query}
                  </p>
                  <StatusBadge status={search.status} />
                  <span className="num text-table text-soft">
                    <Duration duration={search.duration} since={running ? search.created_at : null} />
                  </span>
                </div>
                <SearchResults
                  key={search.uuid}
                  search={search}
                  reason={lastFault(progress.feed)}
                  actions={
                    <Button size="small" icon={DownloadIcon} onClick={() => void saveResults(search.uuid)}>
                      Download Results
                    </Button>
                  }
                />
              </div>
              <LiveAside
                key={search.uuid}
                progress={progress}
                running={running}
                details={pathTo('searchDetails', { id: search.uuid })}
                empty="The engine has said nothing yet."
              />
            </div>
          )}
        </TabPanel>
      </div>
      <BottomAction
        running={running}
        start={
          <Button type="submit" look="primary" size="large" block busy={creating.busy} busyLabel="Searching…">
            Start Search
          </Button>
        }
        cancel="Cancel Search"
        onCancel={cancel}
        busy={canceling}
      />
    </form>
  )
}
