/** Beside the results of a playground: why the live view ended, the way to the details, the engine's own words. */
import { ButtonLink } from '#web/ui/form/button.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { ArrowRightIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/playground.ts'
import { ActivityFeed } from './run-status.tsx'
import type { Progress } from './use-progress.ts'

export type LiveAsideProps = {
  progress: Pick<Progress<unknown, unknown>, 'connection' | 'error' | 'feed'>
  running: boolean
  /** Where the details are. The way there stands here from the start: what comes at the end would push the messages down. */
  details: string
  /** What stands in the place of the engine's words while there are none. */
  empty: string
}

export function LiveAside({ progress, running, details, empty }: LiveAsideProps) {
  return (
    <div className="grid gap-4">
      {progress.connection === 'refused' && progress.error && (
        <Notice tone="danger" role="alert" title={t.theLiveViewEnded}>
          {progress.error.message}
        </Notice>
      )}
      <ButtonLink href={details} icon={ArrowRightIcon} block>
        {t.details}
      </ButtonLink>
      <ActivityFeed feed={progress.feed} running={running} empty={empty} />
    </div>
  )
}
