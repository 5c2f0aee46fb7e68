/** The proxy that a run goes through. Where the server has none to choose from, nothing is offered. */
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { OptionSection } from '#web/ui/card.tsx'
import { SelectField } from '#web/ui/field.tsx'

type ProxyChoice = { slug: string; name: string; category?: string }

const listAllProxies = endpoint({
  method: 'GET',
  path: '/api/v1/core/proxy-servers/list-all/',
  access: 'team',
  tag: 'Proxy servers',
  summary: 'Every proxy that a crawl may use',
  answer: z.array(z.object({ slug: z.string(), name: z.string(), category: z.optional(z.string()) })),
})

/** The proxies to choose from; null while unknown, and where the server has no such list. */
function useProxies(): readonly ProxyChoice[] | null {
  const { data } = useEndpoint(listAllProxies, undefined, { shouldRetryOnError: false, revalidateOnReconnect: false })
  return Array.isArray(data) && data.length > 0 ? (data as readonly ProxyChoice[]) : null
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
          ...proxies.map(({ slug, name, category }) => ({ value: slug, label: category ? `${name} (${category})` : name })),
        ]}
        error={error}
      />
    </OptionSection>
  )
}
