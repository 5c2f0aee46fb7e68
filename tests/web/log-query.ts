import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { EMPTY_QUERY, changedQuery, dayBounds, isFiltered, parseLogQuery, sortedBy, writeLogQuery } from '#web/runs/logs/log-query.ts'
import { csvOf } from '#web/runs/logs/rows-csv.ts'
import type { LogQuery } from '#web/runs/logs/log-query.ts'
import { changedSearch, pageOf, pageText } from '#web/ui/form/query-texts.ts'

const FULL: LogQuery = {
  status: 'failed',
  text: 'a&b c',
  type: 'batch',
  schedule: '01890000-0000-7000-8000-0000000000d1',
  from: '2026-03-04',
  to: '2026-03-31',
  sort: '-duration',
  size: 50,
  page: 3,
}

const TYPES = [{ value: 'single' }, { value: 'batch' }]

const query = suite('the state of a log in its URL')

query('the state is read back from the URL as it was written', () => {
  for (const one of [EMPTY_QUERY, FULL]) assert.equal(parseLogQuery(writeLogQuery(one), TYPES), one)
  assert.is(writeLogQuery(EMPTY_QUERY), '')
})

query('unknown values are dropped', () => {
  assert.equal(parseLogQuery('?status=paused&type=zzz&schedule=all&page=-1&x=y', TYPES), EMPTY_QUERY)
  assert.equal(parseLogQuery('?page=two', TYPES).page, 1)
  assert.is(parseLogQuery(`?schedule=${FULL.schedule.toUpperCase()}`, TYPES).schedule, FULL.schedule, 'ids are in lower case')
  for (const day of ['yesterday', '2026-3-4', '2026-02-30', '2026-13-01', '2026-03-04T00:00'])
    assert.is(parseLogQuery(`?from=${day}`, TYPES).from, '', day)
})

query('another filter starts at the first page', () => {
  assert.is(changedQuery({ ...EMPTY_QUERY, page: 4 }, { status: 'failed' }).page, 1)
  assert.is(changedQuery({ ...EMPTY_QUERY, page: 4 }, { page: 5 }).page, 5)
})

query('the page number is not a filter, everything else is', () => {
  assert.not(isFiltered({ ...EMPTY_QUERY, page: 2 }))
  for (const name of ['status', 'text', 'type', 'schedule', 'from', 'to'] as const)
    assert.ok(isFiltered({ ...EMPTY_QUERY, [name]: FULL[name] }), name)
})

const DAYS: readonly [from: string, to: string, since: string | undefined, before: string | undefined, why: string][] = [
  ['', '', undefined, undefined, 'no days'],
  ['2026-03-04', '', '2026-03-04T05:00:00.000Z', undefined, 'the first day starts at local midnight'],
  ['', '2026-03-04', undefined, '2026-03-05T05:00:00.000Z', 'the last day is included'],
  [
    '2026-03-08',
    '2026-03-08',
    '2026-03-08T05:00:00.000Z',
    '2026-03-09T04:00:00.000Z',
    'the day on which the clocks go forward has 23 hours',
  ],
  ['2026-12-31', '2026-12-31', '2026-12-31T05:00:00.000Z', '2027-01-01T05:00:00.000Z', 'the last day of the year'],
]

query('days become instants, and both days are included', () => {
  const before = process.env['TZ']
  process.env['TZ'] = 'America/New_York'
  for (const [from, to, since, end, why] of DAYS) assert.equal(dayBounds({ from, to }), { since, before: end }, why)
  process.env['TZ'] = before ?? 'UTC'
})

const CHANGES: readonly [search: string, changes: Record<string, string>, expected: string][] = [
  ['', {}, ''],
  ['', { page: '2' }, '?page=2'],
  ['?a=1&page=2', { page: '3' }, '?a=1&page=3'],
  ['?a=1&page=2', { page: '' }, '?a=1'],
  ['?page=2', { page: '' }, ''],
  ['?a=1', { text: 'b&c d' }, '?a=1&text=b%26c+d'],
]

query('changing one value of a URL keeps the others', () => {
  for (const [search, changes, expected] of CHANGES) assert.is(changedSearch(search, changes), expected, search)
})

query('an invalid page number is read as the first page, which is not written', () => {
  assert.equal([null, '', '2', '0', '-1', '1.5', 'x', '1e3'].map(pageOf), [1, 1, 2, 1, 1, 1, 1, 1000])
  assert.equal([1, 2].map(pageText), ['', '2'])
})

query('a column header sorts by its column, the largest first, and reverses the order when it is pressed again', () => {
  assert.equal(
    [sortedBy('', 'duration'), sortedBy('-duration', 'duration'), sortedBy('duration', 'duration'), sortedBy('', 'created_at')],
    ['-duration', 'duration', '-duration', 'created_at'],
  )
  assert.is(sortedBy('created_at', 'created_at'), '', 'newest first goes without saying')
  assert.is(parseLogQuery('?sort=price&size=7', TYPES).sort, '')
  assert.is(parseLogQuery('?sort=price&size=7', TYPES).size, EMPTY_QUERY.size)
})

query('rows become CSV without formulas', () => {
  const run = { uuid: 'u', status: 'finished' as const, created_at: 'c', duration: null, number_of_documents: 3 }
  assert.is(csvOf([{ run, name: '=a,"b"' }]), `uuid,name,status,results,created_at,duration\r\nu,"'=a,""b""",finished,3,c,\r\n`)
})

query.run()
