/** Starts a run again with the same options, and opens the new run. */
import { useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import type { ApiError } from '#web/api/client.ts'
import { asApiError, refresh } from '#web/api/hooks.ts'
import { pathTo } from '#web/navigation.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { firstText } from './option-error.ts'
import type { RunBase } from './run-base.ts'

export function useRunAgain({ rerun, list, paths }: RunBase) {
  const [busy, setBusy] = useState(false)
  return {
    busy,
    run: async (id: string): Promise<void> => {
      if (busy) return
      setBusy(true)
      try {
        const { uuid } = await rerun(id)
        void refresh(list)
        navigate(`${pathTo(paths.begin)}?run=${uuid}`)
      } catch (cause) {
        toast.error(reasonOf(asApiError(cause)))
      } finally {
        setBusy(false)
      }
    },
  }
}

/** The server's reason: the error of the first refused field, because it says more than the general message. */
export const reasonOf = (error: ApiError): string => firstText(error.body.errors) ?? error.message
