/** Dates of other servers mean the same on a server in any zone. */
import { execFileSync } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseZoned } from '#backend/crawler/fetch/zoned-dates.ts'
import { assertLinear, filled } from '#tests/support/linear.ts'

const dates = suite('dates of other servers')

const PARSED = {
  '2026-03-04T09:12:30': '2026-03-04T09:12:30.000Z',
  '2026-03-04 09:12:30': '2026-03-04T09:12:30.000Z',
  '2026-03-04T09:12:30+02:00': '2026-03-04T07:12:30.000Z',
  '2026-03-04T09:12:30.5Z': '2026-03-04T09:12:30.500Z',
  '2026-03-04T09:12-0500': '2026-03-04T14:12:00.000Z',
  '2026-03-04 09:12:30+02': '2026-03-04T07:12:30.000Z',
  '2026-03-04 09:12:30.5-05': '2026-03-04T14:12:30.500Z',
  'Mar 4, 2026 9:12 PM +02:00': '2026-03-04T19:12:00.000Z',
  '2026-03-04': '2026-03-04T00:00:00.000Z',
  '2026-03': '2026-03-01T00:00:00.000Z',
  'Wed, 04 Mar 2026 09:12:30 GMT': '2026-03-04T09:12:30.000Z',
  'Wed, 04 Mar 2026 09:12:30 +0100': '2026-03-04T08:12:30.000Z',
  'Wed, 04 Mar 2026 09:12:30 EST': '2026-03-04T14:12:30.000Z',
  'Wed, 04 Mar 2026 09:12:30': '2026-03-04T09:12:30.000Z',
  'Wed Mar  4 09:12:30 2026': '2026-03-04T09:12:30.000Z',
  '2026-03-04 09:12:30.123456-05': '2026-03-04T14:12:30.123Z',
  '2026-03-04 09:12 PM': '2026-03-04T21:12:00.000Z',
  'Wed, 04 Mar 2026 09:12:30 GMT+1': '2026-03-04T08:12:30.000Z',
  'Wed, 04 Mar 2026 09:12:30 UTC+0200': '2026-03-04T07:12:30.000Z',
  'Wed, 04 Mar 2026 09:12:30 PM +0200': '2026-03-04T19:12:30.000Z',
  'Sunday, 06-Nov-94 08:49:37 GMT': '1994-11-06T08:49:37.000Z',
  'Wed Mar 04 2026 09:12:30 GMT+0200 (Eastern European Standard Time)': '2026-03-04T07:12:30.000Z',
  [`Wed, 04 Mar 2026 09:12:30 GMT (${'longer than any date '.repeat(10)})`]: null,
  'March 4, 2026': '2026-03-04T00:00:00.000Z',
  '4 Mar 2026': '2026-03-04T00:00:00.000Z',
  '3 days ago': null,
  yesterday: null,
  '': null,
}

/** The instants that a process in this zone reads in the texts. */
function readIn(zone: string): unknown {
  const program = `
    import { parseZoned } from '${new URL('../../../backend/crawler/fetch/zoned-dates.ts', import.meta.url).href}'
    const read = (text) => { const at = parseZoned(text); return Number.isNaN(at) ? null : new Date(at).toISOString() }
    console.log(JSON.stringify(Object.fromEntries(${JSON.stringify(Object.keys(PARSED))}.map((text) => [text, read(text)]))))`
  const environment = { ...process.env, TZ: zone }
  return JSON.parse(
    String(
      execFileSync(process.execPath, ['--input-type=module', '-e', program], { env: environment, stdio: ['ignore', 'pipe', 'ignore'] }),
    ),
  )
}

for (const zone of ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles'])
  dates(`without a zone they are in UTC, also on a server in ${zone}`, () => assert.equal(readIn(zone), PARSED))

dates('a long text that is no date takes linear time', async () => {
  for (const piece of ['Z(', 'UT(', 'Z ', ':00 ', ':00PM+00'])
    await assertLinear(piece, (size) => {
      const text = `x${filled(piece, size)}x`
      return () => parseZoned(text)
    })
})

dates.run()
