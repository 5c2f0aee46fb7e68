/** Tells the user about a file that is being saved. */
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

/** Why a download failed. */
export const downloadFault = (cause: unknown): string => (cause instanceof Error ? cause.message : t.theDownloadFailed)
