/** How long ended jobs are kept. While a number of days is typed, it counts the jobs that this would delete; saving asks for confirmation. */
import { useState } from 'react'
import { getRetention, setRetention } from '#contract/teams.ts'
import type { Retention } from '#contract/teams.ts'
import { refresh, useAction, useEndpoint } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Segmented } from '#web/ui/form/choice.tsx'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { ErrorState, Skeleton } from '#web/ui/feedback/feedback.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { sizeText } from '#web/ui/text/size-text.ts'
import { dayText } from '#web/ui/text/time-texts.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { useSettled } from '#web/ui/hooks/use-settled.ts'
import * as t from '#texts/teams.ts'
import { countOf, daysErrors, daysOf, formOf, stricter } from './retention-days.ts'

const TYPING_MS = 400

export function RetentionForm({ isOwner }: { isOwner: boolean }) {
  const { data, error, isValidating, mutate } = useEndpoint(getRetention)
  if (data) return <Loaded key={String(data.days)} retention={data} isOwner={isOwner} />
  if (error)
    return <ErrorState title={t.thisCouldNotBeLoaded} details={error.message} retrying={isValidating} onRetry={() => void mutate()} />
  return <Skeleton className="h-9 max-w-100 rounded-control" />
}

function Loaded({ retention, isOwner }: { retention: Retention; isOwner: boolean }) {
  const { days, installation_days: installation, effective_days: effective } = retention
  const action = useAction(setRetention)
  const { errors, field, set, values } = useForm({ initial: () => formOf(days), judge: daysErrors, submissions: [action] })
  const { mode } = values
  const [isAsking, setAsking] = useState(false)
  const wanted = mode === 'keep' ? null : daysOf(values.days)
  const settled = useSettled(wanted, TYPING_MS)
  const isWrong = errors.days !== undefined
  // Requested for the saved setting too, so that the count stays correct on a screen that is left open.
  const asked = useEndpoint(getRetention, settled === null ? null : { query: { days: stricter(settled, installation) } })
  const expired = wanted === null ? undefined : countOf(asked.data, stricter(wanted, installation))
  const save = async () => {
    if (isWrong || action.busy) return
    const outcome = await action.run({ body: { days: wanted } })
    setAsking(false)
    if (!outcome.ok) return toast.error(outcome.error.message)
    toast.success(wanted === null ? t.jobsAreKept : t.jobsAreDeletedAfter(t.days(wanted)))
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
              label={t.endedJobs}
              value={mode}
              onChange={(next) => set({ mode: next })}
              options={[
                { value: 'keep', label: t.keep },
                { value: 'delete', label: t.deleteWhenOld },
              ]}
            />
          </div>
          {mode === 'delete' && (
            <TextField
              className="max-w-60"
              label={t.daysAfterTheEndOfA}
              inputMode="numeric"
              autoComplete="off"
              {...field('days')}
              error={errors.days}
            />
          )}
        </>
      ) : (
        <p>{days === null ? t.theTeamKeepsItsJobsOnly : t.theTeamDeletesJobsAfterTheir(t.days(days))}</p>
      )}
      {installation !== null && (
        <p className="text-table text-soft">
          {effective !== null && effective < installation
            ? t.serverDeletesLaterThanTeam(t.days(installation))
            : t.serverDeletesAll(t.days(installation))}
        </p>
      )}
      {mode === 'delete' && !isWrong && (
        <p role="status" className="text-table text-soft">
          {expired ? previewText(expired) : t.counting}
        </p>
      )}
      {isOwner && (
        <div>
          <Button
            type="submit"
            look="primary"
            disabled={isWrong || wanted === days || (mode === 'delete' && !expired)}
            busy={action.busy}
            busyLabel={t.saving}
          >
            {t.apply}
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => void save()}
        title={t.deleteJobsOlderThan(t.days(wanted ?? 0))}
        action={t.deleteOldJobs}
        busyAction={t.saving}
        busy={action.busy}
      >
        <p>
          {expired && previewText(expired)} {t.theyAreDeletedWithinTheHour(t.days(wanted ?? 0))}
        </p>
      </ConfirmDialog>
    </form>
  )
}

function previewText({ days, runs, pages, bytes, is_estimate: isEstimate, oldest_at: oldest }: Retention['expired']): string {
  const age = t.olderThan(t.days(days ?? 0))
  if (runs === 0) return t.noJobIsAtTheMoment(age)
  const bytesText = isEstimate ? t.about(sizeText(bytes)) : sizeText(bytes)
  const size = pages > 0 ? `${t.storedPages(pages)}, ${bytesText}` : t.storedPages(pages)
  return t.jobsOfAge(t.jobsAre(runs), age, size, oldest === null ? '' : t.theOldestEnded(dayText(oldest)))
}
