import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { tabOf, tabsFor } from '#web/team/settings/settings-tabs.ts'
import type { SettingsTab } from '#web/team/settings/settings-tabs.ts'

const TABS: readonly SettingsTab[] = [
  { id: 'team', label: 'Team' },
  { id: 'proxy', label: 'Proxy Settings' },
  { id: 'billing', label: 'Billing', enterpriseOnly: true },
]

const tabs = suite('tabs of the settings')

tabs('the hash chooses the tab; an unknown hash, or one of another mode, means the first tab', () => {
  const rows: [isEnterprise: boolean, hash: string, id: string][] = [
    [false, '', 'team'],
    [false, '#team', 'team'],
    [false, '#proxy', 'proxy'],
    [false, '#billing', 'team'],
    [true, '#billing', 'billing'],
    [true, '#nothing', 'team'],
    [true, '#', 'team'],
    [true, 'proxy', 'team'],
  ]
  for (const [isEnterprise, hash, id] of rows) assert.is(tabOf(tabsFor(TABS, isEnterprise), hash)?.id, id, `${isEnterprise} ${hash}`)
})

tabs('billing exists only in enterprise mode', () => {
  const ids = (isEnterprise: boolean) => tabsFor(TABS, isEnterprise).map(({ id }) => id)
  assert.equal(ids(true), ['team', 'proxy', 'billing'])
  assert.equal(ids(false), ['team', 'proxy'])
})

tabs.run()
