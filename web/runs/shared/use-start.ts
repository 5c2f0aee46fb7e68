/** Starts a run from a form with one target: validates, sends, and shows refusals at their fields. */
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

/** Our own errors of a form, before it is sent. */
export type Faults = {
  /** The target is empty: what to enter. */
  missing?: string | undefined
  target?: string | undefined
  option?: string | undefined
}

/**
 * @param creating  the call that starts it
 * @param target    the target's name in the API: "url"
 */
export function useStart<Body, Run>(creating: Creating<Body, Run>, target: string) {
  const [fault, setFault] = useState<string | undefined>()
  const error = fault ?? fieldError(creating.error, target)
  return {
    busy: creating.busy,
    /** The server's refusal of the last attempt. */
    refused: creating.error,
    /** What is wrong with the target. */
    error,
    /** Why it was not started, if not because of the target. */
    reason: error === undefined ? creating.error?.message : undefined,
    /** Call when the form has changed: clears the error. */
    edited() {
      setFault(undefined)
      if (creating.error) creating.reset()
    },
    /** @returns  the run, or which part of the form is wrong */
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
