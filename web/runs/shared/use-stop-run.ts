/** Stops a run and shows a toast. */
import { useAction } from '#web/api/hooks.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/run-status.ts'
import type { AnyRun, RunBase } from './run-base.ts'

/**
 * @param run  the run on the screen, or null
 * @returns    `busy` while it is being stopped, by this call or an earlier one
 */
export function useStopRun({ stop: endpoint, get, list, noun }: RunBase, run: AnyRun | null) {
  const action = useAction(endpoint, { refreshes: [get, list] })
  return {
    busy: action.busy || run?.status === 'canceling',
    stop: async () => {
      if (run === null) return
      const outcome = await action.run({ params: { id: run.uuid } })
      if (outcome.ok) toast.success(t.theWasCanceled(noun))
      else toast.error(outcome.error.message)
    },
  }
}
