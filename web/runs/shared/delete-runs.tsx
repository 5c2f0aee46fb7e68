/** Asks whether one or many runs should be deleted, deletes them, and drops cached data about them. */
import type { EndpointSpec } from '#contract/endpoint.ts'
import { getUsage, usageHistory } from '#contract/usage.ts'
import { useIsEnterprise } from '#web/api/enterprise.ts'
import { forgetAbout, refresh, useAction } from '#web/api/hooks.ts'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { howMany } from '#texts/nouns.ts'
import * as t from '#texts/delete-runs.ts'
import type { RunBase } from './run-base.ts'

/** What differs by the kind of the runs. */
export type RunDeletion = {
  /** What is deleted with a run, as the object of "This deletes …": "its pages and the list of its URLs". */
  holds: string
  many: EndpointSpec & { method: 'DELETE'; path: `${string}/`; body?: undefined }
}

/** Endpoints whose answers count runs, so that they change with a deletion. */
const TOTALS = [getUsage, usageHistory]

/** A run that may be deleted. The dialog shows the name when there is only one. */
export type Deletable = { uuid: string; name: string; isRunning: boolean }

export type DeleteRunsDialogProps = {
  base: RunBase
  deletion: RunDeletion
  /** Null keeps the dialog closed. */
  runs: readonly Deletable[] | null
  onClose: () => void
  onDeleted: () => void
}

export function DeleteRunsDialog({ base, deletion, runs, onClose, onDeleted }: DeleteRunsDialogProps) {
  const asked = runs ?? []
  const action = useAction(deletion.many)
  const hasCredits = useIsEnterprise()
  const remove = async () => {
    if (action.busy || asked.length === 0) return
    const outcome = await action.run({ query: { ids: asked.map(({ uuid }) => uuid).join(','), purge: true } })
    onClose()
    if (!outcome.ok) return toast.error(outcome.error.message)
    toast.success(asked.length === 1 ? t.theWasDeleted(base.noun) : t.wereDeleted(countOf(base, asked.length)))
    onDeleted()
    for (const { uuid } of asked) forgetAbout(uuid)
    for (const stale of [base.list, ...TOTALS]) void refresh(stale)
  }
  const one = asked.length === 1 ? asked[0] : undefined
  const running = asked.filter(({ isRunning }) => isRunning).length
  return (
    <ConfirmDialog
      open={runs !== null}
      onClose={onClose}
      onConfirm={() => void remove()}
      title={one ? t.deleteThis(base.noun) : t.deleteSeveralQuestion(countOf(base, asked.length))}
      action={one ? t.deleteOne(base.noun) : t.deleteSeveral(countOf(base, asked.length))}
      busy={action.busy}
    >
      <div className="grid gap-3">
        {one && <p className="font-medium wrap-anywhere text-ink">{one.name}</p>}
        <p>
          {running > 0 && (one ? t.itIsStillRunningAndIs : t.ofThemAreStillRunningAnd(running))}
          {one ? t.thisDeletesLinksToItStop(deletion.holds) : t.thisDeletesThemWithLinksTo(deletion.holds)}
          {hasCredits && t.theCreditsThatWereUsedStay}
          {t.thisCannotBeUndone}
        </p>
      </div>
    </ConfirmDialog>
  )
}

const countOf = ({ noun }: RunBase, count: number) => howMany(noun, count)
