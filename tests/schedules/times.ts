/** The times of schedules: what is accepted, and which instants follow. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AppError } from '#backend/errors.ts'
import { checkTimes, nextTime, nextTimes } from '#backend/schedules/times.ts'

const times = suite('times of schedules')

const NOW = Date.parse('2026-11-27T06:00:00Z')

function refusal(cron: string, timezone = 'UTC'): unknown {
  try {
    checkTimes({ cron, timezone }, NOW)
    return null
  } catch (error) {
    return (error as AppError).fields
  }
}
const after = (cron: string, timezone: string, from: string, count: number) =>
  nextTimes({ cron, timezone }, Date.parse(from), count).map((at) => new Date(at).toISOString().slice(0, 16))

times('five fields are read in the time zone', () => {
  assert.equal(after('0 3 * * *', 'Europe/Paris', '2026-11-27T06:00:00Z', 2), ['2026-11-28T02:00', '2026-11-29T02:00'])
  assert.equal(after('30 6 * * 1', 'Asia/Kolkata', '2026-11-27T06:00:00Z', 1), ['2026-11-30T01:00'])
  assert.equal(after('0 0 1 * *', 'UTC', '2026-11-27T06:00:00Z', 2), ['2026-12-01T00:00', '2027-01-01T00:00'])
})

times('a time that daylight saving skips is moved on, and one that it repeats is used once', () => {
  assert.equal(after('30 2 * * *', 'Europe/Berlin', '2027-03-27T12:00:00Z', 2), ['2027-03-28T01:00', '2027-03-29T00:30'])
  assert.equal(after('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2), ['2026-10-25T00:30', '2026-10-26T01:30'])
})

times('a time that is skipped before midnight is moved on, too: no night, week or year without a crawl', () => {
  const nuuk = (cron: string) => after(cron, 'America/Nuuk', '2026-03-28T12:00:00Z', 2)
  // At 23:00 the clocks are put forward to midnight.
  assert.equal(nuuk('30 23 * * *'), ['2026-03-29T01:00', '2026-03-30T00:30'])
  assert.equal(nuuk('0,30 23 * * *'), ['2026-03-29T01:00', '2026-03-30T00:00'])
  assert.equal(nuuk('30 23 * * 6'), ['2026-03-29T01:00', '2026-04-05T00:30'])
  assert.equal(nuuk('30 23 28 3 *'), ['2026-03-29T01:00', '2027-03-29T00:30'])
  assert.equal(nuuk('0 0,23 * * *'), ['2026-03-29T01:00', '2026-03-30T00:00'])
  assert.equal(nuuk('30 * * * *').slice(1), ['2026-03-28T13:30'])
  assert.equal(after('30 * * * *', 'America/Nuuk', '2026-03-29T00:00:00Z', 2), ['2026-03-29T00:30', '2026-03-29T01:30'])
  assert.equal(after('30 23 * * *', 'America/Nuuk', '2026-10-24T12:00:00Z', 2), ['2026-10-25T00:30', '2026-10-26T01:30'])
})

times('that holds for lists and ranges of hours, too; wildcards and steps are intervals, which run through the repeated hour', () => {
  assert.equal(after('30 2,14 * * *', 'Europe/Berlin', '2027-03-27T14:00:00Z', 2), ['2027-03-28T01:00', '2027-03-28T12:30'])
  assert.equal(after('30 2-3 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2), ['2026-10-25T00:30', '2026-10-25T02:30'])
  assert.equal(after('30 * * * *', 'Europe/Berlin', '2026-10-25T00:00:00Z', 3), [
    '2026-10-25T00:30',
    '2026-10-25T01:30',
    '2026-10-25T02:30',
  ])
})

times('the next time is after the given instant, never at it', () => {
  const at = Date.parse('2026-11-28T03:00:00Z')
  assert.is(nextTime({ cron: '0 3 * * *', timezone: 'UTC' }, at), at + 86_400_000)
  assert.is(nextTime({ cron: '0 3 * * *', timezone: 'UTC' }, at - 1), at)
})

times('what is no cron expression of five fields is refused', () => {
  const five = { cron: ['Enter five fields: minute, hour, day of month, month, day of week.'] }
  for (const cron of ['', '0 3 * *', '0 0 3 * * *', '@daily', '2026-12-01T00:00:00', '@daily * * * *'])
    assert.equal(refusal(cron), five, cron)
  const valid = { cron: ['Enter a valid cron expression, such as 0 3 * * 1 for Mondays at 3:00.'] }
  for (const cron of ['a b c d e', '60 * * * *', '0 24 * * *', '0 0 0 * *', '*/0 * * * *']) assert.equal(refusal(cron), valid, cron)
  assert.equal(refusal('0 0 30 2 *'), { cron: ['This time never comes.'] })
})

times('an unknown time zone is refused, together with a wrong expression', () => {
  const zone = { timezone: ['Enter the name of a time zone, such as Europe/Paris.'] }
  assert.equal(refusal('0 3 * * *', 'Mars/Phobos'), zone)
  assert.equal(Object.keys(refusal('x', 'Mars/Phobos') as object), ['timezone', 'cron'])
})

times('between two crawls there are at least fifteen minutes, also across an hour', () => {
  for (const cron of ['*/15 * * * *', '0 * * * *', '0,50 1 * * *', '7,22 9-17 * * 1-5', '0,15 3 29 2 +1'])
    assert.is(refusal(cron), null, cron)
  const close = { cron: ['Between two crawls there must be at least 15 minutes.'] }
  for (const cron of ['* * * * *', '*/14 * * * *', '0,14 3 1 1 *', '0,50 1,2 15 * *']) assert.equal(refusal(cron), close, cron)
})

times('the last time of a day and the first one of the next are too close only if both days have crawls', () => {
  const close = { cron: ['Between two crawls there must be at least 15 minutes.'] }
  assert.is(refusal('0,55 0,23 1,15 * *'), null)
  for (const cron of ['0,55 0,23 1,2 * *', '0,55 0,23 * * 5-6', '0,55 0,23 * * *']) assert.equal(refusal(cron), close, cron)
})

times.run()
