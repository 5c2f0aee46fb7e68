/** The dialog that deletes runs, loaded on first use. */
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import type { DeleteRunsDialogProps } from './delete-runs.tsx'

const Asked = lazyDialog(async () => (await import('./delete-runs.tsx')).DeleteRunsDialog)

export const DeleteRunsDialog = (props: DeleteRunsDialogProps) => props.runs !== null && <Asked {...props} />
