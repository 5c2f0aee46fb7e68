import { getSettings } from '#contract/settings.ts'
import { useEndpoint } from '#web/api/hooks.ts'

/** The version from the server; '' while unknown. */
export function useVersion(): string {
  const { data: settings } = useEndpoint(getSettings)
  return settings?.api_version ?? ''
}
