import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { MAX_TOASTS, STAR_REFRESH_MS, TOAST_MS } from '#web/ui/limits.ts'
import { shortSpan } from '#web/runs/crawl/page-texts.ts'
import { countText, durationMs, durationText, relativeTime } from '#web/ui/text/time-texts.ts'

const texts = suite('times in words')
const NOW = Date.parse('2026-03-04T12:00:00Z')

texts('a past time is shown as how long ago it was', () => {
  const rows: [iso: string, words: string][] = [
    ['2026-03-04T11:59:58Z', 'just now'],
    ['2026-03-04T11:59:10.481920Z', '50 seconds ago'],
    ['2026-03-04T11:57:00Z', '3 minutes ago'],
    ['2026-03-04T11:00:00Z', '1 hour ago'],
    ['2026-03-02T12:00:00Z', '2 days ago'],
    ['2026-02-18T12:00:00Z', '2 weeks ago'],
    ['2025-12-04T12:00:00Z', '3 months ago'],
    ['2024-03-04T12:00:00Z', '2 years ago'],
    ['2026-03-04T12:05:00Z', 'in 5 minutes'],
    ['no date', ''],
  ]
  for (const [iso, words] of rows) assert.is(relativeTime(iso, NOW), words, iso)
})

texts('a duration has the same number of seconds in its long and in its short form', () => {
  for (const ms of [481, 27_900, 59_999, 84_600])
    assert.is(shortSpan(ms).replace('min', 'minute').replace(/ s$/, ' seconds'), durationText(ms), `${ms} ms`)
})

texts('a duration is shown in its two largest units', () => {
  const rows: [wire: string | null, words: string][] = [
    ['00:00:00.481920', '0 seconds'],
    ['00:00:01.000000', '1 second'],
    ['00:00:11.812345', '11 seconds'],
    ['00:01:01.000000', '1 minute 1 second'],
    ['00:12:30.000000', '12 minutes 30 seconds'],
    ['02:05:59.999999', '2 hours 6 minutes'],
    ['1 01:00:00.000000', '25 hours 0 minutes'],
    [null, 'N/A'],
    ['soon', 'N/A'],
  ]
  for (const [wire, words] of rows) assert.is(durationText(durationMs(wire)), words, String(wire))
})

texts('a count has the singular for one and the plural otherwise', () => {
  assert.is(countText(1, 'page'), '1 page')
  assert.is(countText(1204, 'page'), '1,204 pages')
  assert.is(countText(0, 'URL', 'URLs'), '0 URLs')
})

texts('S-CON-01 S-DSH-09 the limits of toasts and of the star count are defined once', () => {
  assert.equal(TOAST_MS, { blank: 4000, error: 4000, success: 2000, loading: Number.POSITIVE_INFINITY })
  assert.is(MAX_TOASTS, 20)
  assert.is(STAR_REFRESH_MS, 300_000)
})

texts.run()
