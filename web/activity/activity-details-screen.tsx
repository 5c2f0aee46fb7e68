/** One run: not found, not to be had, or what its kind shows of it. */
import { Link, useParams } from 'wouter'
import { backToLog } from '#web/runs/way-back.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState, ErrorState, Loading } from '#web/ui/feedback.tsx'
import { ArrowLeftIcon } from '#web/ui/icons.tsx'
import type { AnyRun, RunKind } from './run-kind.ts'

export function ActivityDetailsScreen<Run extends AnyRun>({ kind }: { kind: RunKind<Run> }) {
  const { words, paths, useRun, Details: Content } = kind
  const params = useParams<Record<string, string>>()
  const run = useRun(params[paths.parameter] ?? '')
  const log = backToLog(paths.log)
  if (run.data)
    return (
      <Content
        run={run.data}
        back={
          <Link
            href={log}
            aria-label={words.back}
            title={words.back}
            className="-mt-1 -ml-2 grid size-9 flex-none place-items-center rounded-control text-faint hover:bg-hover hover:text-ink max-sm:hidden"
          >
            <ArrowLeftIcon className="size-[18px]" />
          </Link>
        }
      />
    )
  if (run.error?.status === 404)
    return (
      <Card>
        <EmptyState
          net="hole"
          level="page"
          title={words.notFound}
          action={
            <ButtonLink href={log} icon={ArrowLeftIcon}>
              {words.back}
            </ButtonLink>
          }
        >
          It may belong to another team, or its address is not complete.
        </EmptyState>
      </Card>
    )
  if (run.error)
    return (
      <Card>
        <ErrorState
          title={`The ${words.noun} could not be loaded`}
          details={run.error.message}
          onRetry={() => void run.mutate()}
          retrying={run.isValidating}
        >
          Nothing is lost; it comes back with the connection.
        </ErrorState>
      </Card>
    )
  return <Loading>Loading the {words.noun}…</Loading>
}
