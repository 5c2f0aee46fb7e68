/** Parts of the details of every kind of run: the heading with its actions, and the column with facts and the engine's messages. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import { isTerminal } from '#contract/runs.ts'
import { Button } from '#web/ui/form/button.tsx'
import { FilterIcon, RestartIcon, StopIcon } from '#web/ui/icons.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { exactTime } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/run.ts'
import { handOver } from './hand-over.ts'
import type { AnyRun, RunBase } from './run-base.ts'
import { ActivityFeed } from './run-status.tsx'
import type { Progress } from './use-progress.ts'
import { useRunAgain } from './use-run-again.ts'
import { useStopRun } from './use-stop-run.ts'

export type RunDetailsProps<Run> = {
  run: Run
  /** The way back to the log. */
  back: ReactNode
  /** The button that deletes the run. */
  remove: ReactNode
}

/** Follows the run live if it was running when the screen opened; otherwise its messages are loaded on request. */
export function useFollowed(run: AnyRun) {
  const running = !isTerminal(run.status)
  const [cameLive] = useState(running)
  const [wantsFeed, setWantsFeed] = useState(false)
  return { running, cameLive, isFollowed: cameLive || wantsFeed, followFeed: () => setWantsFeed(true) }
}

type RunHeaderProps = RunDetailsProps<AnyRun> & {
  base: RunBase
  title: ReactNode
  /** The form for repeating this run in the playground. */
  form: unknown
  /** Those of the run's kind. `quiet` are icons. */
  actions?: ReactNode
  quiet?: ReactNode
}

export function RunHeader({ run, back, remove, base, title, form, actions, quiet }: RunHeaderProps) {
  const running = !isTerminal(run.status)
  const stopping = useStopRun(base, run)
  const again = useRunAgain(base)
  return (
    <PageHeader
      before={back}
      quiet={
        <>
          {quiet}
          {remove}
        </>
      }
      title={<span className="wrap-anywhere">{title}</span>}
      description={t.started(base.words.details, exactTime(run.created_at))}
    >
      {running && (
        <Button look="danger" icon={StopIcon} busy={stopping.busy} busyLabel={t.canceling} onClick={() => void stopping.stop()}>
          {base.words.cancel}
        </Button>
      )}
      {actions}
      <Button icon={FilterIcon} onClick={() => handOver(base.paths.begin, form)}>
        {base.words.tryAgain}
      </Button>
      {!running && (
        <Button look="primary" icon={RestartIcon} busy={again.busy} busyLabel={t.starting} onClick={() => void again.run(run.uuid)}>
          {t.runAgain}
        </Button>
      )}
    </PageHeader>
  )
}

type RunAsideProps = {
  base: RunBase
  followed: ReturnType<typeof useFollowed>
  progress: Pick<Progress<unknown, unknown>, 'connection' | 'feed'>
  /** Shown instead of messages if there are none. */
  silent?: string
  /** The facts. */
  children: ReactNode
}

export function RunAside({ base, followed, progress, silent = t.noMessages, children }: RunAsideProps) {
  return (
    <aside aria-label={base.words.about} className="grid min-w-0 gap-4">
      {children}
      <ActivityFeed
        feed={progress.feed}
        running={followed.running}
        folded={!followed.cameLive}
        onUnfold={followed.followFeed}
        empty={progress.connection === 'connecting' ? t.loading : silent}
      />
    </aside>
  )
}

/** The layout of the details: on a wide screen the facts are beside the results. */
export const BESIDE_ASIDE = 'grid min-w-0 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_264px]'
