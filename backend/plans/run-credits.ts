/**
 * The credits that a run uses of those reserved for it, counted in the transactions that commit its progress and end it.
 *
 * A crawl uses one per page. A task reports how many it has used; if it does not, it uses all reserved credits from its first result on. A
 * failed run uses none.
 */
import type { CommittedRun, EndedRun, RunHooks } from '#backend/store/run-hooks.ts'
import { change } from '#backend/store/steps.ts'
import type { Steps } from '#backend/store/steps.ts'

export const runCredits: RunHooks = { onCommit, onEnd }

function* onCommit({ added, kind, runNo, used }: CommittedRun): Steps<void> {
  if (kind === 'crawl') yield* change('UPDATE credit_entry SET used = used + ? WHERE run_no = ?', added, runNo)
  else if (used !== null)
    yield* change('UPDATE credit_entry SET used = CASE WHEN requested < ? THEN requested ELSE ? END WHERE run_no = ?', used, used, runNo)
  else yield* change('UPDATE credit_entry SET used = requested WHERE run_no = ?', runNo)
}

function* onEnd({ kind, runNo, status, used }: EndedRun): Steps<void> {
  if (status === 'failed') yield* change('UPDATE credit_entry SET used = 0 WHERE run_no = ?', runNo)
  else if (status === 'finished' && kind !== 'crawl' && used === null)
    yield* change('UPDATE credit_entry SET used = requested WHERE run_no = ? AND used = 0', runNo)
  yield* change("UPDATE credit_entry SET state = 'settled' WHERE run_no = ? AND state = 'held'", runNo)
}
