/** The column beside a playground's results: why the live view ended, and the engine's messages. */
import { Notice } from '#web/ui/feedback/feedback.tsx'
import * as t from '#texts/playground.ts'
import { ActivityFeed } from './run-status.tsx'
import type { Progress } from './use-progress.ts'

export type LiveAsideProps = {
  progress: Pick<Progress<unknown, unknown>, 'connection' | 'error' | 'feed'>
  running: boolean
  /** Shown while there are no messages. */
  empty: string
}

export function LiveAside({ progress, running, empty }: LiveAsideProps) {
  return (
    <div className="grid gap-4">
      {progress.connection === 'refused' && progress.error && (
        <Notice tone="danger" role="alert" title={t.theLiveViewEnded}>
          {progress.error.message}
        </Notice>
      )}
      <ActivityFeed feed={progress.feed} running={running} empty={empty} />
    </div>
  )
}
