import { getSettings } from '#contract/settings.ts'
import { runtimeConfig } from '#web/state/runtime-config.ts'
import { useEndpoint } from './hooks.ts'

/** Whether plans, consent and analytics exist: as the settings say, and until they are here as the page was told when it was written. */
export function useIsEnterprise(): boolean {
  const { data: settings } = useEndpoint(getSettings)
  return settings?.is_enterprise_mode_active ?? runtimeConfig.enterpriseMode
}
