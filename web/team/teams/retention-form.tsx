/** How long ended jobs stay. What a number of days would delete is counted while it is typed, and asked about before it is set. */
import { useState } from 'react'
import { MAX_RETENTION_DAYS, getRetention, setRetention } from '#contract/teams.ts'
import type { Retention } from '#contract/teams.ts'
import { refresh, useAction, useEndpoint } from '#web/api/hooks.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Segmented } from '#web/ui/form/choice.tsx'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { ErrorState, Skeleton } from '#web/ui/feedback/feedback.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { sizeText } from '#web/ui/text/size-text.ts'
import { countText, dayText } from '#web/ui/text/time-texts.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { useSettled } from '#web/ui/hooks/use-settled.ts'

const TYPING_MS = 400
const FIRST_DAYS = '90'

export function RetentionForm({ isOwner }: { isOwner: boolean }) {
  const { data, error, isValidating, mutate } = useEndpoint(getRetention)
  if (data) return <Loaded key={String(data.days)} retention={data} isOwner={isOwner} />
  if (error)
    return <ErrorState title="This could not be loaded" details={error.message} retrying={isValidating} onRetry={() => void mutate()} />
  return <Skeleton className="h-9 max-w-100 rounded-control" />
}

function Loaded({ retention, isOwner }: { retention: Retention; isOwner: boolean }) {
  const { days, installation_days: installation, effective_days: effective } = retention
  const [mode, setMode] = useState<'keep' | 'delete'>(days === null ? 'keep' : 'delete')
  const [typed, setTyped] = useState(days === null ? FIRST_DAYS : String(days))
  const [isAsking, setAsking] = useState(false)
  const wanted = mode === 'keep' ? null : daysOf(typed)
  const settled = useSettled(wanted, TYPING_MS)
  const isWrong = mode === 'delete' && wanted === null
  // Before it is saved, and for what holds already, so that a screen left open tells the truth.
  const asked = useEndpoint(getRetention, settled === null ? null : { query: { days: stricter(settled, installation) } }, {
    keepPreviousData: true,
  })
  const expired = settled === wanted && settled !== null ? asked.data?.expired : undefined
  const action = useAction(setRetention)
  const save = async () => {
    if (isWrong || action.busy) return
    const outcome = await action.run({ body: { days: wanted } })
    setAsking(false)
    if (!outcome.ok) return toast.error(outcome.error.message)
    toast.success(wanted === null ? 'Jobs are kept' : `Jobs are deleted after ${countText(wanted, 'day')}`)
    void refresh(getRetention)
  }
  return (
    <form
      className="grid max-w-130 gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isWrong || wanted === days) return
        if (wanted !== null && expired?.runs !== 0) setAsking(true)
        else void save()
      }}
    >
      {isOwner ? (
        <>
          <div className="justify-self-start">
            <Segmented
              label="Ended jobs"
              value={mode}
              onChange={setMode}
              options={[
                { value: 'keep', label: 'Keep' },
                { value: 'delete', label: 'Delete when old' },
              ]}
            />
          </div>
          {mode === 'delete' && (
            <TextField
              className="max-w-60"
              label="Days after the end of a job"
              inputMode="numeric"
              autoComplete="off"
              value={typed}
              onChange={setTyped}
              error={isWrong ? `Enter a whole number from 1 to ${MAX_RETENTION_DAYS}` : undefined}
            />
          )}
        </>
      ) : (
        <p>
          {days === null ? 'The team keeps its jobs.' : `The team deletes jobs ${countText(days, 'day')} after their end.`} Only its owner
          can change that.
        </p>
      )}
      {installation !== null && (
        <p className="text-table text-soft">
          This server deletes jobs {countText(installation, 'day')} after their end, whatever a team sets
          {effective !== null && effective < installation ? '; this team sooner.' : '.'}
        </p>
      )}
      {mode === 'delete' && !isWrong && (
        <p role="status" className="text-table text-soft">
          {expired ? previewText(expired) : 'Counting…'}
        </p>
      )}
      {isOwner && (
        <div>
          <Button
            type="submit"
            look="primary"
            disabled={isWrong || wanted === days || (mode === 'delete' && !expired)}
            busy={action.busy}
            busyLabel="Saving…"
          >
            Apply
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => void save()}
        title={`Delete jobs older than ${countText(wanted ?? 0, 'day')}?`}
        action="Delete old jobs"
        busyAction="Saving…"
        busy={action.busy}
      >
        <p>
          {expired && previewText(expired)} They are deleted within the hour, and from then on every job {countText(wanted ?? 0, 'day')}{' '}
          after its end. This cannot be undone.
        </p>
      </ConfirmDialog>
    </form>
  )
}

function previewText({ days, runs, pages, bytes, is_estimate: isEstimate, oldest_at: oldest }: Retention['expired']): string {
  const age = `older than ${countText(days ?? 0, 'day')}`
  if (runs === 0) return `No job is ${age} at the moment.`
  const size = `${countText(pages, 'stored page')}${pages > 0 ? `, ${isEstimate ? 'about ' : ''}${sizeText(bytes)}` : ''}`
  return `${countText(runs, 'job is', 'jobs are')} ${age}, with ${size}${oldest === null ? '' : `; the oldest ended ${dayText(oldest)}`}.`
}

function daysOf(text: string): number | null {
  const days = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0
  return days >= 1 && days <= MAX_RETENTION_DAYS ? days : null
}

const stricter = (days: number, installation: number | null) => (installation === null ? days : Math.min(days, installation))
