/** The details of one run, or the reason why they cannot be shown. */
import { useDeferredValue, useState } from 'react'
import { SWRConfig } from 'swr'
import { Link, useLocation, useParams } from 'wouter'
import { isTerminal } from '#contract/runs.ts'
import { ApiError } from '#web/api/client.ts'
import { useContentTitle } from '#web/frame/layout/use-page-title.ts'
import { DeleteRunsDialog } from '#web/runs/shared/delete-runs-later.tsx'
import { begunAt } from '#web/runs/shared/begun-at.ts'
import { MissingRun } from '#web/runs/shared/missing-run.tsx'
import type { AnyRun } from '#web/runs/shared/run-base.ts'
import { backToLog } from '#web/runs/shared/back-to-log.ts'
import { ButtonLink, IconButton } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState, Loading, Skeleton } from '#web/ui/feedback/feedback.tsx'
import { ArrowLeftIcon, TrashIcon } from '#web/ui/icons.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { exactTime } from '#web/ui/text/time-texts.ts'
import { started } from '#texts/run.ts'
import * as t from '#texts/activity-details.ts'
import type { RunDetails, RunKind } from './run-kind.ts'

export function DetailsScreen<Run extends AnyRun>({ kind, Content }: { kind: RunKind<Run>; Content: RunDetails<Run> }) {
  const { base, nameOf, words, useRun } = kind
  const { noun, paths } = base
  const params = useParams<Record<string, string>>()
  const id = params[paths.parameter] ?? ''
  const run = useRun(id)
  // One answer renders all details. Deferring it lets React render in slices, between which a slow phone can handle input.
  const data = useDeferredValue(run.data)
  useContentTitle(run.data && nameOf(run.data), base.words.details)
  const log = backToLog(paths.log)
  const back = (
    <Link
      href={log}
      aria-label={words.back}
      title={words.back}
      className="-mt-1 -ml-2 grid size-9 flex-none place-items-center rounded-control text-faint hover:bg-hover hover:text-ink max-sm:hidden"
    >
      <ArrowLeftIcon className="size-[18px]" />
    </Link>
  )
  if (run.error?.status === 404)
    return (
      <Card>
        <MissingRun
          base={base}
          id={id}
          level="page"
          action={
            <ButtonLink href={log} icon={ArrowLeftIcon}>
              {words.back}
            </ButtonLink>
          }
        />
      </Card>
    )
  if (data)
    return (
      // A part that is not found may mean that the run was deleted elsewhere.
      <SWRConfig value={{ onError: (error: unknown) => void (error instanceof ApiError && error.status === 404 && run.mutate()) }}>
        <Content run={data} remove={<DeleteButton kind={kind} run={data} log={log} />} back={back} />
      </SWRConfig>
    )
  if (run.error)
    return (
      <Card>
        <ErrorState
          level="page"
          title={t.theCouldNotBeLoaded(noun)}
          details={run.error.message}
          onRetry={() => void run.mutate()}
          retrying={run.isValidating}
        >
          {t.nothingIsLostItIsLoaded}
        </ErrorState>
      </Card>
    )
  const begun = begunAt(id)
  return (
    <>
      <PageHeader
        before={back}
        title={
          <>
            <span className="sr-only">{base.words.details}</span>
            <Skeleton className="h-[1lh] w-56 max-w-full" />
          </>
        }
        description={begun !== null && started(base.words.details, exactTime(new Date(begun).toISOString()))}
      />
      <Loading>{t.loadingThe(noun)}…</Loading>
    </>
  )
}

function DeleteButton<Run extends AnyRun>({ kind, run, log }: { kind: RunKind<Run>; run: Run; log: string }) {
  const { base, deletion, nameOf } = kind
  const [isAsking, setAsking] = useState(false)
  const [, navigate] = useLocation()
  const runs = isAsking ? [{ uuid: run.uuid, name: nameOf(run), isRunning: !isTerminal(run.status) }] : null
  return (
    <>
      <IconButton label={t.deleteText} icon={TrashIcon} tone="danger" onClick={() => setAsking(true)} />
      <DeleteRunsDialog
        base={base}
        deletion={deletion}
        runs={runs}
        onClose={() => setAsking(false)}
        onDeleted={() => navigate(log, { replace: true })}
      />
    </>
  )
}
