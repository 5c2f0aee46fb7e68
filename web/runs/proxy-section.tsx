/** The proxy that a run goes through. Where the server has none to choose from, nothing is offered. */
import { listAllProxies } from '#contract/proxies.ts'
import type { ProxyChoice } from '#contract/proxies.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { OptionSection } from '#web/ui/card.tsx'
import { SelectField } from '#web/ui/field.tsx'

/** The proxies to choose from; null while unknown, and where the server has no such list. */
function useProxies(): readonly ProxyChoice[] | null {
  const { data } = useEndpoint(listAllProxies, undefined, { shouldRetryOnError: false, revalidateOnReconnect: false })
  return Array.isArray(data) && data.length > 0 ? data : null
}

/** `value` '' is the default proxy. */
export function ProxySection({ value, onChange, error }: { value: string; onChange: (slug: string) => void; error?: string | undefined }) {
  const proxies = useProxies()
  if (proxies === null) return null
  return (
    <OptionSection title="Proxy" description="Where requests leave from.">
      <SelectField
        className="sm:max-w-100"
        label="Proxy server"
        value={value}
        onChange={onChange}
        options={[
          { value: '', label: 'Use default proxies' },
          ...proxies.map(({ slug, name, category }) => ({ value: slug, label: `${name} (${category})` })),
        ]}
        error={error}
      />
    </OptionSection>
  )
}
