import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DAILY, choiceOf, cronOf } from '#web/runs/schedules/cron-choice.ts'
import type { CronChoice } from '#web/runs/schedules/cron-choice.ts'
import { bodyOf, formForUrl, scheduleErrors } from '#web/runs/schedules/schedule-form.ts'
import { refreshAfter } from '#web/runs/schedules/refresh-after.ts'
import { isTimeZone, timeInZone, weekdayName, whenText } from '#web/runs/schedules/schedule-texts.ts'

const choices = suite('the times of a schedule')

/** Expressions as the dialog writes them, with what it shows and how the list reads them. */
const SIMPLE: readonly [cron: string, shown: Partial<CronChoice>, words: string][] = [
  ['5 * * * *', { every: 'hour', minute: 5 }, 'Every hour at minute 5'],
  ['0 0 * * *', { every: 'day', time: '00:00' }, 'Every day at 12:00 AM'],
  ['30 6 * * *', { every: 'day', time: '06:30' }, 'Every day at 6:30 AM'],
  ['0 18 * * 1', { every: 'week', time: '18:00', weekday: '1' }, 'Every Monday at 6:00 PM'],
  ['59 23 * * 0', { every: 'week', time: '23:59', weekday: '0' }, 'Every Sunday at 11:59 PM'],
  ['15 4 1 * *', { every: 'month', time: '04:15', day: '1' }, 'Day 1 of each month at 4:15 AM'],
  ['15 4 31 * *', { every: 'month', time: '04:15', day: '31' }, 'Day 31 of each month at 4:15 AM'],
]

choices('a simple expression is shown as a choice, in words, and written as it was', () => {
  for (const [cron, shown, words] of SIMPLE) {
    const choice = choiceOf(cron)
    assert.equal({ ...choice, ...shown }, choice, cron)
    assert.is(cronOf(choice), cron)
    assert.is(whenText(cron)?.replace(/\s/g, ' '), words)
  }
})

choices('other spellings of a simple expression are shown as the choice', () => {
  for (const [cron, same] of [
    ['  05  06 * * *\t', '5 6 * * *'],
    ['0 6 * * 7', '0 6 * * 0'],
    ['0 6 * * Mon', '0 6 * * 1'],
    ['00 00 01 * *', '0 0 1 * *'],
  ] as const)
    assert.is(cronOf(choiceOf(cron)), same, cron)
})

choices('any other expression stays as it is', () => {
  for (const cron of [
    '*/30 * * * *',
    '0 6,18 * * *',
    '0 6 * * 1-5',
    '0 6 1 1 *',
    '0 6 1 * 1',
    '0 */6 * * *',
    '* * * * *',
    '0 6 L * *',
    '60 * * * *',
    '0 24 * * *',
    '0 6 32 * *',
    '0 6 0 * *',
    '0 6 * * 8',
    '0 0 6 * * *',
    '@daily',
    '',
  ]) {
    assert.equal([choiceOf(cron).every, cronOf(choiceOf(cron))], ['own', cron], cron)
    assert.is(whenText(cron), null, cron)
  }
})

choices('a choice with an empty field has no expression, and names the field', () => {
  const form = formForUrl('https://docs.example:8080/guide')
  for (const [wrong, changes] of [
    [[], {}],
    [['name'], { name: ' ' }],
    [['minute'], { every: 'hour', minute: null }],
    [['minute'], { every: 'hour', minute: 60 }],
    [['minute'], { every: 'hour', minute: Number.NaN }],
    [['time'], { every: 'day', time: '' }],
    [['time'], { every: 'month', time: '' }],
    [['cron'], { every: 'own', cron: '  ' }],
    [[], { every: 'hour', time: '' }],
  ] as const) {
    const changed = { ...form, ...changes }
    assert.equal(Object.keys(scheduleErrors(changed)), wrong)
    if (wrong.length > 0 && wrong[0] !== 'name') assert.is(cronOf(changed), '', JSON.stringify(changes))
  }
})

choices('a new schedule has the name of its host, and repeats the crawl every day', () => {
  const form = { ...formForUrl('https://docs.example:8080/guide'), timezone: 'Europe/Paris' }
  assert.equal(bodyOf(form), { name: 'docs.example:8080', cron: cronOf(DAILY), timezone: 'Europe/Paris', mail_changes: false })
  assert.is(formForUrl(`https://${'a.'.repeat(60)}example/`).name.length, 100)
})

choices('times are shown in the time zone of the schedule, also across a change of the clocks', () => {
  const shown = (iso: string, zone: string) => timeInZone(iso, zone).replace(/\s/g, ' ')
  assert.is(shown('2026-03-28T05:00:00Z', 'Europe/Paris'), 'Sat, Mar 28, 2026, 6:00 AM GMT+1')
  assert.is(shown('2026-03-29T04:00:00Z', 'Europe/Paris'), 'Sun, Mar 29, 2026, 6:00 AM GMT+2')
  assert.ok(shown('2026-03-29T04:00:00Z', 'Moon/Tranquility'), 'a zone that the browser does not know')
  assert.equal(['UTC', 'Europe/Paris', 'US/Pacific', 'Moon/Tranquility', ''].map(isTimeZone), [true, true, true, false, false])
  assert.equal(['1', '0'].map(weekdayName), ['Monday', 'Sunday'])
})

choices('the list is requested again when the next crawl is due, often while one is in progress, and never without any', () => {
  const now = Date.parse('2026-03-04T12:00:00Z')
  const last = (status: 'running' | 'finished') => ({ uuid: 'u', status, created_at: '2026-03-04T11:00:00Z', number_of_documents: 1 })
  const plan = (next_crawl_at: string | null, last_crawl: ReturnType<typeof last> | null = null) => ({ next_crawl_at, last_crawl })
  assert.is(refreshAfter([], now), 0)
  assert.is(refreshAfter([plan(null, last('finished'))], now), 0)
  assert.is(refreshAfter([plan(null, last('running'))], now), 2000)
  assert.is(refreshAfter([plan('2026-03-04T12:20:00Z'), plan('2026-03-04T12:10:00Z', last('finished'))], now), 601_000)
  assert.is(refreshAfter([plan('2026-03-04T11:59:00Z')], now), 2000, 'it is about to start')
  assert.is(refreshAfter([plan('2026-04-30T12:00:00Z')], now), 3_600_000, 'a timer cannot wait for months')
})

choices.run()
