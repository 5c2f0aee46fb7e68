/** Settings of the team in tabs; the selected one is in the URL. */
import { lazy } from 'react'
import type { ComponentType } from 'react'
import { navigate, useLocationProperty } from 'wouter/use-browser-location'
import { getSettings } from '#contract/settings.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import * as t from '#texts/settings.ts'
import { ProxySettings } from './proxy-settings.tsx'
import { tabOf, tabsFor } from './settings-tabs.ts'
import type { SettingsTab } from './settings-tabs.ts'
import { TeamSettings } from './team-settings.tsx'

/** Loaded in enterprise mode only. */
const BillingSettings = lazy(async () => ({ default: (await import('#web/team/plans/billing-settings.tsx')).BillingSettings }))

/** Loaded when their tabs are opened. */
const ModelSettings = lazy(async () => ({ default: (await import('#web/team/models/model-settings.tsx')).ModelSettings }))
const WebhookSettings = lazy(async () => ({ default: (await import('#web/team/webhooks/webhook-settings.tsx')).WebhookSettings }))

/** From left to right; the first one is the default. */
const TABS: readonly (SettingsTab & { Content: ComponentType })[] = [
  { id: 'team', label: t.team, Content: TeamSettings },
  { id: 'proxy', label: t.proxySettings, Content: ProxySettings },
  { id: 'webhooks', label: t.webhooks, Content: WebhookSettings },
  { id: 'models', label: t.models, Content: ModelSettings },
  { id: 'billing', label: t.billing, enterpriseOnly: true, Content: BillingSettings },
]

export function SettingsScreen() {
  const { data: settings } = useEndpoint(getSettings)
  const hash = useLocationProperty(() => window.location.hash)
  const tabs = tabsFor(TABS, settings?.is_enterprise_mode_active === true)
  const chosen = tabOf(tabs, hash)
  return (
    <>
      <PageHeader title={t.settings} description={t.settingsOfTheTeam} />
      {chosen && (
        <div className="grid min-w-0 gap-4">
          <Tabs
            name="settings"
            label={t.settings}
            tabs={tabs}
            value={chosen.id}
            onChange={(id) => navigate(`${window.location.pathname}#${id}`, { replace: true })}
          />
          <TabPanel name="settings" id={chosen.id} value={chosen.id}>
            <chosen.Content />
          </TabPanel>
        </div>
      )}
    </>
  )
}
