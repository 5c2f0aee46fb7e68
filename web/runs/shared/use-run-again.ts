/** Runs a job again with the options that it had, and leads to the new one, live. */
import { useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { ApiError } from '#web/api/client.ts'
import { refresh } from '#web/api/hooks.ts'
import { pathTo } from '#web/navigation.ts'
import type { PathName } from '#web/navigation.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { firstText } from './option-error.ts'

/** What a kind of run calls to be run again. */
export type Rerun = {
  start: (id: string) => Promise<{ uuid: string }>
  playground: PathName
  /** Lists that are stale afterwards. */
  refreshes: readonly EndpointSpec[]
}

export function useRunAgain({ start, playground, refreshes }: Rerun) {
  const [busy, setBusy] = useState(false)
  return {
    busy,
    run: async (id: string): Promise<void> => {
      if (busy) return
      setBusy(true)
      try {
        const { uuid } = await start(id)
        for (const stale of refreshes) void refresh(stale)
        navigate(`${pathTo(playground)}?run=${uuid}`)
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause
        toast.error(reasonOf(cause))
      } finally {
        setBusy(false)
      }
    },
  }
}

/** The first field that the server refused says more than its sentence. */
export const reasonOf = (error: ApiError): string => firstText(error.body.errors) ?? error.message
