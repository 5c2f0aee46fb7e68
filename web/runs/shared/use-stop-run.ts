/** Stops a run and says so. */
import type { EndpointSpec } from '#contract/endpoint.ts'
import { useAction } from '#web/api/hooks.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'

type StopEndpoint = EndpointSpec & { method: 'DELETE'; path: `${string}/{id}/`; body?: undefined }

/**
 * @param refreshes  what is stale afterwards: the run itself and the list of its kind
 * @param noun       "crawl"
 */
export function useStopRun(endpoint: StopEndpoint, { refreshes, noun }: { refreshes: readonly EndpointSpec[]; noun: string }) {
  const stop = useAction(endpoint, { refreshes })
  return {
    busy: stop.busy,
    stop: async (runId: string) => {
      const outcome = await stop.run({ params: { id: runId } })
      if (outcome.ok) toast.success(`The ${noun} was canceled`)
      else toast.error(outcome.error.message)
    },
  }
}
