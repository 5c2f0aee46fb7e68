import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withoutRepeatedOutages } from '#backend/platform/outage-log.ts'

const outages = suite('the log in an outage of the database')
const MINUTE_MS = 60_000

function logOf() {
  const lines: [level: string, facts: object, message: string][] = []
  let time = 0
  const at = (level: string) => (facts: object, message: string) => void lines.push([level, facts, message])
  const log = withoutRepeatedOutages({ info: at('info'), warn: at('warn'), error: at('error') }, () => time)
  return { ...log, lines, pass: (ms: number) => void (time += ms) }
}

const failed = (code: string) => Object.assign(new Error('no connection'), { code })

outages('each message is written once, without the stack, and again after ten minutes', () => {
  const { lines, pass, warn } = logOf()
  for (let minute = 0; minute < 12; minute += 1) {
    warn({ err: failed('POSTGRES_UNREACHABLE') }, 'mails could not be read')
    warn({ err: failed('POSTGRES_UNREACHABLE'), waitMs: 10 }, 'schedules could not be read')
    pass(MINUTE_MS)
  }
  const err = { code: 'POSTGRES_UNREACHABLE', message: 'no connection' }
  const both = [
    ['warn', { err }, 'mails could not be read'],
    ['warn', { err, waitMs: 10 }, 'schedules could not be read'],
  ]
  assert.equal(lines, [...both, ...both])
})

outages('another reason is written at once: a database that is reached, but is full', () => {
  const { error, lines } = logOf()
  for (const code of ['57P03', '57P03', '53100']) error({ err: failed(code) }, 'it could not be stored')
  assert.is(lines.length, 2)
})

outages('lines about other things are all written, unchanged', () => {
  const { error, info, lines, warn } = logOf()
  const bug = new TypeError('x is undefined')
  for (let at = 0; at < 2; at += 1) {
    info({}, 'run ended')
    warn({ to: 'ana@example.org' }, 'a mail could not be sent')
    error({ err: bug }, 'a run failed')
  }
  assert.is(lines.length, 6)
  assert.is((lines[5]![1] as { err: unknown }).err, bug)
})

outages.run()
