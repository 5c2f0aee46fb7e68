/** Tells the user about a file that is being saved. */
import { ApiError } from '#web/api/client.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/downloads.ts'

/**
 * Shows that a file is being prepared, and whether that succeeded.
 *
 * @param what  identifies it: saving it again replaces the toast
 */
export async function saving(what: string, save: () => Promise<void>): Promise<void> {
  const id = `download-${what}`
  toast.loading(t.preparingTheFile, id)
  try {
    await save()
    toast.success(t.theDownloadHasBegun, id)
  } catch (cause) {
    toast.error(downloadFault(cause), id)
  }
}

/** Why a download failed. What the browser says, such as that the connection broke, is not in the language of the dashboard. */
export const downloadFault = (cause: unknown): string => (cause instanceof ApiError ? cause.message : t.theDownloadFailed)
