/** Options that only some servers have: proxies to choose from, and plugins. Where there are none, nothing is offered. */
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { EmptyState } from '#web/ui/feedback.tsx'
import type { ProxyChoice } from './crawl-options-form.tsx'

const listAllProxies = endpoint({
  method: 'GET',
  path: '/api/v1/core/proxy-servers/list-all/',
  access: 'team',
  tag: 'Proxy servers',
  summary: 'Every proxy that a crawl may use',
  answer: z.array(z.object({ slug: z.string(), name: z.string(), category: z.optional(z.string()) })),
})

/** The proxies to choose from; null while unknown, and where the server has no such list. */
export function useProxies(): readonly ProxyChoice[] | null {
  const { data } = useEndpoint(listAllProxies, undefined, { shouldRetryOnError: false, revalidateOnReconnect: false })
  return Array.isArray(data) && data.length > 0 ? (data as readonly ProxyChoice[]) : null
}

export function PluginOptions() {
  return (
    <EmptyState net="plain" title="No plugins installed">
      Plugins add steps of their own to each page, such as pulling out fields. This server has none.
    </EmptyState>
  )
}
