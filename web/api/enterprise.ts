import { getSettings } from '#contract/settings.ts'
import { runtimeConfig } from '#web/state/runtime-config.ts'
import { useEndpoint } from './hooks.ts'

/** Whether plans, consent and analytics exist: by the settings, and until they arrive by the page's own configuration. */
export function useIsEnterprise(): boolean {
  const { data: settings } = useEndpoint(getSettings)
  return settings?.is_enterprise_mode_active ?? runtimeConfig.enterpriseMode
}
