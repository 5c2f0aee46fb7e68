/** Starting a run from a form with one target: checked here first, sent, and what the server refuses shown at its field. */
import { useState } from 'react'
import type { ApiError } from '#web/api/client.ts'
import { fieldError } from '#web/api/field-error.ts'
import type { Outcome } from '#web/api/hooks.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'

type Creating<Body, Run> = {
  busy: boolean
  error: ApiError | null
  reset: () => void
  run: (args: { body: Body }) => Promise<Outcome<Run>>
}

/** What this page finds wrong with a form before it is sent. */
export type Faults = {
  /** The target is empty: what to enter. */
  missing?: string | undefined
  target?: string | undefined
  option?: string | undefined
}

/**
 * @param creating  the call that starts it
 * @param target    the target's name on the wire: "url"
 */
export function useStart<Body, Run>(creating: Creating<Body, Run>, target: string) {
  const [fault, setFault] = useState<string | undefined>()
  const error = fault ?? fieldError(creating.error, target)
  return {
    busy: creating.busy,
    /** What the server said of the last attempt. */
    refused: creating.error,
    /** What is wrong with the target. */
    error,
    /** Why it was not started, where the target is not to blame. */
    reason: error === undefined ? creating.error?.message : undefined,
    /** The form has changed: what was said of it no longer holds. */
    edited() {
      setFault(undefined)
      if (creating.error) creating.reset()
    },
    /** @returns  the run, or which part of the form stopped it */
    async start(body: Body, faults: Faults): Promise<{ run: Run } | { wrong: 'target' | 'options' }> {
      if (faults.missing) {
        toast.error(faults.missing)
        return { wrong: 'target' }
      }
      setFault(faults.target)
      if (faults.option) return { wrong: 'options' }
      if (faults.target) return { wrong: 'target' }
      const outcome = await creating.run({ body })
      if (outcome.ok) return { run: outcome.answer }
      toast.error(outcome.error.message)
      return { wrong: isAbout(outcome.error, target) ? 'target' : 'options' }
    },
  }
}

/** Whether a refusal names the target, or no field at all. */
export function isAbout({ body }: ApiError, target: string): boolean {
  const errors: unknown = body.errors
  return typeof errors !== 'object' || errors === null || target in errors
}
