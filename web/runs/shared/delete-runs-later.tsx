/** The question before runs are deleted, fetched when it is first asked. */
import { lazyPart } from '#web/ui/lazy-part.tsx'
import type { DeleteRunsDialogProps } from './delete-runs.tsx'

const Asked = lazyPart(async () => (await import('./delete-runs.tsx')).DeleteRunsDialog, null)

export const DeleteRunsDialog = (props: DeleteRunsDialogProps) => props.runs !== null && <Asked {...props} />
