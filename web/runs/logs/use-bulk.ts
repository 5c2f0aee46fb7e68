/** Actions on several rows of a log, one after the other. */
import { useState } from 'react'
import { refresh } from '#web/api/hooks.ts'
import type { AnyRun } from '#web/runs/shared/run-base.ts'
import { saveCsv } from '#web/runs/shared/save-file.ts'
import { reasonOf } from '#web/runs/shared/use-run-again.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import type { Noun } from '#web/texts/nouns.ts'
import { howMany } from '#texts/nouns.ts'
import * as t from '#texts/activity.ts'
import { csvOf } from './rows-csv.ts'
import type { RunKind } from './run-kind.ts'
import { startAgain } from './start-again.ts'

/** File names, the same in every language. */
const FILES: Record<Noun, string> = { crawl: 'crawls', search: 'searches', sitemap: 'sitemaps' }

export function useBulk<Run extends AnyRun>({ base: { list, noun, rerun }, download, nameOf }: RunKind<Run>) {
  const [busy, setBusy] = useState<'rerun' | 'download' | null>(null)
  return {
    busy,
    /** Starts each run again. Reports all refusals once, with the last one's reason. */
    async runAgain(runs: readonly Run[]): Promise<void> {
      if (busy !== null) return
      setBusy('rerun')
      const { started, refusal } = await startAgain(runs, rerun)
      setBusy(null)
      void refresh(list)
      if (started > 0) toast.success(t.started(howMany(noun, started)))
      if (refusal !== null) toast.error(t.ofWereNotStarted(runs.length - started, runs.length, reasonOf(refusal)))
    },
    async download(runs: readonly Run[]): Promise<void> {
      if (busy !== null) return
      setBusy('download')
      try {
        for (const run of runs) await download(run)
      } finally {
        setBusy(null)
      }
    },
    /** Saves the rows of the log as CSV. */
    exportRows: (runs: readonly Run[]) => saveCsv(`${FILES[noun]}.csv`, csvOf(runs.map((run) => ({ run, name: nameOf(run) })))),
  }
}
