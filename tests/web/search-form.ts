import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { MAX_QUERY, createSearch } from '#contract/searches.ts'
import { COUNTRY_CHOICES, LANGUAGE_CHOICES, choicesIn, flagOf } from '#web/runs/search/locales.ts'
import { DEFAULT_FORM, differences, formOf, limitFault, mostCredits, queryFault, requestBody } from '#web/runs/search/search-form.ts'
import type { SearchForm } from '#web/runs/search/search-form.ts'
import { readPlace, withQuery, writePlace } from '#web/runs/search/search-place.ts'
import { filterChoices } from '#web/ui/form/filter-choices.ts'

const search = suite('the form of a search')

const FULL: SearchForm = { query: ' white tea ', language: 'de', country: 'at', time_range: 'week', result_limit: 12, depth: 'advanced' }

search('the server accepts the sent options, and its answer gives the same form', () => {
  const body = requestBody(FULL)
  assert.equal(body, {
    query: 'white tea',
    search_options: { language: 'de', country: 'at', time_range: 'week', search_type: 'web', depth: 'advanced' },
    result_limit: 12,
  })
  for (const form of [FULL, { ...DEFAULT_FORM, query: 'tea' }, { ...FULL, result_limit: null }]) {
    const taken = createSearch.body.parse(requestBody(form))
    assert.equal(formOf(taken), { ...form, query: form.query.trim(), result_limit: form.result_limit ?? 5 })
  }
})

search('the length of a query and the number of results are limited', () => {
  assert.is(queryFault('x'.repeat(MAX_QUERY)), undefined)
  assert.match(queryFault('x'.repeat(MAX_QUERY + 1)) ?? '', /255/)
  for (const limit of [null, 1, 5, 20]) assert.is(limitFault(limit), undefined, String(limit))
  for (const limit of [0, 21, -3, 2.5, Number.NaN]) assert.match(limitFault(limit) ?? '', /1 to 20/, String(limit))
})

search('only differences from the defaults are listed', () => {
  assert.equal(differences(DEFAULT_FORM), [])
  assert.equal(differences({ ...DEFAULT_FORM, result_limit: Number.NaN }), [])
  assert.equal(differences(FULL), ['German', 'Austria', 'Past week', '12 results', 'Advanced'])
})

search('the form shows the largest cost of a search', () => {
  for (const [depth, result_limit, credits] of [
    ['basic', 5, 1],
    ['basic', 6, 2],
    ['basic', null, 1],
    ['advanced', 5, 2],
    ['advanced', 20, 8],
    ['ultimate', 7, 7],
    ['ultimate', 21, null],
  ] as const)
    assert.is(mostCredits({ depth, result_limit }), credits, `${depth} ${result_limit}`)
})

search('source, query and filters are in the URL and are read back', () => {
  for (const [query, again = query] of [
    [''],
    ['q=white+tea'],
    ['q=100%25+%26+more+%C3%A9%F0%9F%8D%B5'],
    ['q=tea&language=de&country=at&time=week&results=12&depth=advanced'],
    ['in=own'],
    ['in=own&q=tea&site=docs.example%2Fguide&crawl=01a1fefd-4ec9-72a2-86e8-7db47456b564&language=en&stored=month'],
    // Invalid values are ignored.
    ['in=elsewhere&q=tea&time=soon&results=99&depth=deepest&language=english', 'q=tea'],
    ['in=own&crawl=01A1FEFD-4EC9-72A2-86E8-7DB47456B564', 'in=own&crawl=01a1fefd-4ec9-72a2-86e8-7db47456b564'],
    ['in=own&site=%3Cscript%3E&crawl=1&stored=x&language=', 'in=own'],
    ['in=own&site=https%3A%2F%2Fwww.docs.example%2Fguide%2F', 'in=own&site=docs.example%2Fguide'],
    ['depth=basic&results=5&time=any', ''],
  ] as const)
    assert.is(writePlace(readPlace(query)), again, query)
})

search('both sources share the query, and each has its own filters', () => {
  const place = withQuery(readPlace('in=own&q=tea&language=de'), 'white tea')
  assert.is(writePlace(place), 'in=own&q=white+tea&language=de')
  assert.is(place.web.query, 'white tea')
})

search('languages and countries are named, flagged, and found by name, code and their own name', () => {
  assert.is(LANGUAGE_CHOICES.length, 32)
  assert.is(COUNTRY_CHOICES.length, 58)
  assert.is(flagOf('de'), '🇩🇪')
  const labels = (list: typeof LANGUAGE_CHOICES, typed: string) => filterChoices(list, typed).map(({ label }) => label)
  assert.equal(labels(LANGUAGE_CHOICES, 'ger'), ['German'])
  assert.equal(labels(LANGUAGE_CHOICES, 'deutsch'), ['German'])
  assert.equal(labels(LANGUAGE_CHOICES, 'FRANC'), ['French'])
  assert.is(labels(LANGUAGE_CHOICES, 'ja')[0], 'Japanese')
  assert.is(labels(COUNTRY_CHOICES, 'uk')[0], 'Ukraine')
  assert.ok(labels(COUNTRY_CHOICES, 'uk').includes('United Kingdom'))
  assert.is(labels(COUNTRY_CHOICES, 'states')[0], 'United States')
  assert.equal(labels(COUNTRY_CHOICES, 'zzz'), [])
  assert.is(labels(COUNTRY_CHOICES, ' ').length, 58)
  for (const { label, value } of [...LANGUAGE_CHOICES, ...COUNTRY_CHOICES]) assert.is.not(label.toLowerCase(), value, `${value} has a name`)
})

search('a German dashboard names languages and countries in German, in German order', () => {
  const { languages, countries } = choicesIn('de')
  const labelOf = (list: typeof LANGUAGE_CHOICES, code: string) => list.find(({ value }) => value === code)?.label
  assert.equal([labelOf(languages, 'de'), labelOf(countries, 'de'), labelOf(countries, 'at')], ['Deutsch', 'Deutschland', 'Österreich'])
  const labels = countries.map(({ label }) => label)
  assert.ok(labels.indexOf('Österreich') < labels.indexOf('Pakistan'))
})

search.run()
