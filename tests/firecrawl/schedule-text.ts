/** Words for the times of a monitor. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { cronOf, cronOfText } from '#backend/firecrawl/schedule-text.ts'
import { checkTimes } from '#backend/schedules/times.ts'

const texts = suite('times of a monitor in words')

const MEANT: [text: string, cron: string][] = [
  ['every 15 minutes', '*/15 * * * *'],
  ['every 30 minutes', '*/30 * * * *'],
  ['Every  60 Minutes', '0 * * * *'],
  ['hourly', '0 * * * *'],
  ['every hour', '0 * * * *'],
  ['every 6 hours', '0 */6 * * *'],
  ['every 24 hours', '0 0 * * *'],
  ['daily', '0 0 * * *'],
  ['every day', '0 0 * * *'],
  ['daily at 9:00', '0 9 * * *'],
  ['daily at 9', '0 9 * * *'],
  ['daily at 23:59', '59 23 * * *'],
  ['every day at 9:30 pm', '30 21 * * *'],
  ['daily at 12am', '0 0 * * *'],
  ['daily at 12:15 pm', '15 12 * * *'],
  ['weekly', '0 0 * * 1'],
  ['every monday at 9:00', '0 9 * * 1'],
  ['every Sunday', '0 0 * * 0'],
  ['monthly', '0 0 1 * *'],
]
texts('simple forms have a cron expression that schedules accept', () => {
  for (const [text, cron] of MEANT) {
    assert.is(cronOfText(text), cron, text)
    checkTimes({ cron, timezone: 'UTC' }, Date.parse('2026-11-27T12:00:00Z'))
  }
})

texts('other words, and intervals that do not divide an hour or a day, mean nothing', () => {
  const others = [
    '',
    'every 25 minutes',
    'every 40 minutes',
    'every 7 hours',
    'every 16 hours',
    'every 90 minutes',
    'every 48 hours',
    'daily at',
    'daily at 25:00',
    'daily at 9:60',
  ]
  others.push('daily at 13 pm', 'daily at 0 am', 'every moonday', 'weekly at 9:00', 'on mondays', 'every weekday', 'daily at 9:00 at 10:00')
  for (const text of others) assert.is(cronOfText(text), null, text)
})

texts('intervals below a quarter of an hour are refused', () => {
  for (const text of ['every minute', 'every 14 minutes', 'every 0 hours']) assert.throws(() => cronOfText(text), /at least 15 minutes/)
})

texts('a monitor has either a cron expression, which is taken as it is, or words', () => {
  assert.is(cronOf({ cron: '7 * * * *' }), '7 * * * *')
  assert.is(cronOf({ text: 'hourly' }), '0 * * * *')
  const refusals: [asked: Parameters<typeof cronOf>[0], reason: RegExp][] = [
    [{ cron: '7 * * * *', text: 'hourly' }, /send either cron or text/],
    [{}, /send cron or text/],
    [{ text: 'on mondays' }, /not understood.*"daily at 9:00"/],
  ]
  for (const [asked, reason] of refusals) assert.throws(() => cronOf(asked), reason)
})

texts.run()
