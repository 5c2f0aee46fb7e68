/** The dialog that deletes runs, loaded on first use. */
import { lazyPart } from '#web/ui/lazy-part.tsx'
import type { DeleteRunsDialogProps } from './delete-runs.tsx'

const Asked = lazyPart(async () => (await import('./delete-runs.tsx')).DeleteRunsDialog, null)

export const DeleteRunsDialog = (props: DeleteRunsDialogProps) => props.runs !== null && <Asked {...props} />
