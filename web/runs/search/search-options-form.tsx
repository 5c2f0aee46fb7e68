/** Options of a web search: language, country, time range, number of results and depth. */
import { DEFAULT_RESULT_LIMIT, MAX_RESULT_LIMIT, TIME_RANGES } from '#contract/searches.ts'
import { getSettings } from '#contract/settings.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import type { Form } from '#web/api/use-form.ts'
import { OptionSection } from '#web/ui/card.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { NumberField, SelectField } from '#web/ui/form/field.tsx'
import { SearchSelect } from '#web/ui/form/search-select.tsx'
import * as t from '#texts/search.ts'
import { DepthChoice } from './depth-choice.tsx'
import { COUNTRY_CHOICES, LANGUAGE_CHOICES } from './locales.ts'
import { TIME_RANGE_WORDS, mostCredits } from './search-form.ts'
import type { SearchForm } from './search-form.ts'

export function SearchOptionsForm({ form: { field, values } }: { form: Form<SearchForm> }) {
  const { data: settings } = useEndpoint(getSettings)
  return (
    <div>
      <OptionSection title={t.whereToLook} description={t.resultsInALanguageAndAs}>
        <div className="grid gap-4 sm:grid-cols-2">
          <SearchSelect label={t.language} none={t.any} options={LANGUAGE_CHOICES} {...field('language')} />
          <SearchSelect label={t.country} none={t.any} options={COUNTRY_CHOICES} {...field('country')} />
        </div>
      </OptionSection>
      <OptionSection title={t.howMuch} description={t.howNewThePagesAreAnd}>
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={t.timeRange}
            {...field('time_range')}
            options={TIME_RANGES.map((value) => ({ value, label: TIME_RANGE_WORDS[value] }))}
          />
          <NumberField
            label={t.numberOfResults}
            hint={t.n1ToEmptyIs(MAX_RESULT_LIMIT, DEFAULT_RESULT_LIMIT)}
            placeholder={String(DEFAULT_RESULT_LIMIT)}
            {...field('result_limit')}
          />
        </div>
      </OptionSection>
      <OptionSection title={t.howDeep} description={t.detailOfEachResult}>
        <div className="grid gap-4">
          <DepthChoice {...field('depth')} canRender={settings?.is_rendering_configured !== false} />
          {settings?.is_enterprise_mode_active && <Cost form={values} />}
        </div>
      </OptionSection>
    </div>
  )
}

function Cost({ form }: { form: SearchForm }) {
  const most = mostCredits(form)
  return <Notice title={most === null ? t.whatASearchCosts : t.thisSearchCostsAtMost(t.credits(most))}>{t.basic1CreditPer5Results}</Notice>
}
