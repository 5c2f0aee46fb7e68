/** The next times of a schedule that is being edited, from the server. */
import { useEffect, useState } from 'react'
import { previewSchedule } from '#contract/schedules.ts'
import { call } from '#web/api/client.ts'
import type { ApiError } from '#web/api/client.ts'
import { asApiError } from '#web/api/hooks.ts'
import { useSettled } from '#web/ui/hooks/use-settled.ts'

const TYPING_MS = 300

export type Preview = {
  /** Of the values before, until the answer for the current ones is there. */
  next: readonly string[]
  /** Why there are no times for the current values. */
  error: ApiError | null
  isLoading: boolean
}

/** Requests the times when typing pauses. Without a cron expression there is no request. */
export function usePreview(cron: string, timezone: string): Preview {
  const wanted = JSON.stringify({ cron, timezone })
  const settled = useSettled(wanted, TYPING_MS)
  const [answer, setAnswer] = useState<{ of: string; next: readonly string[]; error: ApiError | null }>({ of: '', next: [], error: null })
  useEffect(() => {
    const body = JSON.parse(settled) as { cron: string; timezone: string }
    if (body.cron === '') return undefined
    let isStale = false
    call(previewSchedule, { body }).then(
      ({ next }) => !isStale && setAnswer({ of: settled, next, error: null }),
      (cause: unknown) => !isStale && setAnswer({ of: settled, next: [], error: asApiError(cause) }),
    )
    return () => {
      isStale = true
    }
  }, [settled])
  if (cron === '') return { next: [], error: null, isLoading: false }
  const isCurrent = answer.of === wanted
  return { next: answer.next, error: isCurrent ? answer.error : null, isLoading: !isCurrent }
}
