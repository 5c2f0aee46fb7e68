import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ProxyServer } from '#contract/proxies.ts'
import { addressErrors, changesOf, formOf, newProxy, proxyErrors, suggestedSlug, testOf } from '#web/team/proxies/proxy-form.ts'
import type { ProxyForm } from '#web/team/proxies/proxy-form.ts'

const STORED: ProxyServer = {
  name: 'EU pool',
  slug: 'eu-pool',
  is_default: false,
  proxy_type: 'socks5',
  host: 'proxy.example.com',
  port: 1080,
  username: 'wanda',
  has_password: true,
  created_at: '2026-03-04T09:12:33.481920Z',
  updated_at: '2026-03-04T09:12:33.481920Z',
}
const filled = (change: Partial<ProxyForm> = {}): ProxyForm => ({ ...formOf(STORED), ...change })

const form = suite('the form of a proxy server')

form('a slug is suggested from the name', () => {
  const rows: [name: string, slug: string][] = [
    ['EU pool', 'eu-pool'],
    ['  Büro Zürich (2) ', 'buro-zurich-2'],
    ['a_b', 'a_b'],
    ['日本', ''],
    ['', ''],
    ['n'.repeat(300), 'n'.repeat(255)],
  ]
  for (const [name, slug] of rows) assert.is(suggestedSlug(name), slug, name)
})

form('the form reports its errors', () => {
  const rows: [change: Partial<ProxyForm>, isNew: boolean, wrong: Record<string, string>][] = [
    [{}, false, {}],
    [{ name: ' ' }, false, { name: 'Name is required' }],
    [{ slug: '' }, true, { slug: 'Slug is required' }],
    [{ slug: 'eu pool' }, true, { slug: 'Letters, numbers, underscores and hyphens only' }],
    [{ host: '' }, true, { host: 'Host is required' }],
    [{ port: null }, true, { port: 'Port must be greater than 0' }],
    [{ port: 0 }, true, { port: 'Port must be greater than 0' }],
    [{ port: Number.NaN }, true, { port: 'Port must be greater than 0' }],
    [{ port: 65_536 }, true, { port: 'Port must be at most 65535' }],
    [{ passwordAct: 'set' }, false, { password: 'Password is required, or keep the existing one' }],
    [{ passwordAct: 'set', password: 'new' }, false, {}],
    [{ passwordAct: 'set' }, true, {}],
  ]
  for (const [change, isNew, wrong] of rows) assert.equal(proxyErrors(filled(change), isNew), wrong, JSON.stringify(change))
  assert.equal(Object.keys(proxyErrors(formOf(null), true)), ['name', 'slug', 'host', 'port'])
  assert.equal(Object.keys(addressErrors(formOf(null))), ['host', 'port'], 'a test needs no name')
})

form('a new proxy is sent with all fields, an empty user name and an empty password as null', () => {
  const { name, slug, is_default, proxy_type, host, port } = STORED
  const whole = { name, slug, is_default, proxy_type, host, port }
  assert.equal(newProxy(filled({ username: ' ', passwordAct: 'set' })), { ...whole, username: null, password: null })
  assert.equal(newProxy(filled({ name: ' EU pool ', passwordAct: 'set', password: ' a b ' })), {
    ...whole,
    username: 'wanda',
    password: ' a b ',
  })
})

form('for a stored proxy only changes are sent', () => {
  const rows: [change: Partial<ProxyForm>, sent: object | null][] = [
    [{}, null],
    [{ name: ' EU pool ' }, null],
    [{ name: 'EU' }, { name: 'EU' }],
    [{ username: '' }, { username: null }],
    [
      { port: 1081, is_default: true },
      { is_default: true, port: 1081 },
    ],
    [{ passwordAct: 'remove' }, { password: null }],
    [{ passwordAct: 'set', password: 'new' }, { password: 'new' }],
    [{ passwordAct: 'keep', password: 'typed and left' }, null],
  ]
  for (const [change, sent] of rows) assert.equal(changesOf(filled(change), STORED), sent, JSON.stringify(change))
})

form('a test sends the form, and the slug of a stored proxy so that its stored password is used', () => {
  const address = { proxy_type: 'socks5', host: 'proxy.example.com', port: 1080, username: 'wanda' }
  assert.equal(testOf(filled(), STORED), { slug: 'eu-pool', ...address })
  assert.equal(testOf(filled({ slug: 'another', passwordAct: 'remove' }), STORED), { slug: 'eu-pool', ...address, password: null })
  assert.equal(testOf(filled({ passwordAct: 'set', password: 'p' }), null), { ...address, password: 'p' })
})

form.run()
