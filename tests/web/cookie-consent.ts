import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CATEGORIES, CONSENT_KEY, OPTIONAL_CATEGORIES, createConsent, keptCategories, parseConsent } from '#web/frame/consent/consent.ts'
import { createInitialisers } from '#web/frame/consent/initialisers.ts'
import { mayBeMeasured } from '#web/frame/consent/measured-pages.ts'
import { fakeStorage } from '#tests/support/browser/page.ts'

const AT = '2026-03-04T09:00:00.000Z'

function start({ kept, isEnterprise = true }: { kept?: string; isEnterprise?: boolean } = {}) {
  const storage = fakeStorage(kept === undefined ? {} : { [CONSENT_KEY]: kept })
  const complaints: unknown[] = []
  const consent = createConsent({ storage, now: () => new Date(AT), complain: (cause) => complaints.push(cause) })
  consent.open(isEnterprise)
  const stored = () => storage.getItem(CONSENT_KEY)
  return { consent, complaints, stored }
}

const record = suite('the cookie consent')

record('S-COO-01 every category except the necessary one can be chosen', () => {
  assert.equal(
    CATEGORIES.map(({ id }) => id),
    ['necessary', 'analytics', 'marketing'],
  )
  assert.equal(
    OPTIONAL_CATEGORIES.map(({ id }) => id),
    ['analytics', 'marketing'],
  )
})

record('S-COO-02 S-COO-04 a choice is stored with its time, always with the necessary category, never with unknown ids', () => {
  const rows: [chosen: string[], kept: string[]][] = [
    [
      ['necessary', 'analytics', 'marketing'],
      ['necessary', 'analytics', 'marketing'],
    ],
    [['analytics'], ['necessary', 'analytics']],
    [[], ['necessary']],
    [
      ['telemetry', 'marketing', 'marketing'],
      ['necessary', 'marketing'],
    ],
  ]
  for (const [chosen, kept] of rows) {
    assert.equal(keptCategories(chosen), kept)
    const { consent, stored } = start()
    consent.decide(chosen)
    assert.equal(JSON.parse(stored() ?? ''), { given: true, categories: kept, timestamp: AT })
    assert.equal(consent.record.peek()?.categories, kept)
  }
})

record('S-COO-02 a stored choice is read again, without unknown ids', () => {
  const kept = JSON.stringify({ given: true, categories: ['analytics', 'telemetry', 7], timestamp: AT })
  const { consent, complaints, stored } = start({ kept })
  assert.equal(consent.record.peek(), { given: true, categories: ['necessary', 'analytics'], timestamp: AT })
  assert.is(stored(), kept)
  assert.is(complaints.length, 0)
})

const CORRUPT: [text: string, why: string][] = [
  ['', 'empty'],
  ['{', 'not JSON'],
  ['null', 'null'],
  ['"yes"', 'a string'],
  ['[]', 'a list'],
  ['{}', 'an empty object'],
  [JSON.stringify({ given: 'yes', categories: [], timestamp: AT }), 'given is not a boolean'],
  [JSON.stringify({ given: true, categories: 'analytics', timestamp: AT }), 'categories is not a list'],
  [JSON.stringify({ given: true, categories: [], timestamp: 'yesterday' }), 'timestamp is not a time'],
  [JSON.stringify({ given: true, categories: [] }), 'no timestamp'],
]
for (const [text, why] of CORRUPT)
  record(`S-COO-02 a stored value that is corrupt is removed and logged: ${why}`, () => {
    assert.throws(() => parseConsent(text))
    const { consent, complaints, stored } = start({ kept: text })
    assert.is(consent.record.peek(), null)
    assert.is(stored(), null)
    assert.is(complaints.length, 1)
  })

record('S-COO-02 outside enterprise mode nothing is read, and a choice is ignored', () => {
  const kept = JSON.stringify({ given: true, categories: ['analytics'], timestamp: AT })
  for (const text of [kept, '{']) {
    const { consent, complaints, stored } = start({ kept: text, isEnterprise: false })
    assert.is(consent.record.peek(), undefined)
    consent.decide(['analytics', 'marketing'])
    consent.takeStored(kept)
    assert.is(consent.record.peek(), undefined)
    assert.is(stored(), text)
    assert.is(complaints.length, 0)
  }
})

record('S-COO-02 a decision in another tab applies in this tab too', () => {
  const { consent } = start()
  consent.takeStored(JSON.stringify({ given: true, categories: ['marketing'], timestamp: AT }))
  assert.equal(consent.record.peek()?.categories, ['necessary', 'marketing'])
  consent.takeStored(null)
  assert.is(consent.record.peek(), null)
})

const analytics = suite('analytics after consent')

function page({ isHttps = true } = {}) {
  const loaded: string[] = []
  const queue: { dataLayer?: unknown[] } = {}
  const start = createInitialisers({ queue, isHttps, load: (url) => loaded.push(url), now: () => new Date(AT) })
  const said = () => (queue.dataLayer ?? []).map((words) => Array.from(words as ArrayLike<unknown>))
  return { loaded, said, start }
}

analytics('S-COO-03 analytics loads its script once, with the id, shortened addresses and cookies for this site alone', () => {
  const { loaded, said, start } = page()
  start(['necessary', 'analytics'], 'G-ABC123DEF4')
  start(['necessary', 'analytics', 'marketing'], 'G-ABC123DEF4')
  assert.equal(loaded, ['https://www.googletagmanager.com/gtag/js?id=G-ABC123DEF4'])
  assert.equal(said(), [
    ['js', new Date(AT)],
    ['config', 'G-ABC123DEF4', { anonymize_ip: true, cookie_flags: 'SameSite=Strict;Secure' }],
  ])
})

analytics('S-COO-03 cookies are not marked secure without https, since a browser would drop them', () => {
  const { said, start } = page({ isHttps: false })
  start(['analytics'], 'G-ABC123DEF4')
  assert.equal(said().at(-1)?.[2], { anonymize_ip: true, cookie_flags: 'SameSite=Strict' })
})

analytics('S-COO-03 nothing is loaded without consent, without an id, or for marketing', () => {
  for (const [categories, id] of [
    [[], 'G-ABC123DEF4'],
    [['necessary'], 'G-ABC123DEF4'],
    [['necessary', 'marketing'], 'G-ABC123DEF4'],
    [['necessary', 'analytics', 'marketing'], ''],
  ] as const) {
    const { loaded, said, start } = page()
    start(categories, id)
    assert.equal([loaded, said()], [[], []], categories.join(' '))
  }
})

analytics('S-COO-03 the script is loaded even if the id arrives later', () => {
  const { loaded, start } = page()
  start(['analytics'], '')
  start(['analytics'], 'G-ABC123DEF4')
  assert.is(loaded.length, 1)
})

analytics('S-COO-03 URLs with secrets are not measured', () => {
  const rows: [path: string, query: string, measured: boolean][] = [
    ['/', '', true],
    ['/dashboard/crawl', '', true],
    ['/register', '', true],
    ['/register', 'invitation_code=abc', false],
    ['/reset-password/abc', '', false],
    ['/verify-email/abc', '', false],
    ['/', 'code=abc', false],
    ['/dashboard/profile', 'deletion_code=x', false],
    ['/stripe-callback/', 'state=payment-success', true],
  ]
  for (const [path, query, measured] of rows) assert.is(mayBeMeasured(path, query), measured, `${path}?${query}`)
})

record.run()
analytics.run()
