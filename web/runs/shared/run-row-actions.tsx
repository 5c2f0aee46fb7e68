/** The actions of a row in the log: stop the run or save its results, and open its details. */
import type { ReactNode } from 'react'
import { isTerminal } from '#contract/runs.ts'
import { IconButton, IconLink } from '#web/ui/form/button.tsx'
import { ArrowRightIcon, StopIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/run.ts'
import { detailsPath } from './run-base.ts'
import type { AnyRun, RunBase } from './run-base.ts'
import { useStopRun } from './use-stop-run.ts'
import { fromLog } from './back-to-log.ts'

type RunRowActionsProps = {
  base: RunBase
  run: AnyRun
  /** Once it has ended. */
  download: ReactNode
  /** Further ones. */
  children?: ReactNode
}

export function RunRowActions({ base, run, download, children }: RunRowActionsProps) {
  const stopping = useStopRun(base, run)
  return (
    <span className="inline-flex items-center justify-end">
      {isTerminal(run.status) ? (
        download
      ) : (
        <IconButton label={base.words.cancel} icon={StopIcon} tone="danger" busy={stopping.busy} onClick={() => void stopping.stop()} />
      )}
      {children}
      <IconLink label={t.viewDetails} icon={ArrowRightIcon} href={detailsPath(base, run)} state={fromLog()} />
    </span>
  )
}
