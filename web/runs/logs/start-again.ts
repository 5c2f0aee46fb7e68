/** Starts runs again, one after the other. */
import type { ApiError } from '#web/api/client.ts'
import { asApiError } from '#web/api/hooks.ts'

/** `refusal` is the last one. Never throws. */
export async function startAgain(
  runs: readonly { uuid: string }[],
  rerun: (id: string) => Promise<unknown>,
): Promise<{ started: number; refusal: ApiError | null }> {
  let started = 0
  let refusal: ApiError | null = null
  for (const { uuid } of runs)
    try {
      await rerun(uuid)
      started++
    } catch (cause) {
      refusal = asApiError(cause)
      // Any other refusal, such as a plan's limit, would be the same for the remaining runs.
      if (refusal.status !== 400 && refusal.status !== 404) break
    }
  return { started, refusal }
}
