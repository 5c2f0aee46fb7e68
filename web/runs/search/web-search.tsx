/** The web search: a query, its options, code samples, and live results. */
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { createSearch, listSearches } from '#contract/searches.ts'
import type { SearchRequest } from '#contract/searches.ts'
import { useAction } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import type { FormErrors } from '#web/api/use-form.ts'
import { FormDifferences } from '#web/runs/shared/form-differences.tsx'
import { lastFault } from '#web/runs/shared/last-fault.ts'
import { optionErrors } from '#web/runs/shared/option-error.ts'
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
import type { RunHere } from '#web/runs/shared/playground.tsx'
import { TargetField } from '#web/runs/shared/target-field.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { DownloadIcon, PlayIcon, SearchIcon, StopIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/search.ts'
import { saveResults } from './save-results.ts'
import { DEFAULT_FORM, differences, formOf, limitFault, queryFault, requestBody } from './search-form.ts'
import type { SearchForm } from './search-form.ts'
import { SearchOptionsForm } from './search-options-form.tsx'
import { SearchResults } from './search-results.tsx'
import { SEARCH_SAMPLE } from './search-sample.ts'
import { SEARCH, useSearchProgress } from './use-search.ts'

type Tab = 'options' | 'code' | 'results'

const START = { start: t.startSearch, starting: t.searching, icon: PlayIcon }

export type WebSearchProps = {
  values: SearchForm
  onChange: (values: SearchForm) => void
  /** The search in the URL: started here, or opened again. */
  started: SearchRequest | null
  onStart: (search: SearchRequest) => void
  /** Above the query. */
  head: ReactNode
}

export function WebSearch({ values, onChange, started, onStart, head }: WebSearchProps) {
  const [tab, setTab] = useState<Tab>(started === null ? 'options' : 'results')
  const next = useSearchForm({
    values,
    onChange,
    onError: () => setTab('options'),
    onStart: (search) => {
      onStart(search)
      setTab('results')
    },
  })
  const { busy, changed, form } = next
  const progress = useSearchProgress(started?.uuid ?? null)
  const search = progress.job ?? started
  const here = useRunHere(SEARCH, search)

  // If the URL contains only the search's id, fill the form from the search.
  const bare = useRef(started !== null && values.query === '' ? formOf(started) : null)
  useEffect(() => {
    if (bare.current) onChange(bare.current)
    bare.current = null
  }, [onChange])

  return (
    <PlaygroundForm
      box={form.form}
      base={SEARCH}
      here={here}
      texts={START}
      busy={busy}
      missing={values.query.trim() === '' ? t.pleaseEnterASearchQuery : null}
      onSubmit={next.submit}
    >
      <TargetBox label={t.search}>
        {head}
        <TargetField
          label={t.searchQuery}
          kind="words"
          icon={SearchIcon}
          placeholder={t.enterYourSearchQuery}
          {...form.field('query')}
          button={here.running ? <CancelButton here={here} /> : <StartButton texts={START} busy={busy} />}
        />
        <FormDifferences
          changed={changed.map((words) => ({ id: words, words }))}
          untouched={t.defaultOptionsAnyLanguageCountryAnd(DEFAULT_FORM.result_limit)}
          onReset={() => form.set({ ...DEFAULT_FORM, query: values.query })}
        />
      </TargetBox>
      <NotStarted noun={SEARCH.noun} reason={form.shown('query') === undefined ? form.refusal?.message : undefined} />
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
            ...(isOptionWrong(form.shownErrors) && { warning: t.aFieldIsWrong }),
            content: <SearchOptionsForm form={form} />,
          },
        ]}
        body={values.query.trim() === '' ? null : requestBody(values)}
        sample={SEARCH_SAMPLE}
        noSample={t.enterASearchQueryAndConfigure}
        count={search?.number_of_documents ?? 0}
        results={<Results search={search} progress={progress} running={here.running} />}
      />
    </PlaygroundForm>
  )
}

type SearchFormOptions = Pick<WebSearchProps, 'values' | 'onChange' | 'onStart'> & {
  /** Shows the options, one of which is wrong. */
  onError: () => void
}

/** The form of a new search, and sending it. */
function useSearchForm({ values, onChange, onStart, onError }: SearchFormOptions) {
  const create = useAction(createSearch, { refreshes: [listSearches] })
  const form = useForm<SearchForm>({
    initial: DEFAULT_FORM,
    held: [values, onChange],
    judge: ({ query }) => ({ query: queryFault(query) }),
    atOnce: ({ result_limit }) => ({ result_limit: limitFault(result_limit) }),
    submissions: [create],
    serverErrors: optionErrors('search_options'),
    opens: (wrong) => isOptionWrong(wrong) && onError(),
  })
  const send = async () => {
    const outcome = await create.run({ body: requestBody(values) })
    if (outcome.ok) onStart(outcome.answer)
    else toast.error(outcome.error.message)
  }
  return { form, busy: create.busy, changed: differences(values), submit: () => form.attempt(() => void send()) }
}

/** On a phone it is at the bottom of the screen instead. */
const CancelButton = ({ here }: { here: RunHere }) => (
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
)

type ResultsProps = { search: SearchRequest | null; progress: ReturnType<typeof useSearchProgress>; running: boolean }

function Results({ search, progress, running }: ResultsProps) {
  return (
    <LiveResults run={search} progress={progress} running={running} before={{ title: t.noSearchYet, text: t.enterAQueryAndStartThe }}>
      {(run) => (
        <HeadedResults base={SEARCH} run={run} title={run.query}>
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
  )
}

const isOptionWrong = (errors: FormErrors): boolean => Object.keys(errors).some((name) => name !== 'query')
