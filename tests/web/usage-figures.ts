import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { chartScale } from '#web/ui/chart/chart-scale.ts'
import { formatsOf } from '#web/texts/formats.ts'
import { changeText, everyDay, successRate } from '#web/team/usage/usage-figures.ts'

const figures = suite('usage figures')

const RATES: [finished: number, total: number, expected: string, why: string][] = [
  [0, 0, '–', 'no rate without crawls'],
  [0, 3, '0 %', 'none finished'],
  [3, 3, '100 %', 'all finished'],
  [27, 31, '87.1 %', 'one decimal'],
  [1, 3, '33.3 %', 'rounded'],
]
for (const [finished, total, expected, why] of RATES)
  figures(`S-WRK-05 ${finished} of ${total} is ${expected}: ${why}`, () => assert.is(successRate(finished, total), expected))

figures('a figure is compared with the previous period, if there was one', () => {
  assert.equal(
    [changeText(112, 100), changeText(97, 100), changeText(5, 5), changeText(3, 0), changeText(0, 4), changeText(1001, 1000)],
    ['+12 %', '−3 %', 'same as before', '', '−100 %', '±0 %'],
  )
})

figures('S-WRK-05 the history has each of the last 30 days, and 0 for days without activity', () => {
  const days = everyDay(
    [
      { date: '2026-02-03', count: 2 },
      { date: '2026-03-04', count: 7 },
      { date: '2026-01-01', count: 99 },
    ],
    Date.parse('2026-03-04T23:59:59Z'),
  )
  assert.is(days.length, 30)
  assert.equal(
    [days[0], days[29]],
    [
      { date: '2026-02-03', count: 2 },
      { date: '2026-03-04', count: 7 },
    ],
  )
  assert.is(
    days.reduce((sum, { count }) => sum + count, 0),
    9,
    'what is older is left out',
  )
  assert.is(new Set(days.map(({ date }) => date)).size, 30)
})

figures('a scale begins at 0, has whole steps and reaches the largest value', () => {
  for (const most of [0, 1, 2, 3, 4, 5, 7, 9, 10, 14, 31, 99, 100, 101, 412, 999, 4000, 48_212, 1_000_000]) {
    const marks = chartScale(most)
    assert.is(marks[0], 0)
    assert.ok((marks.at(-1) ?? 0) >= most, `${most} fits`)
    assert.ok(marks.length >= 2 && marks.length <= 6, `${most}: ${marks.join(' ')}`)
    assert.ok(marks.every(Number.isInteger), `${most}: ${marks.join(' ')}`)
  }
})

const SHORT: [value: number, english: string, german: string][] = [
  [0, '0', '0'],
  [850, '850', '850'],
  [1500, '1.5K', '1.500'],
  [20_000, '20K', '20.000'],
  [999, '999', '999'],
  [999_949, '999.9K', '999.949'],
  [999_950, '1M', '999.950'],
  [2_500_000, '2.5M', '2,5 Mio.'],
  [1_000_000_000, '1B', '1 Mrd.'],
]
for (const [value, english, german] of SHORT)
  figures(`${value} is shown as ${english} on an axis, in German as ${german}`, () => {
    assert.is(formatsOf('en').short(value), english)
    // The unit must not be wrapped away from its number.
    assert.is(formatsOf('de').short(value).replace('\u00a0', ' '), german)
  })

figures.run()
